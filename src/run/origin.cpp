#include <algorithm>
#include <cmath>

#include "expr/shown.hpp"
#include "model/copy.hpp"
#include "run/columns.hpp"

namespace rattleback {
namespace {

std::vector<double> doubles(const std::vector<quad>& values) {
    std::vector<double> all;
    for (const quad& x : values) all.push_back(static_cast<double>(x));
    return all;
}
std::vector<quad> quads(const std::vector<double>& values) { return {values.begin(), values.end()}; }

} // namespace

Origin origin_of(const Model& model) {
    Origin o;
    o.model = shown(model.name), o.reference = shown(model.reference), o.model_file = shown(model.file);
    o.model_text = model.text;
    o.version = RATTLEBACK_VERSION, o.t0 = static_cast<double>(model.t0);
    for (const Parameter& p : model.parameters) o.parameters.emplace_back(p.name, static_cast<double>(p.value));
    o.start.q = doubles(model.q0), o.start.v = doubles(model.v0), o.start.z = doubles(model.z0);
    if (model.v0.empty()) o.start.p = doubles(model.p0);
    o.start.lambda = doubles(model.lambda0), o.start.centre = doubles(model.centre0);
    for (std::size_t i = 0; i < model.z_given.size(); ++i)
        if (!model.z_given[i]) o.start.z[i] = NAN;
    return o;
}

// Only what differs from the file is set: the file's own numbers have more digits than a double.
Model model_of(const Origin& origin, const LoadOptions::Pairs& set) {
    LoadOptions options;
    const Origin file = origin_of(read_model(origin.model_text, origin.model_file));
    for (const auto& stored : origin.parameters)
        if (std::find(file.parameters.begin(), file.parameters.end(), stored) == file.parameters.end())
            options.set.emplace_back(stored.first, real::to_text(stored.second));
    options.set.insert(options.set.end(), set.begin(), set.end());
    Model model = read_model(origin.model_text, origin.model_file, options);
    const auto& [q, v, p, z, lambda, centre] = origin.start;
    const std::size_t count = model.q0.size();
    const auto fits = [count](const std::vector<double>& x) { return x.empty() || x.size() == count; };
    if (q.size() != count || !fits(v) || !fits(p) || std::max(v.size(), p.size()) != count ||
        z.size() != model.z0.size() || centre.size() != model.centre0.size())
        throw BadRun(origin.model_file + ": the start that is stored does not fit the model");
    if (!model.typical_start) model.typical_start = start_of(model);
    model.t0 = origin.t0, model.q0 = quads(q), model.v0 = quads(v), model.p0 = quads(p), model.lambda0 = quads(lambda);
    model.centre0 = quads(centre);
    for (std::size_t i = 0; i < z.size(); ++i) {
        model.z_given[i] = std::isnan(z[i]) ? std::nullopt : std::optional<quad>(z[i]);
        model.z0[i] = model.z_given[i].value_or(0);
    }
    return model;
}

} // namespace rattleback
