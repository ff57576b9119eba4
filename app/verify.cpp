// verify: every claim of a method, measured on a model; a certificate of it, and the certificate measured again.
#include "common.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

#include <nettle/sha2.h>

#include "page.hpp"
#include "signals.hpp"

#include "boundary/verify_path.hpp"
#include "evidence/legendre.hpp"
#include "expr/shown.hpp"
#include "output/json.hpp"
#include "output/output_file.hpp"

namespace app {
namespace {

using namespace rattleback;

// What a model file does not say: how it was changed on the command line.
const std::vector<std::pair<const char*, std::vector<std::string> Common::*>> changes = {
    {"set", &Common::set}, {"q", &Common::q}, {"v", &Common::v}, {"p", &Common::p}, {"z", &Common::z}};

constexpr std::size_t largest_certificate = std::size_t(16) << 20; // a thousand times those of the gallery
constexpr const char* largest_in_words = "16 MiB";

// 64 hexadecimal digits, to tell whether a model is the one a certificate speaks of.
std::string sha256(const std::string& text) {
    sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
    sha256_digest(&context, digest.size(), digest.data());
    std::string hex;
    for (std::uint8_t byte : digest) hex += "0123456789abcdef"[byte >> 4], hex += "0123456789abcdef"[byte & 15];
    return hex;
}

MethodName one_method(const Common& common, const Model& model) {
    const std::string text = common.method.empty() ? model.run.method : common.method;
    if (text.empty()) throw BadCommand("no method is given: use -m METHOD");
    const std::vector<MethodName> names = parse_methods(text);
    if (names.size() != 1) throw BadCommand("verify takes one method");
    return names[0];
}

Json as_json(const MeasuredClaim& c) {
    Json j;
    j.add("name", c.name).add("claimed", c.claimed).add("condition", c.condition);
    j.add("measured", c.measured.value_or(NAN)); // null where nothing was measured
    if (c.in_quad) j.add("in_quad", *c.in_quad);
    return j.add("verdict", std::string(to_text(c.verdict))).add("remark", c.remark);
}

std::string certificate_of(const Verification& result, const Common& common, const Model& model) {
    Json settings;
    settings.add("method", result.method).add("step", result.step).add("steps", result.steps);
    for (const auto& [name, list] : changes) settings.add(name, common.*list);
    settings.add("lambda", common.lambda).add("project", common.project ? 1 : 0).add("force", common.force);
    std::vector<Json> claims;
    for (const MeasuredClaim& c : result.claims) claims.push_back(as_json(c));
    Json j;
    j.add("certificate", 1).add("program", "rattleback").add("version", RATTLEBACK_VERSION);
    j.add("model", model.name).add("method", result.method).add("step", result.step);
    j.add("model_file", model.file).add("model_sha256", sha256(model.text)).add("model_text", model.text);
    j.add("settings", settings).add("claims", claims);
    j.add(
        "orders",
        Json().add("steps", result.order.steps).add("errors", result.order.errors).add("orders", result.order.orders));
    if (result.drift)
        j.add("energy", Json()
                            .add("first_half", result.drift->first)
                            .add("second_half", result.drift->second)
                            .add("slope", result.drift->slope)
                            .add("slope_confidence", result.drift->confidence));
    return j.add("holds", result.holds() ? "yes" : "no").text();
}

constexpr std::size_t widest_terminal = 160; // columns, below which a table of claims has to be broken

std::string number_or_dash(const std::optional<double>& x) { return x ? short_number(*x) : "-"; }

void print_table(const Verification& result, const Model& model) {
    std::printf("%s on %s, step %s\n", shown(result.method).c_str(), name_of(model).c_str(),
                real::to_text(result.step).c_str());
    // On a terminal conditions and remarks stand below: in columns of their own they would be a few letters wide.
    const bool narrow = width_of(stdout) < widest_terminal;
    Rows rows{{"claim", "claimed", "measured", "in quad", "verdict"}}, remarks;
    if (!narrow) rows[0].emplace_back("remark");
    for (const MeasuredClaim& c : result.claims) {
        const std::string condition = c.condition.empty() ? "" : "if " + c.condition;
        const std::string claimed = c.claimed + (condition.empty() ? "" : narrow ? ", if" : ", " + condition);
        rows.push_back(
            {c.name, claimed, number_or_dash(c.measured), number_or_dash(c.in_quad), std::string(to_text(c.verdict))});
        if (!narrow) rows.back().push_back(c.remark);
        const std::string words = condition + (condition.empty() || c.remark.empty() ? "" : "; ") + c.remark;
        if (!words.empty()) remarks.push_back({c.name, words});
    }
    std::fputs(aligned(rows).c_str(), stdout);
    if (narrow && !remarks.empty()) std::printf("\n%s", aligned(remarks).c_str());
}

// The table, and a run of the model with the method beside it.
void report_verification(const Common& common, const Model& model, const Verification& result) {
    ReportPage page = page_of("verify", model.name + ": " + result.method + ", verified");
    page.model = &model;
    page.note =
        result.holds() ? "Every claim that applies holds on this model." : "A claim does not hold on this model.";
    ReportTable table{"Claims", {"claim", "claimed", "condition", "measured", "in quad", "verdict", "remark"}, {}};
    for (const MeasuredClaim& c : result.claims)
        table.rows.push_back({c.name, c.claimed, c.condition, number_or_dash(c.measured), number_or_dash(c.in_quad),
                              std::string(to_text(c.verdict)), c.remark});
    page.tables.push_back(std::move(table));
    RunOptions options = common.run_options();
    options.method = result.method, options.step = result.step, options.steps = {}, options.until = model.run.until;
    if (!options.until) options.steps = model.run.steps.value_or(1000);
    page.runs.push_back(report_run(integrate(model, options)));
    write_report(common.report, page);
}

// Also of paths, where the model has two ends. A model without [initial] begins as its best path does.
Verification measured(Model& model, const MethodName& name, const VerifyOptions& options) {
    std::vector<MeasuredClaim> of_paths;
    if (boundary::has_paths(model)) {
        boundary::PathVerification paths;
        try {
            paths = boundary::verify_path(model, name.text, interrupt_flag());
        } catch (const Unsuitable&) { // a method that carries something else than (q, p)
            if (!model.has_start) throw;
            return verify(model, name, options);
        }
        model = std::move(paths.model), of_paths = std::move(paths.claims);
    }
    if (!model.has_start) {
        build_method(model, name); // may say more: that inputs are bounded
        throw BadCommand("the model has no [initial], from which a claim could be measured");
    }
    Verification result = verify(model, name, options);
    if (model.control && of_paths.empty()) {
        RunOptions run{.method = name.text, .step = result.step, .until = model.run.until};
        if (!run.until) run.steps = model.run.steps.value_or(100);
        of_paths.push_back(legendre_claim(model, integrate(model, run)));
    }
    result.claims.insert(result.claims.end(), of_paths.begin(), of_paths.end());
    return result;
}

int verify_model(const Common& common) {
    Files files = common.files();
    Model model = common.load();
    choose_method(model, common);
    choose_step(model, common);
    files.reads_method(model.run.method);
    check_report(common.report);
    if (common.until) throw BadCommand("verify takes --steps of the long run, not --until");
    VerifyOptions options{.step = common.step, .steps = common.steps};
    Progress progress(common.quiet, "measuring the claims of " + one_method(common, model).text);
    progress.tell(options.progress);
    const Verification result = measured(model, one_method(common, model), options);
    progress.erase();
    const std::string certificate = certificate_of(result, common, model);
    if (certificate.size() > largest_certificate)
        warn(std::string("the certificate cannot be read again: ") + largest_in_words + " are the most");
    if (common.output == "-" || common.json)
        std::printf("%s\n", certificate.c_str());
    else if (!common.quiet)
        print_table(result, model);
    if (!common.output.empty() && common.output != "-") OutputFile(common.output).write_whole(certificate + "\n");
    if (!common.report.empty()) report_verification(common, model, result);
    if (result.holds()) return done;
    complain("a claim of " + result.method + " fails on " + (model.name.empty() ? "this model" : model.name));
    return failed;
}

// --- a certificate, measured again
// ------------------------------------------------------------------------------------

Json read_certificate(const std::string& file) {
    std::ifstream from(file, std::ios::binary);
    if (!from) throw BadCommand("cannot read " + file + ": " + std::strerror(errno));
    std::string text(largest_certificate + 1, '\0'); // a pipe or a device need not end
    from.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(from.gcount()));
    if (text.size() > largest_certificate)
        throw BadCommand(file + " is no certificate: one has at most " + largest_in_words);
    try {
        Json value = Json::read(text);
        if (value["certificate"].number() != 1) throw BadJson("it is of a newer form");
        return value;
    } catch (const BadJson& e) { throw BadCommand(file + " is no certificate: " + e.what()); }
}

Common settings_of(const Json& certificate) {
    const Json from = certificate["settings"];
    Common common;
    common.quiet = true;
    common.method = from["method"].string(), common.step = from["step"].number();
    common.steps = static_cast<long long>(from["steps"].number());
    for (const auto& [name, list] : changes)
        for (const Json& text : from[name].items()) (common.*list).push_back(text.string());
    common.lambda = from["lambda"].string(), common.force = from["force"].string();
    common.project = from["project"].number() != 0;
    return common;
}

// The bits agree on one machine. Elsewhere round-off differs, and what is nothing but round-off may be any such number.
bool agree(const Json& stored, const MeasuredClaim& now) {
    const std::optional<double> was = stored["measured"].number_if_any();
    if (stored["verdict"].string() != to_text(now.verdict) || stored["claimed"].string() != now.claimed) return false;
    if (was.has_value() != now.measured.has_value()) return false;
    if (!was) return true;
    constexpr double round_off = 1e-9;
    const double a = *was, b = *now.measured;
    return std::abs(a - b) <= 0.05 * std::max(std::abs(a), std::abs(b)) ||
           std::max(std::abs(a), std::abs(b)) < round_off;
}

int verify_again(const std::string& file, bool json, bool quiet) {
    const Json certificate = read_certificate(file);
    std::vector<std::vector<std::string>> rows{{"claim", "verdict", "certified", "measured now", ""}};
    std::vector<Json> list;
    bool same = true;
    std::string method, model_name;
    try {
        const std::string text = certificate["model_text"].string();
        if (sha256(text) != certificate["model_sha256"].string()) {
            complain(file + ": the model in it was changed after it was certified");
            return failed;
        }
        const Common common = settings_of(certificate);
        Model model = common.load_text(text, certificate["model_file"].string());
        VerifyOptions options{.step = common.step, .steps = common.steps};
        Progress progress(quiet, "measuring the claims of " + one_method(common, model).text);
        progress.tell(options.progress);
        const Verification now = measured(model, one_method(common, model), options);
        progress.erase();
        method = now.method, model_name = model.name;
        const std::vector<Json> stored = certificate["claims"].items();
        same = stored.size() == now.claims.size();
        for (std::size_t i = 0; i < now.claims.size(); ++i) {
            const MeasuredClaim& c = now.claims[i];
            const auto was =
                std::find_if(stored.begin(), stored.end(), [&](const Json& s) { return s["name"].string() == c.name; });
            const bool agrees = was != stored.end() && agree(*was, c);
            const double value = was != stored.end() ? (*was)["measured"].number_if_any().value_or(NAN) : NAN;
            same = same && agrees;
            rows.push_back({c.name, std::string(to_text(c.verdict)), std::isnan(value) ? "-" : short_number(value),
                            number_or_dash(c.measured), agrees ? "agrees" : "DIFFERS"});
            list.push_back(Json()
                               .add("name", c.name)
                               .add("verdict", std::string(to_text(c.verdict)))
                               .add("certified", value)
                               .add("measured", c.measured.value_or(NAN))
                               .add("agrees", agrees ? "yes" : "no"));
        }
    } catch (const BadJson& e) { throw BadCommand(file + " is no certificate: " + e.what()); }
    if (json) {
        std::printf("%s\n", Json()
                                .add("model", model_name)
                                .add("method", method)
                                .add("version_certified", certificate["version"].string())
                                .add("version", RATTLEBACK_VERSION)
                                .add("claims", list)
                                .add("agrees", same ? "yes" : "no")
                                .text()
                                .c_str());
    } else if (!quiet) {
        std::printf("%s\n", shown(file + ": " + method + " on " + model_name + ", certified by version " +
                                  certificate["version"].string())
                                .c_str());
        std::fputs(aligned(rows).c_str(), stdout);
    }
    if (!same) complain(file + " does not hold");
    return same ? done : failed;
}

} // namespace

Verb make_verify() {
    auto common = std::make_shared<Common>();
    auto certificate = std::make_shared<std::string>();
    std::vector<Option> options =
        model_options(*common, true,
                      {{"-o,--output", &common->output, "write the certificate: FILE.json, or - for standard output"},
                       report_option(common->report),
                       {"--certificate", certificate.get(), "measure again what this file certifies, and compare"}});
    options[0].required = false; // a certificate has its model inside
    return {"verify", "measure every claim of a method on a model", options, [common, certificate] {
                if (certificate->empty() && common->model.empty())
                    throw BadCommand("verify needs a model, or --certificate FILE");
                if (!certificate->empty() && !common->model.empty())
                    throw BadCommand("--certificate has its model inside; leave out " + common->model);
                return certificate->empty() ? verify_model(*common)
                                            : verify_again(*certificate, common->json, common->quiet);
            }};
}

} // namespace app
