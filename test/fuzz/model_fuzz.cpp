// Any text is a model or a BadModel with a place; a small model takes a step or says why it cannot.
//
//     cmake --preset clang && cmake --build build-clang --target fuzz_model
//     build-clang/fuzz/fuzz_model -dict=test/fuzz/toml.dict new_corpus test/fuzz/corpus/model
// In every full test run: -runs=12000
#include "model/scope.hpp"
#include "solve/system.hpp"

#include <rattleback/rattleback.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

using namespace rattleback;

namespace {

constexpr std::size_t longest = 4096; // bytes

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

std::optional<Model> read(const std::string& text) {
    try {
        return read_model(text, "fuzz.toml");
    } catch (const BadModel& e) {
        const std::string what = e.what();
        require(what.starts_with("fuzz.toml:"), "a message names its file");
        require(what.size() < 4000, "a message is short enough to be read");
    }
    return {};
}

void step(const Model& model) {
    try {
        integrate(model, {.method = "midpoint", .step = 0.01, .until = {}, .steps = 1});
    } catch (const Unsuitable&) {
    } catch (const StructuralError&) {
    } catch (const BadRun&) {
    } catch (const BadMethod&) {
    } catch (const ExprError& e) {
        // NOTE: L = x'^2 + (y' > 1)*solve(A, b)[1] does not determine y', which is noticed late and not by its name.
        require(std::string(e.what()).ends_with("has no value here"),
                "what a formula may not do is found by the reader");
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    model::reading_limits = {
        .members = 300, .unrolled = 2e4, .nodes = 50'000, .rebuilt = 20'000, .nesting = 300, .sums = 8};
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > longest) return 0;
    const std::optional<Model> model = read(std::string(reinterpret_cast<const char*>(data), size));
    if (!model) return 0;
    require(!to_text(model->function, 200).empty(), "a function has a text");
    const int scalars = model->q.count() + model->z.count();
    if (scalars <= 20 && model->graph->size() < 1500) step(*model);
    return 0;
}
