// The laws of a group, one test for all groups, in quad; and for each law a mutant, an operation changed in one place,
// that breaks it. Matrices are the oracle: products, inverses and brackets of them are written out here.
#include <gtest/gtest.h>

#include "group/operations.hpp"

namespace rattleback::group_laws {
namespace {

// --- the laws, each with its largest defect -------------------------------------------------------------------------

// g^-1 g' of a path, which is a formula of t, at t = 0; derivatives are the graph's.
Tensor velocity_of_path(const Operations& o, const Expr& t, const Tensor& path) {
    const Vec time({{"t", t}}), zero({{"t", Expr(0)}});
    Tensor here = path, rate = path;
    for (std::size_t i = 0; i < path.e.size(); ++i) {
        here.e[i] = substitute(path.e[i], {{time, zero}});
        rate.e[i] = path.e[i].graph() ? substitute(derivative(path.e[i], t), {{time, zero}}) : Expr(0);
    }
    const int n = o.g.space;
    Tensor inverse = here; // of (R, x; 0, 1): (R^T, -R^T x; 0, 1)
    for (int i = 0; i < n; ++i) {
        Expr x = 0;
        for (int j = 0; j < n; ++j) {
            inverse.e[static_cast<std::size_t>(i * here.cols + j)] = here.at(j, i);
            if (o.g.shifts) x = x - here.at(j, i) * here.at(j, n);
        }
        if (o.g.shifts) inverse.e[static_cast<std::size_t>(i * here.cols + n)] = x;
    }
    return multiply(inverse, rate);
}

struct Law {
    const char* name;
    quad (*defect)(const Operations&, Random&);
};

quad largest(std::initializer_list<quad> all) { return std::max(all); }

const Law laws[] = {
    {"associative",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const Numbers& a : r.elements()) {
             const Numbers b = r.element(1), c = r.element(2);
             worst = std::max(worst, apart(o.matrix(o.times(o.times(a, b), c)), o.matrix(o.times(a, o.times(b, c)))));
         }
         return worst;
     }},
    {"products are products of matrices",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const Numbers& a : r.elements()) {
             const Numbers b = r.element(1);
             worst = std::max(worst, apart(o.matrix(o.times(a, b)), multiply(o.matrix(a), o.matrix(b))));
         }
         return worst;
     }},
    {"inverse",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const Numbers& a : r.elements()) {
             const Numbers none(static_cast<std::size_t>(o.g.dimension()), Expr(0));
             const Tensor e = o.matrix(o.g.exp(none));
             worst = largest(
                 {worst, apart(o.matrix(o.times(a, o.inverse(a))), e), apart(o.matrix(o.times(o.inverse(a), a)), e)});
         }
         return worst;
     }},
    {"exp is a one-parameter group",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const double size : {1e-18, 1e-3, 1.0, 2.0}) {
             const Numbers xi = r.velocity(size);
             const auto at = [&](double t) { return o.exp(Expr(t) * xi); };
             worst = std::max(worst, apart(o.matrix(o.times(at(0.25), at(0.5))), o.matrix(at(0.75))));
         }
         return worst;
     }},
    {"exp has the velocity xi",
     [](const Operations& o, Random& r) {
         const auto graph = new_graph();
         const Expr t = graph->symbol("t");
         const Numbers xi = r.velocity();
         return largest({apart(velocity_of_path(o, t, o.matrix(o.exp(t * xi))), hat(o.g, xi)),
                         apart(velocity_of_path(o, t, o.matrix(o.exp((t + 1) * xi))), hat(o.g, xi))});
     }},
    {"log and exp are inverse",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const Numbers& a : r.elements()) worst = std::max(worst, apart(o.matrix(o.exp(o.log(a))), o.matrix(a)));
         for (const double size : {0.0, 1e-18, 1e-3, 1.0, 1.7}) { // |rho| < pi
             const Numbers xi = r.velocity(size);
             worst = std::max(worst, apart(o.log(o.exp(xi)), xi));
         }
         return worst;
     }},
    {"log is smooth at the identity", // its rate there is the velocity
     [](const Operations& o, Random& r) {
         const auto graph = new_graph();
         const Expr t = graph->symbol("t");
         const Numbers xi = r.velocity();
         Numbers rate;
         for (const Expr& e : o.log(o.exp(t * xi)))
             rate.push_back(substitute(derivative(e, t), {{Vec({{"t", t}}), Vec({{"t", Expr(0)}})}}));
         return apart(rate, xi);
     }},
    {"Cayley's map", // (1 - hat(xi)/2) cay(xi) = 1 + hat(xi)/2
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const double size : {0.0, 1e-18, 0.1, 1.0, 10.0}) {
             const Numbers xi = r.velocity(size);
             const Numbers none(static_cast<std::size_t>(o.g.dimension()), Expr(0));
             const Tensor half = hat(o.g, Expr(0.5) * xi), one = o.matrix(o.g.exp(none));
             worst = std::max(worst, apart(multiply(subtract(one, half), o.matrix(o.cayley(xi))), add(one, half)) /
                                         quad(1 + size));
         }
         return worst;
     }},
    {"Ad is a homomorphism",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const Numbers& a : r.elements()) {
             const Numbers b = r.element(1), xi = r.velocity(), ab = o.shown_of(o.times(a, b));
             worst = std::max(worst, apart(o.space_velocity(ab, xi),
                                           o.space_velocity(o.shown_of(a), o.space_velocity(o.shown_of(b), xi))));
         }
         return worst;
     }},
    {"Ad has an inverse",
     [](const Operations& o, Random& r) {
         const Numbers a = o.shown_of(r.element(1)), xi = r.velocity();
         return apart(o.g.body_velocity_of(a, o.space_velocity(a, xi)), xi);
     }},
    {"Ad conjugates matrices",
     [](const Operations& o, Random& r) {
         const Numbers a = r.element(1), xi = r.velocity();
         return apart(multiply(hat(o.g, o.space_velocity(o.shown_of(a), xi)), o.matrix(a)),
                      multiply(o.matrix(a), hat(o.g, xi)));
     }},
    {"ad is the bracket of matrices",
     [](const Operations& o, Random& r) {
         const Numbers x = r.velocity(), y = r.velocity();
         const Tensor X = hat(o.g, x), Y = hat(o.g, y);
         return apart(hat(o.g, o.ad(x, y)), subtract(multiply(X, Y), multiply(Y, X)));
     }},
    {"the dual of ad",
     [](const Operations& o, Random& r) {
         const Numbers x = r.velocity(), y = r.velocity(), m = r.velocity();
         return apart(dot(o.ad_dual(x, m), y), dot(m, o.ad(x, y)));
     }},
    {"moving in the chart is a product",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const Numbers& a : r.elements()) {
             const Numbers w = r.velocity(), rho = part(w, 0, o.g.turns()),
                           u = part(w, o.g.turns(), o.g.dimension() - o.g.turns());
             worst = largest({worst, apart(o.moved(o.shown_of(a), w), o.shown_of(o.after(a, o.turn(rho), u))),
                              apart(o.moved(o.shown_of(a), Expr(0) * w), o.shown_of(a))});
         }
         return worst;
     }},
    {"increments move",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const Numbers& a : r.elements()) {
             const Numbers rho = r.vector(o.g.turns()), u = r.vector(o.g.dimension() - o.g.turns());
             worst = std::max(worst, apart(a + o.increment(a, o.turn(rho), u), o.after(a, o.turn(rho), u)));
         }
         return worst;
     }},
    {"increments restore the length", // of a quaternion: but for 1 - cos(r/2) of what it was off, r being the turn
     [](const Operations& o, Random& r) {
         if (o.g.space == 2) return quad(0);
         Numbers a = r.element(1);
         for (std::size_t i = 0; i < 4; ++i) a[i] = Expr(1 + 1e-12) * a[i];
         const Numbers next = a + o.increment(a, o.turn(r.vector(3, 1e-6)), r.vector(o.g.shifts ? 3 : 0));
         return real::abs(value(o.g.off_group(next))) * quad(1e-9);
     }},
    {"velocities of the body",
     [](const Operations& o, Random& r) {
         const auto graph = new_graph();
         const Expr t = graph->symbol("t");
         quad worst = 0;
         for (const double size : {0.0, 1e-17, 0.1, 1.0, 2.5}) {
             const Numbers w = r.velocity(size), rate = r.velocity(), g = o.shown_of(r.element(1));
             const Tensor path = o.g.matrix(o.moved(g, w + t * rate));
             worst = std::max(worst, apart(velocity_of_path(o, t, path), hat(o.g, o.body_velocity(w, rate))));
         }
         return worst;
     }},
    {"rates in the chart",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const double size : {0.0, 1e-17, 0.1, 1.0, 2.5}) {
             const Numbers w = r.velocity(size), rate = r.velocity();
             worst = std::max(worst, apart(o.chart_rate(w, o.body_velocity(w, rate)), rate));
         }
         return worst;
     }},
    {"momenta in the chart",
     [](const Operations& o, Random& r) {
         const Numbers w = r.velocity(), rate = r.velocity(), m = r.velocity();
         return apart(dot(o.chart_momentum(w, m), rate), dot(m, o.body_velocity(w, rate)));
     }},
    {"momenta of the body",
     [](const Operations& o, Random& r) {
         const Numbers w = r.velocity(), xi = r.velocity(), p = r.velocity();
         return apart(dot(o.body_momentum(w, p), xi), dot(p, o.chart_rate(w, xi)));
     }},
    {"smooth at 0", // near 0 as the first terms in w say, and twice differentiable at 0
     [](const Operations& o, Random& r) {
         const auto graph = new_graph();
         const Expr t = graph->symbol("t");
         const Numbers xi = r.velocity(), rate = r.velocity();
         const Vec time({{"t", t}}), zero({{"t", Expr(0)}});
         quad worst = 0;
         for (const Numbers& f :
              {o.body_velocity(t * xi, rate), o.chart_rate(t * xi, rate), o.turn(t * part(xi, 0, o.g.turns()))})
             for (const Expr& e : f) {
                 if (!e.graph()) continue;
                 const Expr first = derivative(e, t), second = derivative(first, t);
                 const auto at = [&](const Expr& x, double h) {
                     return value(substitute(x, {{time, Vec({{"t", Expr(h)}})}}));
                 };
                 const quad h = 1e-12; // differences of the values; the third derivatives are below 1
                 const quad by_hand = (at(e, 1e-12) - at(e, -1e-12)) / (2 * h);
                 const quad again = (at(first, 1e-12) - at(first, -1e-12)) / (2 * h);
                 for (const quad& d : {by_hand - at(first, 0), again - at(second, 0)})
                     worst = real::abs(d) <= 1 ? std::max(worst, real::abs(d) * quad(1e-12)) : quad(1);
             }
         return worst;
     }},
    {"shown and carried",
     [](const Operations& o, Random& r) {
         quad worst = 0;
         for (const Numbers& a : r.elements()) {
             const Numbers back = o.carried_of(o.shown_of(a));
             worst = largest({worst, apart(o.shown_of(back), o.shown_of(a)), real::abs(value(o.g.off_group(back)))});
         }
         return worst;
     }},
    {"the one-form", // of the rates of the carried numbers along a path, through a, with velocity xi
     [](const Operations& o, Random& r) {
         const auto graph = new_graph();
         const Expr t = graph->symbol("t");
         quad worst = 0;
         for (const Numbers& a : r.elements()) {
             const Numbers xi = r.velocity(), p = r.velocity();
             const Numbers path = o.after(a, o.turn(t * part(xi, 0, o.g.turns())),
                                          t * part(xi, o.g.turns(), o.g.dimension() - o.g.turns()));
             Numbers rate;
             for (const Expr& e : path)
                 rate.push_back(e.graph() ? substitute(derivative(e, t), {{Vec({{"t", t}}), Vec({{"t", Expr(0)}})}})
                                          : Expr(0));
             worst = std::max(worst, apart(dot(o.one_form(a, p), rate), dot(p, xi)));
         }
         return worst;
     }},
};

std::string text(const quad& x) { return real::to_text(x, 3); }

constexpr double round_off = 1e-31;

class Laws : public testing::TestWithParam<const LieGroup*> {};
TEST_P(Laws, HoldInQuad) {
    const Operations operations(*GetParam());
    for (const Law& law : laws) {
        Random random(*GetParam());
        const quad defect = law.defect(operations, random);
        EXPECT_TRUE(defect <= static_cast<quad>(round_off)) << law.name << ": " << text(defect);
    }
}
std::vector<const LieGroup*> all_groups() {
    std::vector<const LieGroup*> all;
    for (const LieGroup& g : groups()) all.push_back(&g);
    return all;
}
std::string plain_name(std::string name) {
    std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, Laws, testing::ValuesIn(all_groups()),
                         [](const auto& g) { return plain_name(std::string(g.param->name)); });

// --- the mutants ----------------------------------------------------------------------------------------------------

Numbers plus(Numbers x, std::size_t i, double by) {
    x[i] = x[i] + by;
    return x;
}
Numbers bent(Numbers x, const Numbers& by) { // of second order where by is small
    x[0] = x[0] + 1e-6 * dot(by, by);
    return x;
}

struct Mutant {
    const char* law;
    void (*change)(Operations&);
    const char* only = ""; // for this group
};
const Mutant mutants[] = {
    {"associative", [](Operations& o) { o.times = [&o](auto& a, auto& b) { return bent(o.g.times(a, b), b); }; }},
    {"products are products of matrices",
     [](Operations& o) { o.times = [&o](auto& a, auto& b) { return o.g.times(b, a); }; }, "SE(2)"},
    {"products are products of matrices",
     [](Operations& o) { o.times = [&o](auto& a, auto& b) { return o.g.times(b, a); }; }, "SO(3)"},
    {"products are products of matrices",
     [](Operations& o) { o.times = [&o](auto& a, auto& b) { return bent(o.g.times(a, b), b); }; }},
    {"inverse", [](Operations& o) { o.inverse = [](auto& a) { return a; }; }},
    {"exp is a one-parameter group", [](Operations& o) { o.exp = [&o](auto& xi) { return o.g.exp(bent(xi, xi)); }; }},
    {"exp has the velocity xi", [](Operations& o) { o.exp = [&o](auto& xi) { return o.g.exp(Expr(1.000001) * xi); }; }},
    {"log and exp are inverse", [](Operations& o) { o.log = [&o](auto& a) { return bent(o.g.log(a), o.g.log(a)); }; }},
    {"log and exp are inverse", // the other sign of a turn that is near pi
     [](Operations& o) {
         o.log = [&o](auto& a) {
             Numbers b = a;
             if (value(a[0]) < quad(0.1)) b[0] = -b[0];
             return o.g.log(b);
         };
     },
     "SO(3)"},
    {"log is smooth at the identity", // an angle over its sine, as one would write it
     [](Operations& o) {
         o.log = [](auto& a) {
             const Numbers e = part(a, 1, 3);
             const Expr size = fn::sqrt(dot(e, e));
             return (2 * fn::atan2(size, a[0]) / size) * e;
         };
     },
     "SO(3)"},
    {"log is smooth at the identity",
     [](Operations& o) { o.log = [&o](auto& a) { return Expr(1.000001) * o.g.log(a); }; }},
    {"Cayley's map", [](Operations& o) { o.cayley = [&o](auto& xi) { return o.g.exp(xi); }; }},
    {"Ad is a homomorphism", // the velocity of the body's origin in place of that of space
     [](Operations& o) { o.space_velocity = [&o](auto& g, auto& xi) { return bent(o.g.space_velocity(g, xi), g); }; }},
    {"Ad has an inverse",
     [](Operations& o) {
         o.space_velocity = [&o](auto& g, auto& xi) { return Expr(1.000001) * o.g.space_velocity(g, xi); };
     }},
    {"Ad conjugates matrices",
     [](Operations& o) {
         o.space_velocity = [&o](auto& g, auto& xi) { return Expr(1.000001) * o.g.space_velocity(g, xi); };
     }},
    {"ad is the bracket of matrices",
     [](Operations& o) { o.ad = [&o](auto& x, auto& y) { return plus(o.g.ad(x, y), 0, 1e-6); }; }},
    {"the dual of ad",
     [](Operations& o) { o.ad_dual = [&o](auto& x, auto& m) { return plus(o.g.ad_dual(x, m), 0, 1e-6); }; }},
    {"moving in the chart is a product",
     [](Operations& o) { o.moved = [&o](auto& g, auto& w) { return o.g.moved(g, bent(w, w)); }; }},
    {"moving in the chart is a product",
     [](Operations& o) { o.turn = [&o](auto& x) { return Expr(1.000001) * o.g.turn(x); }; }},
    {"increments move",
     [](Operations& o) {
         o.increment = [&o](auto& c, auto& t, auto& u) { return Expr(1.000001) * o.g.increment(c, t, u); };
     }},
    {"increments restore the length",
     [](Operations& o) { o.increment = [&o](auto& c, auto& t, auto& u) { return o.g.after(c, t, u) + Expr(-1) * c; }; },
     "SO(3)"},
    {"velocities of the body", // seen from space
     [](Operations& o) { o.body_velocity = [&o](auto& w, auto& r) { return o.g.body_velocity(Expr(-1) * w, r); }; },
     "SO(3)"},
    {"velocities of the body",
     [](Operations& o) { o.body_velocity = [&o](auto& w, auto& r) { return bent(o.g.body_velocity(w, r), w); }; }},
    {"rates in the chart",
     [](Operations& o) { o.chart_rate = [&o](auto& w, auto& r) { return bent(o.g.chart_rate(w, r), w); }; }},
    {"momenta in the chart",
     [](Operations& o) { o.chart_momentum = [&o](auto& w, auto& m) { return o.g.chart_momentum(Expr(-1) * w, m); }; },
     "SO(3)"},
    {"momenta in the chart",
     [](Operations& o) { o.chart_momentum = [&o](auto& w, auto& m) { return bent(o.g.chart_momentum(w, m), w); }; }},
    {"momenta of the body",
     [](Operations& o) { o.body_momentum = [&o](auto& w, auto& p) { return bent(o.g.body_momentum(w, p), w); }; }},
    {"smooth at 0", // 0/0 at 0
     [](Operations& o) {
         o.turn = [&o](auto& x) {
             const Expr size = fn::sqrt(dot(x, x));
             return (fn::sin(size) / size) * o.g.turn(x);
         };
     }},
    {"shown and carried", // only the first of the four cases
     [](Operations& o) {
         o.carried_of = [](auto& g) {
             const Expr s = fn::sqrt(1 + g[0] + g[4] + g[8]) / 2;
             return Numbers{s, (g[7] - g[5]) / (4 * s), (g[2] - g[6]) / (4 * s), (g[3] - g[1]) / (4 * s)};
         };
     },
     "SO(3)"},
    {"shown and carried",
     [](Operations& o) { o.carried_of = [&o](auto& g) { return plus(o.g.carried_of(g), 0, 1e-6); }; }},
    {"the one-form",
     [](Operations& o) { o.one_form = [&o](auto& c, auto& p) { return plus(o.g.one_form(c, p), 0, 1e-6); }; }},
};

TEST(Mutants, AreSeen) {
    for (const Mutant& m : mutants)
        for (const LieGroup& g : groups()) {
            if (*m.only && g.name != m.only) continue;
            Operations operations(g);
            m.change(operations);
            Random random(g);
            const auto law = std::find_if(std::begin(laws), std::end(laws),
                                          [&](const Law& l) { return std::string_view(l.name) == m.law; });
            ASSERT_NE(law, std::end(laws)) << m.law;
            const quad defect = law->defect(operations, random);
            EXPECT_TRUE(!(defect <= static_cast<quad>(1e4 * round_off)))
                << m.law << " on " << g.name << ": " << text(defect);
        }
}

TEST(EveryLaw, HasAMutant) {
    for (const Law& law : laws)
        EXPECT_TRUE(std::any_of(std::begin(mutants), std::end(mutants), [&](const Mutant& m) {
            return std::string_view(m.law) == law.name;
        })) << law.name;
}

TEST(Groups, AreFoundByName) {
    for (const LieGroup& g : groups()) {
        EXPECT_EQ(find_group(g.name), &g);
        EXPECT_EQ(g.shown_names().size(), static_cast<std::size_t>(g.shown()));
    }
    EXPECT_EQ(find_group("SO(4)"), nullptr);
}

} // namespace
} // namespace rattleback::group_laws
