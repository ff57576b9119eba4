#include "common.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace app {
namespace {

using namespace rattleback;

int check_verb(const Common& common, bool latex) {
    const Model model = common.load();
    if (latex) {
        std::printf("%s\n", to_latex(model.function).c_str());
        return done;
    }
    const Inspection found = inspect(model);
    if (common.json) {
        Json facts, methods;
        for (const auto& [name, words] : found.facts) facts.add(name, words);
        for (const auto& [id, why] : found.methods) methods.add(id, why.empty() ? "fits" : why);
        std::printf("%s\n", Json().add("model", model.name).add("facts", facts).add("methods", methods).text().c_str());
        return done;
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, words] : found.facts) rows.push_back({name, words});
    std::string fitting;
    for (const auto& [id, why] : found.methods)
        if (why.empty()) fitting += (fitting.empty() ? "" : ", ") + id;
    rows.push_back({"methods", fitting.empty() ? "none of this version" : fitting});
    std::fputs(aligned(rows).c_str(), stdout);
    for (const auto& [id, why] : found.methods)
        if (!why.empty() && !common.quiet) std::printf("  not %s: %s\n", id.c_str(), why.c_str());
    for (const std::string& w : found.warnings) std::fprintf(stderr, "rattleback: warning: %s\n", w.c_str());
    return done;
}

} // namespace

void add_check(CLI::App& program, int& exit_code) {
    auto common = std::make_shared<Common>();
    auto latex = std::make_shared<bool>(false);
    CLI::App* verb = program.add_subcommand("check", "what a model is, and which methods fit");
    add_model_options(*verb, *common, false);
    verb->add_flag("--latex", *latex, "print the Lagrangian or Hamiltonian as LaTeX");
    verb->callback([common, latex, &exit_code] { exit_code = check_verb(*common, *latex); });
}

} // namespace app
