// What is taken where nothing was said: the file or the model of the gallery that a word means, a method, a step, an
// end.
#include "common.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "expr/nearest.hpp"
#include "run/choice.hpp"

namespace app {
namespace {

using namespace rattleback;

bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

const GalleryItem* in_gallery(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return &item;
    return nullptr;
}

constexpr std::string_view suffix = ".toml";
constexpr long long default_steps = 1000;
constexpr double steps_of_a_span = 20; // at least: fewer show nothing of a motion

std::string joined(const std::vector<std::string>& names, std::size_t from, std::size_t to) {
    std::string all;
    for (std::size_t i = from; i < std::min(to, names.size()); ++i) all += (all.empty() ? "" : ", ") + names[i];
    return all;
}

// The time a run shall take, where that is known.
std::optional<double> span_of(const Model& model, const Common& c) {
    const auto until = c.until ? c.until : c.steps ? std::nullopt : model.run.until;
    if (!until) return {};
    return *until - static_cast<double>(model.t0);
}

void choose_step(Model& model, const std::string& method, const Common& c) {
    const std::optional<double> span = span_of(model, c);
    const std::optional<Model> independent = with_independent_constraints(model, false);
    const double longest = span && *span != 0 && std::isfinite(*span) ? *span / steps_of_a_span : 1.0;
    const ChosenStep chosen = recommended_step(independent ? *independent : model, method, longest);
    model.run.step = chosen.step;
    if (c.quiet || std::isnan(chosen.difference)) return; // the run says why
    note("no step is given: " + short_number(chosen.step) + " is taken, for which a step and two of half its size " +
         (chosen.difference <= resolved_to ? "agree to " + short_number(chosen.difference)
                                           : std::string("still differ")) +
         (chosen.beside ? " beside the start, where nothing moves" : " at the start") + "; --step gives another");
}

} // namespace

ModelSource find_model(const std::string& word) {
    if (exists(word)) return {word, nullptr, {}};
    const std::string bare = word.ends_with(suffix) ? word.substr(0, word.size() - suffix.size()) : word;
    const std::string file = bare + std::string(suffix);
    const GalleryItem* item = in_gallery(bare);
    if (item && bare != word) return {word, item, "there is no file " + word + ": the gallery's " + bare + " is taken"};
    if (item && exists(file)) return {file, nullptr, file + " of this folder is taken, not the gallery's " + bare};
    if (item) return {word, item, {}};
    if (bare == word && exists(file)) return {file, nullptr, {}};
    return {word, nullptr, {}};
}

std::string unknown_model(const std::string& word) {
    std::vector<std::string> names;
    for (const GalleryItem& item : gallery()) names.push_back(item.name);
    const std::string bare = word.ends_with(suffix) ? word.substr(0, word.size() - suffix.size()) : word;
    const std::string near = nearest(std::filesystem::path(bare).filename().string(), names);
    return "there is neither a file nor a model of the gallery '" + word + "'; " +
           (near.empty() ? "'rattleback gallery' lists the models, 'rattleback new FILE.toml' writes one to begin with"
                         : "did you mean '" + near + "'?");
}

std::vector<std::string> default_methods(const Model& model, const Common& c) {
    const std::vector<std::string> all = recommended_methods(model);
    if (all.empty())
        throw BadCommand("no method is given, and none of the usual ones fits; 'rattleback check " + c.model +
                         " --all' tells why");
    return all;
}

void choose_method(Model& model, const Common& c) {
    if (!model.has_start || !c.method.empty() || !model.run.method.empty()) return;
    const std::vector<std::string> all = default_methods(model, c);
    model.run.method = all[0];
    const std::string others = joined(all, 1, all.size());
    if (!c.quiet)
        note("no method is given: " + all[0] + " is taken" + (others.empty() ? "" : "; -m gives another: " + others) +
             " ('rattleback check " + c.model + "' tells what they keep)");
}

void choose_step(Model& model, const Common& c) {
    if (!model.has_start || c.step || model.run.step) return;
    const std::string methods = c.method.empty() ? model.run.method : c.method;
    choose_step(model, parse_methods(methods).at(0).text, c);
}

void choose_defaults(Model& model, const Common& c) {
    if (c.accuracy) return; // method and step are chosen for it, and an end must be there
    choose_method(model, c);
    if (!model.has_start) return;
    choose_step(model, c);
    if (c.at.empty() && !c.until && !c.steps && !model.run.until && !model.run.steps) {
        model.run.steps = default_steps;
        if (!c.quiet) note("no end is given: " + std::to_string(default_steps) + " steps; --until gives another");
    }
}

} // namespace app
