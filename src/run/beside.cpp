#include "run/beside.hpp"

#include "model/copy.hpp"

namespace rattleback {
namespace {

using Given = code::BesideLayout::Given;

code::BesideLayout layout_of(const Model& model, std::shared_ptr<const CompiledSystem> system) {
    code::BesideLayout layout{std::move(system), {}};
    const auto add = [&](Given::From from, std::size_t count, const char* name = "") {
        for (std::size_t i = 0; i < count; ++i) layout.given.push_back({from, i, name});
    };
    std::vector<double> centre;
    if (model.kind == Model::general) {
        add(Given::field, static_cast<std::size_t>(model.z.count()), "z");
    } else {
        std::vector<double> places(static_cast<std::size_t>(shown_positions(model).count())), q; // counted from 1
        for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<double>(i + 1);
        std::tie(q, centre) = from_shown(model, places); // which are 0 in charts
        for (double place : q)
            layout.given.push_back({place == 0 ? Given::zero : Given::field, static_cast<std::size_t>(place), "q"});
        add(Given::field, static_cast<std::size_t>(model.v.count()), "v");
        add(Given::field, static_cast<std::size_t>(model.p.count()), "p");
        if (model.variational && !model.velocity.empty())
            add(Given::field, static_cast<std::size_t>(model.velocity.count()), "lambda");
    }
    add(Given::time, 1);
    for (double place : centre) layout.given.push_back({Given::field, static_cast<std::size_t>(place), "q"});
    add(Given::parameter, model.parameters.size());
    for (Given& g : layout.given)
        if (g.from == Given::field && g.name == "q") --g.place;
    return layout;
}

std::vector<double> NodeValues<double>::*field(const std::string& name) {
    using Values = NodeValues<double>;
    return name == "z"   ? &Values::z
           : name == "q" ? &Values::q
           : name == "v" ? &Values::v
           : name == "p" ? &Values::p
                         : &Values::lambda;
}

} // namespace

BesideNode::BesideNode(const Model& model, std::shared_ptr<const CompiledSystem> system)
    : layout_(std::make_shared<const code::BesideLayout>(layout_of(model, std::move(system)))),
      solver_(layout_->system) {
    for (const Given& g : layout_->given) fields_.push_back(field(g.name));
    for (const Parameter& p : model.parameters) parameters_.push_back(static_cast<double>(p.value));
}

bool BesideNode::read(const NodeValues<double>& node, double t, std::vector<double>& results) {
    double* const given = solver_.given();
    for (std::size_t i = 0; i < layout_->given.size(); ++i) {
        const Given& g = layout_->given[i];
        given[i] = g.from == Given::field       ? (node.*fields_[i])[g.place]
                   : g.from == Given::parameter ? parameters_[g.place]
                   : g.from == Given::time      ? t
                                                : 0;
    }
    results.resize(solver_.result_count());
    if (code_ && code_->solve(given, results.data())) return true;
    Report ignored;
    if (!solver_.solve(ignored)) return false;
    solver_.results(0, results.size(), results.data());
    return true;
}

void BesideNode::use(const StepCodeResult& made) {
    if (made.code) code_ = made.code;
    if (made.sections) solver_.use(made.sections);
}

} // namespace rattleback
