// Maxwell points: where two geodesics of the same length from the same point meet. With the costates p0 of the one, the
// time t and the costates of the other solve exp(t, p0') = exp(t, p0): as many equations as unknowns, for Newton's
// method, with the derivatives of the exponential map. It begins at rays of the fan that come near.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "boundary/fan.hpp"
#include "boundary/small_lu.hpp"

namespace rattleback::boundary {
namespace {

using Point = ExponentialMap::Point;

constexpr double reach = 1.5;          // units of the fan that a ray stands for, on each side
constexpr double another = 0.5;        // units: rays nearer than that are taken for the same one
constexpr std::size_t most_nodes = 48; // of a ray, at which others are looked at
constexpr std::size_t most_tries = 24; // of a ray
constexpr double met = 1e-10;          // of the size of the front: how near two geodesics are that meet

double length(const std::vector<double>& v) {
    double sum = 0;
    for (double x : v) sum += x * x;
    return std::sqrt(sum);
}

// The derivatives of exp(t, p0') by what costates may do, in units of the fan: n rows.
Dense by_units(const Fan& fan, const UnitCostates& unit, const std::vector<double>& w, const double* by_p) {
    Dense row(1, w.size());
    for (std::size_t i = 0; i < w.size(); ++i) row(0, i) = w[i];
    Dense slopes = unit.slopes(w.size() > 1 ? null_space(row) : Dense(w.size(), 0));
    const std::size_t turns = slopes.columns - fan.h_unit.size();
    Dense all(fan.n, slopes.columns);
    for (std::size_t i = 0; i < fan.n; ++i)
        for (std::size_t c = 0; c < slopes.columns; ++c) {
            double sum = 0;
            for (std::size_t j = 0; j < fan.n; ++j) sum += by_p[i * fan.n + j] * slopes(j, c);
            all(i, c) = sum * (c < turns ? fan.w_unit : fan.h_unit[c - turns]);
        }
    return all;
}

struct Costates {
    std::vector<double> w, h;
    // Moved by units of the fan: the first of `by` along the sphere of w.
    void move(const Fan& fan, const std::vector<double>& by, double part) {
        Dense row(1, w.size());
        for (std::size_t i = 0; i < w.size(); ++i) row(0, i) = w[i];
        const Dense along = w.size() > 1 ? null_space(row) : Dense(w.size(), 0);
        for (std::size_t i = 0; i < w.size(); ++i)
            for (std::size_t c = 0; c < along.columns; ++c) w[i] += part * fan.w_unit * by[c] * along(i, c);
        const double size = length(w);
        for (double& x : w) x /= size;
        for (std::size_t i = 0; i < h.size(); ++i) h[i] += part * fan.h_unit[i] * by[along.columns + i];
    }
};

double apart_in_units(const Fan& fan, const std::vector<double>& w, const std::vector<double>& h, const Ray& ray) {
    double most = 0;
    for (std::size_t i = 0; i < w.size(); ++i) most = std::max(most, std::abs(w[i] - ray.w[i]) / fan.w_unit);
    for (std::size_t i = 0; i < h.size(); ++i) most = std::max(most, std::abs(h[i] - ray.h[i]) / fan.h_unit[i]);
    return most;
}

struct Candidate {
    Costates other;
    double time, apart; // apart: where they were seen near each other
};

// All rays at one node, for the comparison of each with all others.
struct Here {
    double time = 0, h = 0;          // h: since the node before
    std::vector<double> q, velocity; // ray by ray
    std::vector<double> by_units;    // n rows, one column less
    std::vector<double> extent;      // how far what a ray stands for reaches from it
};

class Meetings {
  public:
    Meetings(const Fan& fan, const UnitCostates& unit) : fan_(fan), n_(fan.n), matrix_(n_ * n_), z_(n_), order_(n_) {
        const std::size_t steps = fan.nodes.size() - 1, stride = (steps + most_nodes - 1) / most_nodes;
        double before = 0;
        for (std::size_t k = stride; k < steps + stride; k += stride) {
            const std::size_t node = std::min(k, steps);
            Here at;
            at.time = fan.nodes[node], at.h = at.time - before, before = at.time;
            for (const Ray& ray : fan.rays) {
                const double *const by_p = fan.by_p(ray, node), *const x = fan.x(ray, node);
                const std::vector<double> v = fan.velocity(by_p, ray.p0, at.time);
                const Dense units = by_units(fan, unit, ray.w, by_p);
                at.q.insert(at.q.end(), x, x + n_), at.velocity.insert(at.velocity.end(), v.begin(), v.end());
                at.by_units.insert(at.by_units.end(), units.entries.begin(), units.entries.end());
                at.extent.push_back(reach * length(units.entries) + 2 * length(v) * at.h);
            }
            places_.push_back(std::move(at));
        }
    }

    // Rays that come near this one, the earliest first.
    std::vector<Candidate> near(const Ray& ray) {
        std::vector<Candidate> found;
        const auto own = static_cast<std::size_t>(&ray - fan_.rays.data());
        const double until = ray.conjugate.value_or(fan_.last());
        for (std::size_t k = 1; k < places_.size(); ++k) {
            const Here& at = places_[k];
            if (at.time > until + 2 * at.h || found.size() >= most_tries) break;
            if (auto best = nearest(ray, own, at)) found.push_back(std::move(*best));
        }
        return found;
    }

  private:
    std::optional<Candidate> nearest(const Ray& ray, std::size_t own, const Here& at) {
        std::optional<Candidate> best;
        double least = 1;
        for (std::size_t j = 0; j < fan_.rays.size(); ++j) {
            if (j == own || !may_meet(own, j, at)) continue;
            const double far = distance(own, j, at), time = at.time + z_.back() * at.h;
            if (!(far < least) || time < 0.6 * at.time || time > fan_.last() + at.h) continue;
            Candidate found{{fan_.rays[j].w, fan_.rays[j].h}, time, std::sqrt(square_apart(own, j, at))};
            found.other.move(fan_, z_, reach);
            if (apart_in_units(fan_, found.other.w, found.other.h, ray) <= another) continue; // the ray itself
            least = far, best = std::move(found);
        }
        return best;
    }

    double square_apart(std::size_t own, std::size_t j, const Here& at) const {
        double square = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            double d = at.q[own * n_ + i] - at.q[j * n_ + i];
            if (fan_.is_angle[i]) d = std::remainder(d, 2 * std::numbers::pi);
            square += d * d;
        }
        return square;
    }

    // They are near, and were further apart before: rays that have not come apart yet do not meet again.
    bool may_meet(std::size_t own, std::size_t j, const Here& at) const {
        const double square = square_apart(own, j, at);
        return square <= at.extent[j] * at.extent[j] && square < square_apart(own, j, *(&at - 1));
    }

    // To first order, how far from ray j, in multiples of what it stands for, a ray meets this one, and how many h
    // later; all of it is left in z_. Not a number: nowhere.
    double distance(std::size_t own, std::size_t j, const Here& at) {
        const std::size_t c = n_ - 1;
        const std::vector<double> d = fan_.apart(&at.q[own * n_], &at.q[j * n_]);
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t k = 0; k < c; ++k) matrix_[i * n_ + k] = reach * at.by_units[(j * n_ + i) * c + k];
            matrix_[i * n_ + c] = (at.velocity[j * n_ + i] - at.velocity[own * n_ + i]) * at.h;
            z_[i] = d[i];
        }
        if (!lu_factor(matrix_.data(), order_.data(), n_)) return Real<double>::nan;
        lu_solve<1>(matrix_.data(), order_.data(), n_, z_.data(), 1);
        double far = 0;
        for (double x : z_) far = std::max(far, std::abs(x));
        return std::isfinite(far) ? far : Real<double>::nan;
    }

    const Fan& fan_;
    std::size_t n_;
    std::vector<Here> places_;
    std::vector<double> matrix_, z_;
    std::vector<int> order_;
};

// Newton's method for a few rays side by side.
class Meeting {
  public:
    Meeting(Fan& fan, ExponentialMap& map, const UnitCostates& unit) : fan_(fan), map_(map), unit_(unit) {}

    struct Pair {
        Ray* ray;
        Candidate at;
        double begun = at.time, missed = at.apart;
        bool going = true, found = false;
    };

    void solve(std::vector<Pair>& pairs) {
        double size = 0;
        for (const Pair& p : pairs)
            size = std::max(size, length(fan_.apart(fan_.x(*p.ray, fan_.nodes.size() - 1), fan_.start.data())));
        for (int k = 0; k < 20; ++k) {
            std::vector<Pair*> going;
            for (Pair& p : pairs)
                if (p.going) going.push_back(&p);
            if (going.empty()) return;
            iterate(going, size);
        }
    }

  private:
    void iterate(const std::vector<Pair*>& pairs, double size) {
        const std::vector<Point> mine = own_points(pairs), others = other_points(pairs);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            Pair& p = *pairs[i];
            p.going = mine[i].good && others[i].good;
            if (p.going) improve(p, mine[i], others[i], size);
        }
    }

    void improve(Pair& p, const Point& mine, const Point& other, double size) {
        const std::size_t n = fan_.n;
        const std::vector<double> d = fan_.apart(mine.x.data(), other.x.data()), by_own = by_p(mine),
                                  by_other = by_p(other);
        const double missed = length(d), before = p.missed;
        p.missed = missed;
        if (missed <= met * size) {
            p.going = false;
            p.found = apart_in_units(fan_, p.at.other.w, p.at.other.h, *p.ray) > 0.02 &&
                      p.at.time <= fan_.last() * (1 + 1e-9);
            if (p.found)
                p.ray->cut = p.at.time, p.ray->q_cut.assign(mine.x.begin(), mine.x.begin() + static_cast<long>(n)),
                p.ray->p0_other = unit_.at(p.at.other.w, p.at.other.h);
            return;
        }
        if (missed > 0.5 * before) {
            p.going = false; // nothing is there, or it is too far away
            return;
        }
        const Dense units = by_units(fan_, unit_, p.at.other.w, by_other.data());
        const std::vector<double> v = fan_.velocity(by_own.data(), p.ray->p0, p.at.time),
                                  u = fan_.velocity(by_other.data(), unit_.at(p.at.other.w, p.at.other.h), p.at.time);
        Dense a(n, units.columns + 1);
        const double h = fan_.last() / 50;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t c = 0; c < units.columns; ++c) a(i, c) = units(i, c);
            a(i, units.columns) = (u[i] - v[i]) * h;
        }
        const std::vector<double> z = least_squares(a, d, 1e-7).x;
        double far = 0;
        for (double x : z) far = std::max(far, std::abs(x));
        const double part = std::min(1.0, 1 / std::max(far, 1e-300));
        p.at.other.move(fan_, z, part), p.at.time += part * z.back() * h;
        // Towards the start all rays meet.
        p.going = std::isfinite(far) && p.at.time > 0.7 * p.begun && p.at.time < fan_.last() * 1.1;
    }

    std::vector<double> by_p(const Point& at) const {
        const std::size_t n = fan_.n;
        std::vector<double> all(n * n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) all[i * n + j] = at.q_by_p(i, j);
        return all;
    }

    // The rays themselves, from the node before.
    std::vector<Point> own_points(const std::vector<Pair*>& pairs) {
        const std::size_t n = fan_.n;
        std::vector<Point> points;
        std::vector<double> h;
        for (const Pair* p : pairs) {
            const auto after = std::upper_bound(fan_.nodes.begin() + 1, fan_.nodes.end() - 1, p->at.time);
            const auto k = static_cast<std::size_t>(after - fan_.nodes.begin()) - 1;
            Point at = map_.start(fan_.start, p->ray->p0);
            std::copy_n(fan_.x(*p->ray, k), 2 * n, at.x.data());
            for (std::size_t i = 0; i < 2 * n; ++i)
                for (std::size_t j = 0; j < n; ++j) at.by_start[i * 2 * n + n + j] = fan_.by_p(*p->ray, k)[i * n + j];
            points.push_back(std::move(at)), h.push_back(p->at.time - fan_.nodes[k]);
        }
        advance(points, h);
        return points;
    }

    // The others, from the start.
    std::vector<Point> other_points(const std::vector<Pair*>& pairs) {
        double latest = 0;
        for (const Pair* p : pairs) latest = std::max(latest, p->at.time);
        const double share = std::min(1.0, latest / fan_.last());
        const auto steps = static_cast<std::size_t>(std::ceil(share * static_cast<double>(fan_.nodes.size() - 1)));
        std::vector<Point> points;
        std::vector<double> h;
        for (const Pair* p : pairs) {
            points.push_back(map_.start(fan_.start, unit_.at(p->at.other.w, p->at.other.h)));
            h.push_back(p->at.time / static_cast<double>(steps));
        }
        for (std::size_t k = 0; k < steps; ++k) advance(points, h);
        return points;
    }

    void advance(std::vector<Point>& points, const std::vector<double>& h) {
        std::vector<Point*> places;
        for (Point& p : points) places.push_back(&p);
        map_.advance(places, h);
    }

    Fan& fan_;
    ExponentialMap& map_;
    const UnitCostates& unit_;
};

} // namespace

bool find_cuts(Fan& fan, ExponentialMap& map, const UnitCostates& unit, const volatile int* interrupt,
               const std::function<void(std::size_t)>& progress) {
    Meetings meetings(fan, unit);
    Meeting meeting(fan, map, unit);
    for (std::size_t first = 0; first < fan.rays.size(); first += ExponentialMap::lanes) {
        if (interrupt && *interrupt) return false;
        std::vector<Ray*> rays;
        std::vector<std::vector<Candidate>> candidates;
        for (std::size_t i = first; i < std::min(first + ExponentialMap::lanes, fan.rays.size()); ++i)
            rays.push_back(&fan.rays[i]), candidates.push_back(meetings.near(fan.rays[i]));
        for (std::size_t k = 0; k < most_tries; ++k) {
            std::vector<Meeting::Pair> pairs;
            for (std::size_t i = 0; i < rays.size(); ++i)
                if (!rays[i]->cut && k < candidates[i].size()) pairs.push_back({rays[i], candidates[i][k]});
            meeting.solve(pairs);
        }
        for (Ray* ray : rays)
            if (ray->conjugate && !(ray->cut && *ray->cut <= *ray->conjugate * (1 + 1e-9)))
                ray->cut = ray->conjugate, ray->q_cut = ray->q_conjugate, ray->p0_other.clear();
        if (progress) progress(first);
    }
    return true;
}

} // namespace rattleback::boundary
