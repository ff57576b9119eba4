#include "output/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/copy.hpp"

namespace rattleback {
namespace {

// Of all runs of a page, beside series and paths (report.cpp).
constexpr std::size_t view_numbers = 220'000;
constexpr std::size_t least_frames = 60, most_frames = 6000;
constexpr std::size_t longest_words = 24;    // of a formula at an axis
constexpr std::size_t most_of_frame = 7'200; // numbers, of all runs: what least_frames of them take

std::string base64(const void* data, std::size_t bytes) {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto* at = static_cast<const unsigned char*>(data);
    std::string text;
    text.reserve(bytes * 4 / 3 + 4);
    for (std::size_t i = 0; i < bytes; i += 3) {
        const auto byte = [&](std::size_t k) { return k < bytes ? static_cast<unsigned>(at[k]) : 0u; };
        const unsigned three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        text += digits[three >> 18], text += digits[three >> 12 & 63];
        text += i + 1 < bytes ? digits[three >> 6 & 63] : '=';
        text += i + 2 < bytes ? digits[three & 63] : '=';
    }
    return text;
}
// Every `every`-th member of each family that is larger.
View thinned(View view, std::size_t most) {
    const auto numbers_of = [](const ViewShape& s) {
        std::size_t sum = 0;
        for (const ViewShape::Part& p : s.parts) sum += static_cast<std::size_t>(p.width);
        return sum;
    };
    const auto drawn = [&](std::size_t every) {
        std::size_t sum = 0;
        for (const ViewShape& s : view.shapes)
            sum += numbers_of(s) * ((static_cast<std::size_t>(s.members) - 1) / every + 1);
        return sum;
    };
    std::size_t every = 1, largest = 1;
    for (const ViewShape& s : view.shapes) largest = std::max(largest, static_cast<std::size_t>(s.members));
    while (drawn(every) > most && every < largest) ++every;
    for (ViewShape& s : view.shapes) {
        const auto members = (static_cast<std::size_t>(s.members) - 1) / every + 1;
        for (ViewShape::Part& p : s.parts) {
            const auto width = static_cast<std::size_t>(p.width);
            std::vector<Expr> kept;
            for (std::size_t m = 0; m < members; ++m)
                for (std::size_t k = 0; k < width; ++k) kept.push_back(p.formulas[m * every * width + k]);
            p.formulas = std::move(kept);
        }
        if (members < static_cast<std::size_t>(s.members)) s.every *= static_cast<int>(every);
        s.members = static_cast<int>(members);
    }
    return view;
}

std::vector<std::string> words_of(const std::vector<Expr>& formulas) {
    std::vector<std::string> words;
    for (const Expr& e : formulas) words.push_back(to_text(e, longest_words));
    return words;
}

} // namespace

std::string singles(const std::vector<double>& values) {
    const std::vector<float> f(values.begin(), values.end());
    return base64(f.data(), f.size() * sizeof(float));
}
std::string doubles(const std::vector<double>& values) { return base64(values.data(), values.size() * sizeof(double)); }

std::vector<std::size_t> strided(std::size_t count, std::size_t most) {
    std::vector<std::size_t> places;
    if (count == 0) return places;
    most = std::clamp<std::size_t>(most, 2, count);
    for (std::size_t i = 0; i < most; ++i) places.push_back(most == 1 ? 0 : i * (count - 1) / (most - 1));
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}
std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& places) {
    std::vector<double> some;
    some.reserve(places.size());
    for (std::size_t i : places) some.push_back(i < values.size() ? values[i] : NAN);
    return some;
}

std::size_t followed(std::size_t count, std::size_t most, double tolerance,
                     const std::function<std::vector<double>(std::size_t)>& values) {
    constexpr std::size_t samples = 40;
    std::size_t shown = count;
    for (; shown > 2 * most && most > 1; shown /= 2) {
        double sum = 0;
        for (std::size_t j = 0; j < samples; ++j) {
            const std::size_t i = j * (most - 2) / (samples - 1);
            const std::size_t from = i * (shown - 1) / (most - 1), to = (i + 1) * (shown - 1) / (most - 1);
            const std::vector<double> a = values(from), middle = values((from + to) / 2), b = values(to);
            double off = 0;
            for (std::size_t k = 0; k < a.size(); ++k)
                if (const double d = std::abs(middle[k] - (a[k] + b[k]) / 2); d > off) off = d;
            sum += std::min(off, 1.0);
        }
        if (sum <= samples * tolerance) break;
    }
    return shown;
}

Pictures::Pictures(const Model& model, std::size_t runs)
    : model_(deep_copy(model)), view_(thinned(*model_.view, most_of_frame / runs)), runs_(runs),
      general_(model.kind == Model::general), solver_(compile(System{model_.graph, given(), {}, {}, formulas()})) {}

std::size_t Pictures::most() const {
    return std::clamp<std::size_t>(view_numbers / runs_ / (count() + 1), least_frames, most_frames);
}

std::vector<const std::vector<double>*> Pictures::inputs_of(const ReportRun& run) const {
    std::map<std::string, const std::vector<double>*> by_name;
    for (const ReportColumn& c : run.columns) by_name[c.name] = &c.values;
    std::vector<const std::vector<double>*> inputs;
    const Vec u = model_.control ? model_.control->inputs : Vec();
    for (const Vec& v :
         general_ ? std::vector<Vec>{model_.z} : std::vector<Vec>{model_.q, model_.v, model_.p, model_.centre, u})
        for (const std::string& name : expanded_names(v)) {
            const auto it = by_name.find(name);
            inputs.push_back(it == by_name.end() ? nullptr : it->second);
        }
    return inputs;
}

bool Pictures::evaluate(const ReportRun& run, const std::vector<const std::vector<double>*>& inputs, std::size_t node) {
    double* to = solver_.given();
    for (const auto* column : inputs) *to++ = column && node < column->size() ? (*column)[node] : NAN;
    *to++ = run.t[node];
    for (const Parameter& p : model_.parameters) *to++ = static_cast<double>(p.value);
    Report report;
    return solver_.solve(report);
}

std::size_t Pictures::nodes(const ReportRun& run) {
    std::vector<std::size_t> places; // numbers that say where something is
    std::size_t at = 0;
    for (const ViewShape& s : view_.shapes)
        for (const ViewShape::Part& p : s.parts) {
            for (std::size_t i = 0; i < p.formulas.size(); ++i)
                if (p.name == "at" || p.name == "from" || p.name == "to") places.push_back(at + i);
            at += p.formulas.size();
        }
    const auto inputs = inputs_of(run);
    const auto values = [&](std::size_t node) {
        const bool solved = evaluate(run, inputs, node);
        std::vector<double> x;
        for (std::size_t i : places) x.push_back(solved ? solver_.result(i) : NAN);
        return x;
    };
    std::vector<double> low(places.size(), INFINITY), high(places.size(), -INFINITY);
    for (std::size_t k : strided(run.t.size(), 200)) {
        const std::vector<double> x = values(k);
        for (std::size_t i = 0; i < x.size(); ++i) low[i] = std::min(low[i], x[i]), high[i] = std::max(high[i], x[i]);
    }
    double size = 0; // of what moves, where it moves farthest
    for (std::size_t i = 0; i < places.size(); ++i)
        if (high[i] - low[i] > size) size = high[i] - low[i];
    return followed(run.t.size(), most(), 0.05, [&](std::size_t node) {
        std::vector<double> x = values(node);
        for (double& number : x) number /= size;
        return x;
    });
}

Json Pictures::of(const ReportRun& run, double until) {
    std::size_t shown = 0;
    while (shown < run.t.size() && std::abs(run.t[shown] - run.t[0]) <= until) ++shown;
    const auto inputs = inputs_of(run);
    std::vector<double> t, numbers;
    for (std::size_t k : strided(shown, most())) {
        const bool solved = evaluate(run, inputs, k);
        t.push_back(run.t[k]);
        for (std::size_t i = 0; i < count(); ++i) numbers.push_back(solved ? solver_.result(i) : NAN);
    }
    return Json().add("t", doubles(t)).add("data", singles(numbers));
}

Vec Pictures::given() const {
    const Vec leaves = general_ ? model_.z : concat({model_.q, model_.v, model_.p});
    const Vec u = model_.control ? model_.control->inputs : Vec();
    return concat({leaves, model_.centre, u, model_.time_vec(), model_.parameter_vec()});
}
Vec Pictures::formulas() const {
    Vec all;
    for (const ViewShape& s : view_.shapes)
        for (const ViewShape::Part& p : s.parts)
            for (const Expr& e : p.formulas) all.push_back({"", e});
    return all;
}

Json Pictures::view() const {
    std::vector<Json> shapes;
    long long at = 0;
    for (const ViewShape& s : view_.shapes) {
        Json parts;
        for (const ViewShape::Part& p : s.parts) {
            Json part = Json().add("at", at).add("width", p.width);
            if (s.of == 1 && p.name == "at") part.add("words", words_of(p.formulas));
            parts.add(p.name, part);
            at += static_cast<long long>(p.formulas.size());
        }
        shapes.push_back(Json()
                             .add("kind", s.kind)
                             .add("name", s.name)
                             .add("colour", s.colour)
                             .add("members", s.members)
                             .add("first", s.first)
                             .add("every", s.every)
                             .add("of", s.of)
                             .add("parts", parts));
    }
    return Json()
        .add("dimension", view_.dimension)
        .add("snapshots", view_.snapshots)
        .add("shapes", shapes)
        .add("numbers", at);
}

} // namespace rattleback
