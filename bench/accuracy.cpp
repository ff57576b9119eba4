// What --accuracy 1e-9 chooses, over the gallery: whether it reaches that, against DOP853 in long double, and how long
// its run takes beside dop853 at the same error. CPU time of the runs, without what comes before the first step.
//
//   bench_accuracy [--long] [MODEL...]     without --long and models: a dozen of them
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>

#include <rattleback/rattleback.hpp>

#include "measure.hpp"
#include "run/accuracy.hpp"

namespace {

using namespace rattleback;

constexpr double asked = 1e-9, allowed = 1.2;
constexpr int nodes = 16, repeats = 3;

// Spans on which 1e-9 is meaningful, where those of [run] are longer: errors of rounding grow beyond it there.
const std::map<std::string, double> spans = {{"duffing_driven", 60}, {"butane", 2}, {"heisenberg_potential", 20}};
const char* const few[] = {
    "pendulum",         "henon_heiles",      "kepler",     "cartesian_pendulum", "nonholonomic_particle",
    "chaplygin_sleigh", "vehicle_bowl",      "heisenberg", "point_vortices",     "arenstorf",
    "flyball_governor", "outer_solar_system"};

double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Measured {
    std::vector<double> end; // q, v or z
    double seconds = 0;
    bool well = false;
};

Measured timed(const Model& model, const std::string& method, double step, double until) {
    Measured best;
    for (int i = 0; i < repeats; ++i) {
        double begin = 0, end = 0;
        RunOptions o{.method = method, .step = step, .until = until, .every = 1LL << 40, .keep_record = false};
        o.engine = RunOptions::Engine::compiled;
        bool started = false; // the first node is the start, the second the end
        o.at_node = [&](const NodeView&) {
            (started ? end : begin) = thread_seconds();
            return started = true;
        };
        const Run run = integrate(model, o);
        best.well = run.report().ok();
        if (!best.well) return best;
        best.seconds = i ? std::min(best.seconds, end - begin) : end - begin;
        best.end.clear();
        for (const char* group : {"q", "v", "z"})
            for (double x : run.summary().end[group]) best.end.push_back(x);
        if (best.seconds > 1) break;
    }
    return best;
}

struct Reference {
    std::vector<double> end, sizes;
    std::string method;
};

// In long double, by the first of these that fits; the second is Gauss with steps of a quarter.
std::optional<Reference> reference(const Model& given, const Picked& picked, double until) {
    const std::optional<Model> independent = with_independent_constraints(given, false);
    const Model& model = independent ? *independent : given;
    const auto t0 = static_cast<long double>(model.t0);
    const double steps = std::round((until - static_cast<double>(model.t0)) / picked.step);
    // Where constraints are held by their derivatives errors of 1e-16 a step grow: 1.6e-8 for the water molecule.
    const std::string tolerance = model.holonomic.empty() ? "1e-16" : "1e-19";
    for (const auto& [method, count] : {std::pair<std::string, double>("dop853:tol=" + tolerance, nodes),
                                        {"gauss:stages=10", 2 * steps},
                                        {"dirac_weak:stages=10", 2 * steps},
                                        {"nh_gauss:stages=10", 2 * steps}}) {
        try {
            const CompiledMethod compiled = compile(model, method);
            Stepper<long double> stepper(compiled);
            NodeReader<long double> reader(compiled);
            Report report;
            const auto n = static_cast<long long>(count);
            const long double h = (static_cast<long double>(until) - t0) / static_cast<long double>(n);
            if (!stepper.start(report, h)) continue;
            Reference r{{}, {}, method};

            bool well = true;
            for (long long k = 0; k <= n && well; ++k) {
                well = (k == 0 || stepper.advance(k - 1, h, report)) &&
                       reader.read(stepper, t0 + static_cast<long double>(k) * h, report);
                if (!well) break;
                r.end.clear();
                for (const auto& part : {reader.node().q, reader.node().v, reader.node().z})
                    for (long double x : part) r.end.push_back(static_cast<double>(x));
                r.sizes.resize(r.end.size());
                for (std::size_t i = 0; i < r.end.size(); ++i) r.sizes[i] = std::max(r.sizes[i], std::abs(r.end[i]));
            }
            if (!well) continue;
            std::size_t first = 0;
            for (const std::size_t size : {reader.node().q.size(), reader.node().v.size(), reader.node().z.size()}) {
                double largest = 0;
                for (std::size_t i = first; i < first + size; ++i) largest = std::max(largest, r.sizes[i]);
                for (std::size_t i = first; i < first + size; ++i) r.sizes[i] = std::max(r.sizes[i], 1e-3 * largest);
                first += size;
            }
            return r;
        } catch (const std::exception&) {} // the next
    }
    return {};
}

double error_of(const std::vector<double>& end, const Reference& r) {
    double worst = 0;
    for (std::size_t i = 0; i < std::min(end.size(), r.end.size()); ++i) {
        const double d = std::abs(end[i] - r.end[i]);
        if (d > 0) worst = std::max(worst, d / r.sizes[i]);
    }
    return end.empty() ? INFINITY : worst; // control models show no velocities
}

// Seconds of dop853 for this error, along lines between tolerances; none: it does not fit, or does not get there.
std::optional<double> dop853_seconds(const Model& model, const Reference& r, double until, double error) {
    struct Point {
        double error, seconds;
    };
    std::optional<Point> last;
    const double step = (until - static_cast<double>(model.t0)) / nodes;
    for (int digits = 4; digits <= 15; ++digits) {
        Measured m;
        try {
            m = timed(model, "dop853:tol=1e-" + std::to_string(digits), step, until);
        } catch (const std::exception&) { return {}; }
        if (!m.well) continue;
        const Point now{std::max(error_of(m.end, r), 1e-300), m.seconds};
        if (now.error <= error) {
            if (!last || last->error <= now.error) return now.seconds;
            const double part = std::log(last->error / error) / std::log(last->error / now.error);
            return last->seconds * std::pow(now.seconds / last->seconds, part);
        }
        last = now;
    }
    return {};
}

struct Counts {
    int models = 0, reached = 0, fast = 0;
};

void row(const std::string& name, Counts& counts) {
    const Model model = read_model(
        [&] {
            for (const GalleryItem& item : gallery())
                if (item.name == name) return item.text;
            throw BadRun("no model " + name);
        }(),
        name + ".toml");
    if (!model.has_start) return;
    RunOptions o{.accuracy = asked};
    if (const auto found = spans.find(name); found != spans.end()) o.until = found->second;
    ++counts.models;
    try {
        const Picked picked = pick_for_accuracy(model, o);
        const auto r = reference(model, picked, picked.until);
        const Measured ours = timed(model, picked.method, picked.step, picked.until);
        if (!r || !ours.well) {
            std::printf("%-28s %-40s %s\n", name.c_str(), picked.method.c_str(), r ? "failed" : "no reference");
            return;
        }
        const double error = error_of(ours.end, *r);
        const bool well = error <= asked && picked.accuracy.reached();
        const auto other = dop853_seconds(model, *r, picked.until, std::max(error, 1e-13));
        const double ratio = other ? ours.seconds / *other : 0;
        counts.reached += well, counts.fast += well && ratio <= allowed;
        std::printf("%-28s %-40s %8.1e %8.1e %10.3f ms ", name.c_str(), picked.method.c_str(), error,
                    picked.accuracy.estimated, 1e3 * ours.seconds);
        if (other)
            std::printf("%8.2f of dop853%s", ratio, ratio <= allowed ? "" : "  SLOWER");
        else
            std::printf("dop853 does not fit, or never gets there");
        std::printf("%s\n", well ? "" : "  NOT REACHED");
    } catch (const std::exception& e) { std::printf("%-28s %s\n", name.c_str(), e.what()); }
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> names;
    bool all = false;
    for (int i = 1; i < argc; ++i)
        if (std::string(argv[i]) == "--long")
            all = true;
        else
            names.emplace_back(argv[i]);
    if (all)
        for (const GalleryItem& item : gallery()) names.push_back(item.name);
    else if (names.empty())
        names.assign(std::begin(few), std::end(few));
    std::printf("%-28s %-40s %8s %8s %13s\n", "model", "chosen", "error", "said", "run");
    Counts counts;
    for (const std::string& name : names) row(name, counts);
    std::printf("%d models, %d reach %g, %d of them in at most %.1f times the time of dop853\n", counts.models,
                counts.reached, asked, counts.fast, allowed);
    return 0;
}
