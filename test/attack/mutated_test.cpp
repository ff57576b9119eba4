// Models of the gallery with something wrong in them, tens of thousands: each is refused with a reason, fails with a
// reason, or gives finite numbers.
#include <rattleback/evidence.hpp>
#include <rattleback/output.hpp>
#include <rattleback/rattleback.hpp>

#include <cmath>
#include <cstring>

#include "attack/campaign.hpp"
#include "attack/mutation.hpp"
#include "code/backend.hpp"
#include "evidence/studies.hpp"
#include "expr/graph.hpp"
#include "expr/shown.hpp"
#include "model/scope.hpp"

namespace attack {
namespace {

using namespace rattleback;

// What a message must be: long enough to explain, short enough to be read, and harmless on a terminal.
std::string fault_of_message(const std::string& text) {
    if (text.size() < 15) return "a message without explanation: " + text;
    if (shown_message(text).size() > 4000) return "a message of " + std::to_string(text.size()) + " bytes";
    return "";
}

// The first line says what is done with it: `# USE METHOD`.
std::string mutated_model(long seed) {
    Mutation mutation(seed);
    const std::vector<GalleryItem>& all = gallery();
    const std::string& model = all[mutation.below(all.size())].text;
    const std::vector<const Scheme*> schemes = all_schemes();
    const char* const uses[] = {"check", "export", "brackets", "latex"}; // else it is run
    const std::size_t use = mutation.below(12);
    const std::string method = mutation.below(2) ? schemes[mutation.below(schemes.size())]->id : "";
    return std::string("# ") + (use < std::size(uses) ? uses[use] : "run") + " " + method + "\n" +
           mutation.of(model, all[mutation.below(all.size())].text);
}

enum Outcome { refused, unsuitable, failed, ran };

bool all_finite(const Run& run) {
    for (const Record::Column& column : run.record.columns())
        for (std::size_t k = 0; k < column.table->rows(); ++k)
            if (!std::isfinite(column[k])) return false;
    return true;
}

Outcome integrated(const Model& model, const std::string& method, long seed, std::string& violation) {
    RunOptions options{.method = method, .step = seed % 3 ? 0.01 : 0.3, .steps = 3};
    options.engine = RunOptions::Engine::interpreted, options.project = seed % 2;
    const Run tape = integrate(model, options);
    if (!all_finite(tape)) violation = "a result that is not finite";
    if (!tape.report().ok()) {
        const Report& report = tape.report();
        violation += fault_of_message(report.text());
        if (report.what.empty()) violation += "a failure that says nothing";
        return failed;
    }
    if (seed % 100 == 0 && code::backend()) { // a compilation takes longer than all the rest
        options.engine = RunOptions::Engine::compiled;
        const Run native = integrate(model, options);
        for (std::size_t i = 0; i < tape.record.layout().groups.size(); ++i) {
            const std::vector<double>&a = tape.record.table(i), &b = native.record.table(i);
            if (a.size() != b.size() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) != 0)
                violation = "machine code has other bits than the tape";
        }
    }
    return ran;
}

Outcome used(const Model& model, const std::string& line, long seed, std::string& violation) {
    const std::string use = line.substr(2, line.find(' ', 2) - 2), given = line.substr(3 + use.size());
    const std::string method = given.empty() ? model.run.method : given;
    if (use == "check") {
        const Inspection found = inspect(model);
        for (const auto& [name, words] : found.facts)
            if (!is_printable(name + words)) violation = "a fact that a terminal would obey: " + name;
        return ran;
    }
    if (use == "export") return export_c(compile(model, method), "step").source.empty() ? failed : ran;
    if (use == "brackets") return study_brackets(model).chain.empty() ? failed : ran;
    if (use == "latex") return to_latex(model.function).empty() ? failed : ran;
    return integrated(model, method, seed, violation);
}

Outcome judged(const std::string& text, long seed, std::string& violation) {
    std::optional<Model> model;
    try {
        model = read_model(text, "mutated.toml");
    } catch (const BadModel& e) {
        violation = fault_of_message(e.what());
        if (!std::string_view(e.what()).starts_with("mutated.toml")) violation = "a message that names no file";
        return refused;
    }
    try {
        if (model->graph->size() > 4000 || model->q.count() + model->z.count() > 60) return unsuitable; // takes seconds
        return used(*model, text.substr(0, text.find('\n')), seed, violation);
    } catch (const Error& e) {
        violation = fault_of_message(e.what());
        return unsuitable;
    }
}

TEST(Attack, MutatedModels) {
    // As for fuzzing: a larger model takes longer, and nothing else happens to it.
    model::reading_limits = {
        .members = 300, .unrolled = 2e4, .nodes = 50'000, .rebuilt = 20'000, .nesting = 300, .sums = 8};
    Campaign("mutated models", {"refused", "unsuitable", "failed with a reason", "computed"}, mutated_model, judged)
        .run(how_many(6'000, 60'000));
}

} // namespace
} // namespace attack
