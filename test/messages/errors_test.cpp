// Everything the library throws is an Error, so that one catch is enough. The public types are checked by the compiler;
// all others, and that nobody adds one of another kind, by reading the sources.
#include <gtest/gtest.h>

#include <rattleback/rattleback.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "expr/elaborate.hpp"
#include "model/source.hpp"
#include "output/json.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

template <class... T> constexpr bool are_errors = (std::is_base_of_v<Error, T> && ...);
static_assert(are_errors<BadModel, BadRun, BadMethod, Unsuitable, ExprError, CannotWrite, StructuralError>);
static_assert(are_errors<model::ModelError, FormulaError, syntax::SyntaxError, BadJson>);
static_assert(std::is_base_of_v<std::runtime_error, Error>);

// The library's own files, as text.
std::vector<std::string> sources() {
    std::vector<std::string> texts;
    for (const char* folder : {"include", "src", "backend"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::string(RATTLEBACK_SOURCE_DIR "/") + folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".cpp" && extension != ".hpp") continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            texts.push_back(text.str());
        }
    return texts;
}

TEST(Errors, HaveOneBaseClass) {
    std::map<std::string, std::string> base; // of every struct and class that has one
    std::set<std::string> thrown;
    const std::regex derived(R"((?:struct|class) (\w+)\s*:\s*(?:public )?([\w:]+))"), throws(R"(\bthrow ([\w:]+)[({])");
    for (const std::string& text : sources()) {
        for (std::sregex_iterator m(text.begin(), text.end(), derived), end; m != end; ++m) base[(*m)[1]] = (*m)[2];
        for (std::sregex_iterator m(text.begin(), text.end(), throws), end; m != end; ++m) {
            const std::string name = (*m)[1];
            thrown.insert(name.starts_with("std::") ? name : name.substr(name.rfind(':') + 1)); // npos + 1 is 0
        }
    }
    EXPECT_GE(thrown.size(), 12U) << "the expression for 'throw' finds what there is";
    // Never leave the library: caught in the files they are thrown in.
    for (const char* inner : {"Failure", "NoStages"}) thrown.erase(inner);
    // Functions that make what is thrown.
    const std::map<std::string, std::string> makers = {{"needs_index", "ExprError"}};
    // Out of memory, and mistakes of the library itself.
    for (const char* standard : {"std::bad_alloc", "std::logic_error"}) thrown.erase(standard);
    for (const std::string& name : thrown) {
        const auto maker = makers.find(name);
        std::string first = maker == makers.end() ? name : maker->second;
        while (first != "Error" && base.contains(first)) first = base[first];
        EXPECT_EQ(first, "Error") << name;
    }
}

} // namespace
} // namespace rattleback
