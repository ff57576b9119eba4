#include "common.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <unordered_map>

namespace app {
namespace {

using namespace rattleback;

// A formula shares its parts; written out it may be longer than any file.
void require_short(const Expr& e) {
    if (!e.graph()) return;
    const Graph& g = *e.graph();
    std::unordered_map<NodeId, double> length; // of each part, written out
    for (NodeId id : reachable(g, std::array{e.id()})) {
        double total = 1;
        g.for_children(id, [&](NodeId child) { total += length.at(child); });
        length[id] = total;
    }
    if (length.at(e.id()) > 1e6)
        throw BadCommand("the formula has more than 1,000,000 parts when it is written out; it is not printed");
}

// The equations of one step of a method on this model, as they were derived.
void print_equations(const Model& model, const std::string& name, bool latex) {
    const Step step = build_method(model, parse_methods(name).at(0)).step;
    const auto text = [&](const Expr& e) {
        require_short(e);
        return latex ? to_latex(e) : to_text(e);
    };
    const auto each = [](const Component& c) {
        return c.family ? "  for k = " + std::to_string(c.lo) + ".." + std::to_string(c.hi) : std::string();
    };
    for (const Equation& e : step.equations)
        for (std::size_t i = 0; i < e.lhs.size(); ++i)
            std::printf("%s = %s%s\n", text(e.lhs[i].value).c_str(), text(e.rhs[i].value).c_str(),
                        each(e.lhs[i]).c_str());
    for (std::size_t i = 0; i < step.state.size(); ++i)
        std::printf("%s %s %s%s\n", text(step.state[i].value).c_str(),
                    latex ? "\\mathrel{+}=" : "+=", text(step.increment[i].value).c_str(), each(step.state[i]).c_str());
}

// Facts of the same name in one: an object has a key once.
std::vector<std::pair<std::string, std::string>> joined(const std::vector<std::pair<std::string, std::string>>& facts) {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto& [name, words] : facts) {
        const auto same =
            std::find_if(result.begin(), result.end(), [&key = name](const auto& r) { return r.first == key; });
        if (same == result.end())
            result.emplace_back(name, words);
        else
            same->second += "; " + words;
    }
    return result;
}

int check_verb(const Common& common, bool equations, bool latex) {
    const Model model = common.load();
    if (equations) {
        const std::string method = common.method.empty() ? model.run.method : common.method;
        if (method.empty()) throw BadCommand("--equations needs a method: -m METHOD");
        print_equations(model, method, latex);
        return done;
    }
    if (latex) {
        require_short(model.function);
        std::printf("%s\n", to_latex(model.function).c_str());
        return done;
    }
    const Inspection found = inspect(model);
    if (common.json) {
        Json facts, methods, preserves;
        for (const auto& [id, words] : found.preserves) preserves.add(id, words);
        for (const auto& [name, words] : joined(found.facts)) facts.add(name, words);
        for (const auto& [id, why] : found.methods) methods.add(id, why.empty() ? "fits" : why);
        Json all;
        all.add("model", model.name).add("facts", facts).add("methods", methods).add("preserves", preserves);
        std::printf("%s\n", all.text().c_str());
        return done;
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, words] : found.facts) rows.push_back({name, words});
    std::string fitting;
    for (const auto& [id, why] : found.methods)
        if (why.empty()) fitting += (fitting.empty() ? "" : ", ") + id;
    if (!found.methods.empty()) rows.push_back({"methods", fitting.empty() ? "none of this version" : fitting});
    std::fputs(aligned(rows).c_str(), stdout);
    for (const auto& [id, words] : found.preserves)
        if (!common.quiet) std::printf("  %s: %s\n", id.c_str(), words.c_str());
    for (const auto& [id, why] : found.methods)
        if (!why.empty() && !common.quiet) std::printf("  not %s: %s\n", id.c_str(), why.c_str());
    for (const std::string& w : found.warnings) std::fprintf(stderr, "rattleback: warning: %s\n", w.c_str());
    return done;
}

} // namespace

void add_check(CLI::App& program, int& exit_code) {
    auto common = std::make_shared<Common>();
    struct Flags {
        bool equations = false, latex = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* verb = program.add_subcommand("check", "what a model is, and which methods fit");
    add_model_options(*verb, *common, false);
    verb->add_option("-m,--method", common->method, "for --equations: the method");
    verb->add_flag("--equations", flags->equations, "print the equations of one step, as derived");
    verb->add_flag("--latex", flags->latex, "print the Lagrangian or Hamiltonian, or the equations, as LaTeX");
    verb->callback([common, flags, &exit_code] { exit_code = check_verb(*common, flags->equations, flags->latex); });
}

} // namespace app
