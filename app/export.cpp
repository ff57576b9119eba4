#include "common.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "expr/shown.hpp"
#include "output/output_file.hpp"

namespace app {
namespace {

using namespace rattleback;

bool is_c_name(const std::string& name) {
    const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
    return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
        return letter(c) || std::isdigit(static_cast<unsigned char>(c));
    });
}

int export_verb(const Common& common) {
    Model loaded = common.load();
    choose_method(loaded, common);
    const std::optional<Model> independent = with_independent_constraints(loaded);
    const Model& model = independent ? *independent : loaded;
    const std::string text = common.method.empty() ? model.run.method : common.method;
    if (text.empty()) throw BadCommand("no method is given: use -m METHOD, or method in [run]");
    const std::vector<MethodName> names = parse_methods(text);
    if (names.size() != 1) throw BadCommand("one method is needed here, not " + std::to_string(names.size()));
    const std::filesystem::path output =
        common.output.empty() ? std::filesystem::path(common.model).stem().string() + ".c" : common.output;
    if (output.extension() != ".c") throw BadCommand("-o " + common.output + ": a name that ends in .c is needed");
    const std::string name = output.stem().string();
    if (!is_c_name(name)) throw BadCommand("'" + name + "' cannot be a name in C; choose another with -o NAME.c");
    std::filesystem::path header = output;
    header.replace_extension(".h");
    Files().reads(common.source()).reads_method(text).writes("-o", output.string()).writes("-o", header.string());
    const CSource c = export_c(compile(model, text), name, common.step);
    OutputFile(output.string()).write_whole(c.source), OutputFile(header.string()).write_whole(c.header);
    if (!common.quiet && !c.note.empty()) note(c.note);
    if (!common.quiet)
        std::printf("written  %s and %s\n", shown(output.string()).c_str(), shown(header.string()).c_str());
    return done;
}

} // namespace

Verb make_export() {
    auto common = std::make_shared<Common>();
    return {"export", "write a method's step on a model, and its Jacobian, as C99",
            model_options(
                *common, false,
                {{"-m,--method", &common->method, "the method"},
                 {"-s,--step,--dt", &common->step, "the step, of methods whose start depends on it (shake, nh_shake)"},
                 {"-o,--output", &common->output, "NAME.c; NAME.h goes beside it, and NAME_ begins all its names"}}),
            [common] { return export_verb(*common); }};
}

} // namespace app
