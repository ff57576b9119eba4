// `order`: the observed order of a method by halved steps.
#include "common.hpp"

#include <cmath>
#include <cstdio>
#include <memory>

#include "expr/shown.hpp"
#include "output/json.hpp"

namespace app {
namespace {

using namespace rattleback;

int order_verb(const Common& common) {
    Model loaded = common.load();
    choose_method(loaded, common);
    choose_step(loaded, common);
    const std::optional<Model> independent = with_independent_constraints(loaded);
    const Model& model = independent ? *independent : loaded;
    const std::string name = common.method.empty() ? model.run.method : common.method;
    if (name.empty()) throw BadCommand("no method is given: use -m METHOD");
    const std::vector<MethodName> names = parse_methods(name);
    if (names.size() != 1) throw BadCommand("order takes one method");
    const Method method = build_method(model, names[0]);
    if (method.controls_step)
        throw BadCommand("method '" + names[0].text + "' controls its step; it has no order in --step");
    OrderOptions options;
    const double h = common.step.value_or(model.run.step.value_or(0.1));
    // A time of some steps: long enough to mean something, short enough not to amplify errors beyond order.
    options.until = common.until   ? *common.until - static_cast<double>(model.t0)
                    : common.steps ? h * static_cast<double>(*common.steps)
                                   : 16 * h;
    if (options.until == 0 || !std::isfinite(options.until)) throw BadCommand("--until must differ from the start");
    options.coarsest = std::max(1, static_cast<int>(std::lround(std::min(64.0, std::abs(options.until / h) / 4))));
    OrderStudy study;
    Progress progress(common.quiet, "halving steps of " + names[0].text);
    progress.tell(options.progress);
    try {
        study = observed_order(compile(model, method), options);
    } catch (const BadRun& e) {
        progress.erase();
        complain(e.what());
        return failed;
    }
    progress.erase();
    if (common.json) {
        Json j;
        j.add("model", model.name).add("method", names[0].text).add("until", study.until).add("steps", study.steps);
        j.add("errors", study.errors)
            .add("orders", study.orders)
            .add("order", study.order)
            .add("claimed", method.order);
        std::printf("%s\n", j.text().c_str());
        return study.orders.empty() ? failed : done;
    }
    std::vector<std::vector<std::string>> rows{{"step", "error", "order"}};
    for (std::size_t i = 0; i < study.errors.size(); ++i)
        rows.push_back(
            {state_number(study.steps[i]), short_number(study.errors[i]), i ? short_number(study.orders[i - 1]) : ""});
    std::fputs(aligned(rows).c_str(), stdout);
    print_text(shown(names[0].text) + " on " + name_of(model) + ": observed order " + short_number(study.order) +
               " (the method's order is " + std::to_string(method.order) + "), error in (q, v) after a time of " +
               state_number(study.until));
    if (!study.note.empty()) print_text(study.note);
    return study.orders.empty() ? failed : done;
}

} // namespace

Verb make_order() {
    auto common = std::make_shared<Common>();
    return {"order", "observed order of a method on a model, by halving steps", model_options(*common, true),
            [common] { return order_verb(*common); }};
}

} // namespace app
