// compare --principles: one model under d'Alembert's principle and under the variational one.
#include "common.hpp"
#include "page.hpp"

#include <algorithm>
#include <cstdio>

#include "evidence/studies.hpp"
#include "output/json.hpp"

namespace app {
namespace {

using namespace rattleback;

const char* in_words(PrinciplesStudy::Verdict v) {
    return v == PrinciplesStudy::coincide ? "coincide" : v == PrinciplesStudy::differ ? "differ" : "undecided";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Json as_json(const char* principle, const Run& run) {
    const Summary& s = run.summary();
    return Json()
        .add("principle", principle)
        .add("method", s.method)
        .add("q", s.end["q"])
        .add("v", s.end["v"])
        .add("lambda", s.end["lambda"])
        .add("energy_error_max", s.energy_error_max)
        .add("constraint_max", s.constraint_max.value_or(0))
        .add("status", run.report().ok() ? "finished" : run.report().text());
}

void print_json(const Model& model, const PrinciplesStudy& study) {
    Json differences, j;
    for (std::size_t i = 0; i < study.largest.size(); ++i)
        differences.add(study.variational.record.names("q")[i], study.largest[i]);
    const Summary& s = study.variational.summary();
    j.add("model", model.name).add("step", s.step).add("steps", s.steps);
    j.add("principles",
          std::vector<Json>{as_json("nonholonomic", study.nonholonomic), as_json("variational", study.variational)});
    j.add("verdict", in_words(study.verdict))
        .add("differences", differences)
        .add("numerical_error", study.numerical_error);
    if (study.part) j.add("part_at", *study.part);
    j.add("integrable", study.integrable).add("integrability", study.integrability);
    if (study.force_max)
        j.add("curvature_force_initial", *study.force_start).add("curvature_force_max", *study.force_max);
    std::printf("%s\n", j.text().c_str());
}

std::string where(const PrinciplesStudy& s) {
    const std::string largest = short_number(*std::max_element(s.largest.begin(), s.largest.end())),
                      errors = short_number(s.numerical_error);
    if (s.verdict == PrinciplesStudy::coincide)
        return "They coincide: the largest difference, " + largest + ", is what the methods' own errors allow (" +
               errors + ").\n";
    if (s.verdict == PrinciplesStudy::undecided)
        return "Not decided: the methods' own errors, " + errors + ", hide the difference, " + largest +
               "; try a smaller step or a shorter time.\n";
    return "They differ" + (s.part ? ", by 1e-6 from t = " + short_number(*s.part) + " on" : std::string()) +
           "; the methods' own errors are " + errors + ".\n";
}

std::string why(const PrinciplesStudy& s) {
    const std::string text = "The constraints: " + s.integrability + ".\n";
    if (!s.force_max)
        return text +
               "Where velocities enter nonlinearly the two principles are different theories, whatever one motion "
               "shows.\n";
    const std::string size =
        short_number(*s.force_start) + " at the start, at most " + short_number(*s.force_max) + " on the way";
    const std::string term = "lambda . (d/dt phi_v - phi_q)";
    if (s.integrable)
        return text + "Where constraints are integrable both principles say the same: " + term +
               " has no part along directions that they allow (" + size + ").\n";
    return text + "Inside the action the multipliers act through " + term +
           ", a force along allowed directions: " + size + ". " +
           (s.verdict == PrinciplesStudy::coincide
                ? "It does not act on this motion: another start or another lambda will part them.\n"
                : "D'Alembert's principle has no such force.\n");
}

} // namespace

int compare_principles_verb(const Common& common) {
    std::vector<std::string> names;
    for (std::size_t from = 0; from <= common.principles.size();) {
        const std::size_t comma = std::min(common.principles.find(',', from), common.principles.size());
        names.push_back(common.principles.substr(from, comma - from));
        from = comma + 1;
    }
    std::sort(names.begin(), names.end());
    if (names != std::vector<std::string>{"nonholonomic", "variational"})
        throw BadCommand("--principles " + common.principles + ": write --principles nonholonomic,variational");
    Files files = common.files();
    const Model model = common.load();
    files.reads_method(model.run.method);
    RunOptions options = common.run_options();
    check_report(common.report);
    Progress progress(common.quiet, "both principles");
    progress.tell(options.progress);
    const PrinciplesStudy study = compare_principles(model, options);
    progress.erase();
    if (!common.report.empty()) {
        ReportPage page = page_of("compare", model.name + ": two principles compared");
        page.model = &model, page.note = where(study) + why(study);
        for (const Run* run : {&study.nonholonomic, &study.variational}) {
            page.runs.push_back(report_run(*run));
            page.runs.back().method =
                (run == &study.variational ? "variational, " : "nonholonomic, ") + run->summary().method;
        }
        write_report(common.report, page);
    }
    if (common.json) {
        print_json(model, study);
    } else {
        const Summary& s = study.variational.summary();
        std::printf("%s: %lld steps of %s, from the same positions and velocities\n", name_of(model).c_str(), s.steps,
                    real::to_text(s.step).c_str());
        std::vector<std::vector<std::string>> rows{{"principle", "method", "energy error", "constraint", "status"}};
        for (const Run* run : {&study.nonholonomic, &study.variational})
            rows.push_back({run == &study.variational ? "variational" : "nonholonomic", run->summary().method,
                            short_number(run->summary().energy_error_max),
                            short_number(run->summary().constraint_max.value_or(0)),
                            run->report().ok() ? "finished" : first_line(run->report().text())});
        std::fputs(aligned(rows).c_str(), stdout);
        rows = {{"coordinate", "largest difference", "at t"}};
        for (std::size_t i = 0; i < study.largest.size(); ++i)
            rows.push_back(
                {study.variational.record.names("q")[i], short_number(study.largest[i]), short_number(study.at[i])});
        std::fputs(aligned(rows).c_str(), stdout);
        std::fputs((where(study) + why(study)).c_str(), stdout);
    }
    return study.nonholonomic.report().ok() && study.variational.report().ok() ? done : failed;
}

} // namespace app
