#include "boundary/wavefront.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include <rattleback/formulation.hpp>
#include <rattleback/run.hpp>

#include "boundary/fan.hpp"

namespace rattleback::boundary {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::size_t least_steps = 24, most_steps = 2000;
constexpr double accurate = 1e-9;      // of the size of the front
constexpr double most_geodesics = 2e5; // with 60 nodes of 3 coordinates each: 5 GB
// Of each costate that the metric does not bound, by how many there are.
constexpr int usual_counts[] = {1, 25, 5, 3, 3};
constexpr double first_range = 1, widest_range = 64; // of these, in units of 1 / time

class Exploring {
  public:
    Exploring(const Model& model, const WavefrontOptions& options)
        : model_(model), options_(options), begin_(Clock::now()), sign_(model.control ? -1 : 1) {
        set_start();
        set_times();
        unit_.emplace(cometric_at(model, front_.start));
        front_.rank = static_cast<int>(unit_->rank());
        front_.method = options.method.empty() ? "gauss:stages=4" : options.method;
        map_.emplace(model, front_.method);
        set_angles();
        front_.seconds_setup = seconds_since(begin_);
    }

    Wavefront run() {
        const auto started = Clock::now();
        set_fan();
        Fan fan = empty_fan();
        add_rays(fan);
        choose_steps(fan);
        const auto total = static_cast<long long>(2 * fan.rays.size());
        const auto told = [&](long long before) {
            return [this, before, total](std::size_t done) {
                if (options_.progress) options_.progress(before + static_cast<long long>(done), total);
            };
        };
        bool whole = follow(fan, *map_, sign_, options_.interrupt, told(0));
        std::erase_if(fan.rays, [](const Ray& ray) { return !ray.good || ray.x.empty(); });
        front_.lost = static_cast<int>(total / 2 - static_cast<long long>(fan.rays.size()));
        whole = whole && find_cuts(fan, *map_, *unit_, options_.interrupt, told(total / 2));
        if (!whole) front_.status = Wavefront::Status::interrupted;
        for (Ray& ray : fan.rays) front_.geodesics.push_back(geodesic(fan, ray));
        front_.steps = static_cast<long long>(fan.nodes.size()) - 1;
        front_.seconds_run = seconds_since(started);
        return std::move(front_);
    }

  private:
    void set_start() {
        const bool given = model_.boundary && !options_.from_initial;
        const auto& from = given ? model_.boundary->from : std::vector<std::optional<quad>>{};
        const bool whole =
            given && !from.empty() && std::all_of(from.begin(), from.end(), [](auto v) { return v.has_value(); });
        if (!whole && !model_.has_start)
            throw Unsuitable(
                "a wavefront begins at one point: give all coordinates in [boundary] from, or in [initial] q");
        for (const auto& v : from)
            if (whole) front_.start.push_back(static_cast<double>(*v));
        if (!whole)
            for (quad v : model_.q0) front_.start.push_back(static_cast<double>(v));
    }

    void set_times() {
        front_.times = options_.times;
        if (front_.times.empty())
            front_.times = {model_.boundary && model_.boundary->time ? static_cast<double>(*model_.boundary->time)
                                                                     : 1.0};
        for (std::size_t i = 0; i < front_.times.size(); ++i)
            if (!(front_.times[i] > (i ? front_.times[i - 1] : 0.0)) || !std::isfinite(front_.times[i]))
                throw BadRun("the times of a wavefront must be positive and ascending");
    }

    void set_angles() {
        const std::vector<std::string> names = expanded_names(model_.q);
        is_angle_.assign(names.size(), false);
        for (const std::string& angle : options_.angles) {
            const auto it = std::find(names.begin(), names.end(), angle);
            if (it == names.end()) throw BadRun("--angles " + angle + ": there is no such coordinate");
            is_angle_[static_cast<std::size_t>(it - names.begin())] = true;
        }
    }

    Fan empty_fan() const {
        Fan fan;
        fan.n = front_.start.size(), fan.start = front_.start, fan.is_angle = is_angle_;
        return fan;
    }

    // Nodes: every time that is asked for is one; between these, equal steps.
    std::vector<double> nodes(std::size_t steps) const {
        std::vector<double> all{0};
        const double h = front_.times.back() / static_cast<double>(steps);
        for (double time : front_.times) {
            const double from = all.back();
            const auto parts = static_cast<std::size_t>(std::ceil((time - from) / h * (1 - 1e-12)));
            for (std::size_t k = 1; k < parts; ++k)
                all.push_back(from + (time - from) * static_cast<double>(k) / static_cast<double>(parts));
            all.push_back(time);
        }
        return all;
    }

    // --- costates with which the geodesics begin -----------------------------------------------------------------

    void set_fan() {
        const std::vector<std::string> names = expanded_names(model_.p);
        const auto& others = unit_->others();
        for (std::size_t i : others) front_.fan.push_back({names[i], 0, 0, 0});
        for (const CostateRange& asked : options_.fan) {
            const auto it = std::find_if(front_.fan.begin(), front_.fan.end(),
                                         [&](const CostateRange& r) { return r.name == asked.name; });
            if (it == front_.fan.end()) throw BadRun(not_free(asked.name));
            if (asked.count < 1 || !std::isfinite(asked.from) || !std::isfinite(asked.to))
                throw BadRun("--fan " + asked.name +
                             ": a range is from:to:count, with finite numbers and a count of at least 1");
            *it = asked;
        }
        for (std::size_t i = 0; i < others.size(); ++i)
            if (front_.fan[i].count == 0) widen(i);
    }

    std::string not_free(const std::string& name) const {
        std::string all;
        for (const CostateRange& r : front_.fan) all += (all.empty() ? "" : ", ") + r.name;
        return "--fan " + name + ": " +
               (all.empty() ? "this metric is Riemannian where geodesics begin: unit length bounds all momenta"
                            : "of the momenta, unit length leaves these free: " + all);
    }

    // A range whose ends have conjugate points before the last time, half of them at least: spheres are inside then.
    void widen(std::size_t which) {
        CostateRange& range = front_.fan[which];
        const double time = front_.times.back();
        double far = first_range / time;
        for (; far < widest_range / time; far *= 2) {
            Fan fan = empty_fan();
            fan.nodes = nodes(least_steps);
            for (const std::vector<double>& w : directions(6))
                for (double s : {-far, far}) {
                    std::vector<double> h(front_.fan.size(), 0.0);
                    h[which] = s;
                    fan.rays.push_back({w, h, unit_->at(w, h), {}, {}, {}, {}, {}, {}, {}, true});
                }
            if (!follow(fan, *map_, sign_, options_.interrupt)) break;
            const auto ended =
                std::count_if(fan.rays.begin(), fan.rays.end(), [](const Ray& r) { return r.conjugate.has_value(); });
            if (2 * static_cast<std::size_t>(ended) >= fan.rays.size()) break;
        }
        const std::size_t free = std::min(front_.fan.size(), std::size(usual_counts) - 1);
        range.from = -far, range.to = far, range.count = usual_counts[free];
    }

    // On the sphere of dimension rank - 1, about equally far apart.
    std::vector<std::vector<double>> directions(long long count) const {
        const std::size_t m = unit_->rank();
        std::vector<std::vector<double>> all;
        if (m == 1) return {{1}, {-1}};
        constexpr double golden = std::numbers::phi - 1;
        for (long long i = 0; i < count; ++i) {
            const double part = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
            if (m == 2) {
                all.push_back({std::cos(2 * std::numbers::pi * part), std::sin(2 * std::numbers::pi * part)});
                continue;
            }
            std::vector<double> w;
            if (m == 3) { // along a spiral (Fibonacci's lattice)
                const double z = 1 - 2 * part, r = std::sqrt(1 - z * z),
                             turn = 2 * std::numbers::pi * golden * static_cast<double>(i);
                w = {r * std::cos(turn), r * std::sin(turn), z};
            } else { // pairs of normal numbers (Box and Muller) from sequences of irrational steps
                for (std::size_t k = 0; k < m; ++k) {
                    const auto share = [&](std::size_t which) {
                        return std::fmod(
                            0.5 + static_cast<double>(i + 1) * std::sqrt(primes[which % std::size(primes)]), 1.0);
                    };
                    const double r = std::sqrt(-2 * std::log(share(k / 2 * 2) + 1e-12)),
                                 turn = 2 * std::numbers::pi * share(k / 2 * 2 + 1);
                    w.push_back(r * (k % 2 ? std::sin(turn) : std::cos(turn)));
                }
                double size = 0;
                for (double x : w) size += x * x;
                for (double& x : w) x /= std::sqrt(size);
            }
            all.push_back(std::move(w));
        }
        return all;
    }
    static constexpr double primes[] = {2, 3, 5, 7, 11, 13, 17, 19};

    void add_rays(Fan& fan) const {
        const std::size_t m = unit_->rank(), free = front_.fan.size();
        const long long usual = m == 2 ? (free == 0 ? 180 : free < 3 ? 48 : 16) : m == 3 ? (free == 0 ? 400 : 60) : 200;
        const auto all = directions(options_.directions.value_or(usual));
        double count = static_cast<double>(all.size());
        for (const CostateRange& r : front_.fan) count *= r.count;
        if (count > most_geodesics)
            throw BadRun("these are " + real::to_text(count) + " geodesics; at most " + real::to_text(most_geodesics) +
                         " are followed: give fewer --directions, or a smaller count in --fan");
        // Of a sphere of dimension m - 1 each direction has its share; neighbours are that far apart.
        const double area =
            2 * std::pow(std::numbers::pi, static_cast<double>(m) / 2) / std::tgamma(static_cast<double>(m) / 2);
        fan.w_unit = m == 1 ? 1 : std::pow(area / static_cast<double>(all.size()), 1 / static_cast<double>(m - 1));
        for (const CostateRange& r : front_.fan)
            fan.h_unit.push_back(r.count > 1 && r.to != r.from
                                     ? std::abs(r.to - r.from) / (r.count - 1)
                                     : 0.1 * std::max(std::abs(r.from), 1 / front_.times.back()));
        std::vector<int> place(free, 0);
        do {
            std::vector<double> h(free);
            for (std::size_t i = 0; i < free; ++i) {
                const CostateRange& r = front_.fan[i];
                h[i] = r.count > 1 ? r.from + (r.to - r.from) * place[i] / (r.count - 1) : r.from;
            }
            for (const std::vector<double>& w : all)
                fan.rays.push_back({w, h, unit_->at(w, h), {}, {}, {}, {}, {}, {}, {}, true});
        } while (next(place));
    }

    bool next(std::vector<int>& place) const {
        for (std::size_t i = place.size(); i-- > 0;) {
            if (++place[i] < front_.fan[i].count) return true;
            place[i] = 0;
        }
        return false;
    }

    // --- steps ---------------------------------------------------------------------------------------------------

    // A few geodesics with so many steps and with twice as many: how far apart they end, and the size of the front.
    std::pair<double, double> tried(const Fan& whole, std::size_t steps) {
        Fan some = whole;
        some.rays.clear();
        for (std::size_t i = 0; i < 16; ++i) some.rays.push_back(whole.rays[i * (whole.rays.size() - 1) / 15]);
        Fan finer = some;
        some.nodes = nodes(steps), finer.nodes = nodes(2 * steps);
        follow(some, *map_, sign_, nullptr), follow(finer, *map_, sign_, nullptr);
        double error = 0, size = 0;
        for (std::size_t i = 0; i < some.rays.size(); ++i) {
            if (!some.rays[i].good || !finer.rays[i].good) continue;
            const double* const q = finer.x(finer.rays[i], finer.nodes.size() - 1);
            const double* const coarse = some.x(some.rays[i], some.nodes.size() - 1);
            for (std::size_t k = 0; k < whole.n; ++k)
                error = std::max(error, std::abs(q[k] - coarse[k])),
                size = std::max(size, std::abs(q[k] - whole.start[k]));
        }
        return {error, size};
    }

    void choose_steps(Fan& fan) {
        if (options_.steps && (*options_.steps < 1 || *options_.steps > 1'000'000))
            throw BadRun("the number of steps must be from 1 to 1000000");
        std::size_t steps = options_.steps ? static_cast<std::size_t>(*options_.steps) : least_steps;
        for (;; steps *= 2) {
            const auto [error, size] = tried(fan, steps);
            front_.error = error;
            if (options_.steps || error <= accurate * size || 2 * steps > most_steps) break;
        }
        fan.nodes = nodes(steps);
    }

    Geodesic geodesic(const Fan& fan, const Ray& ray) const {
        Geodesic g{ray.w, ray.h, ray.p0, {}, {}, ray.conjugate, ray.cut, ray.p0_other, ray.q_conjugate, ray.q_cut};
        for (double time : front_.times) {
            const auto k =
                static_cast<std::size_t>(std::find(fan.nodes.begin(), fan.nodes.end(), time) - fan.nodes.begin());
            const double* const x = fan.x(ray, k);
            g.q.emplace_back(x, x + fan.n), g.p.emplace_back(x + fan.n, x + 2 * fan.n);
        }
        return g;
    }

    const Model& model_;
    const WavefrontOptions& options_;
    Clock::time_point begin_;
    double sign_;
    Wavefront front_;
    std::optional<UnitCostates> unit_;
    std::optional<ExponentialMap> map_;
    std::vector<bool> is_angle_;
};

} // namespace

Wavefront wavefront_of(const Model& model, const WavefrontOptions& options) { return Exploring(model, options).run(); }

} // namespace rattleback::boundary
