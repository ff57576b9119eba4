// What steps on groups cost in machine code, as a ratio to the same steps written by hand (bench/hand/rigid_body.hpp)
// in the same run.
//
//   bench_groups                            the table
//   bench_groups --count SIDE ROW N         N steps of one side, hand, tape or code, and nothing else: for callgrind

#pragma GCC optimize("fp-contract=fast") // see sides.hpp

#include <cstring>

#include "hand/rigid_body.hpp"
#include "sides.hpp"

namespace {

using namespace bench;

const char* const suslov_text = R"toml(
name = "Suslov"
[group]
name = "SO(3)"
inertia = [[2, 0, 0.3], [0, 1.5, 0.2], [0.3, 0.2, 1]]
constraints = [[0, 0, 1]]
[initial]
g = [1, 0, 0, 0, 1, 0, 0, 0, 1]
xi = [0.6, -0.8, 0]
[run]
step = 0.01
)toml";

const char* const top_text = R"toml(
name = "heavy top"
coordinates = ["R in SO(3)"]
[definitions]
I = [[0.1, 0, 0], [0, 0.12, 0], [0, 0, 0.05]]
[mechanics]
kinetic = "dot(body(R), I*body(R))/2"
potential = "2.9*dot(R*[0, 0, 1], [0, 0, 1])"
[initial]
q = { R = "rotx(0.6)" }
v = { R = [0.8, -0.3, 11] }
[run]
step = 0.001
)toml";

std::array<double, 4> about_x(double angle) { return {std::cos(angle / 2), std::sin(angle / 2), 0, 0}; }

template <class Step> struct Body : Side {
    Body(Step s, std::array<double, 4> q, hand::Triple w) : step(s), q0(q), w0(w) {}
    void restart() override { step.start(q0, w0); }
    bool run(long long count) override {
        Step now = step; // on the stack, where nothing else can change it: its state stays in registers
        bool ran = true;
        for (long long i = 0; i < count && ran; ++i) ran = now.advance();
        step = now;
        return ran;
    }
    std::vector<double> state(int) const override {
        const auto s = step.state();
        return {s.begin(), s.end()};
    }
    long long iterations() const override { return step.iterations; }
    Step step;
    std::array<double, 4> q0;
    hand::Triple w0;
};

std::unique_ptr<Side> suslov(const Model& m) {
    const hand::Columns3 I{{2, 0, 0.3}, {0, 1.5, 0.2}, {0.3, 0.2, 1}};
    return std::make_unique<Body<hand::Suslov>>(hand::Suslov(I, *m.run.step), about_x(0), hand::Triple{0.6, -0.8, 0});
}
std::unique_ptr<Side> top(const Model& m) {
    const hand::Columns3 I{{0.1, 0, 0}, {0, 0.12, 0}, {0, 0, 0.05}};
    return std::make_unique<Body<hand::HeavyTop>>(hand::HeavyTop(I, 2.9, *m.run.step), about_x(0.6),
                                                  hand::Triple{0.8, -0.3, 11});
}

InitialData<double> faster(const Model& model, int i) {
    InitialData<double> data{.q = numbers(model.q0), .v = numbers(model.v0)};
    data.v[0] += 1e-4 * i;
    return data;
}

} // namespace

int main(int argc, char** argv) {
    const Model first = read_model(suslov_text, "suslov.toml"), second = read_model(top_text, "top.toml");
    const std::vector<CodeCase> cases = {
        {"Suslov", "lie_gni", &first, suslov, faster, 1, 1, 1, 1, 1.3, 300},
        {"Suslov", "lie_gni", &first, suslov, faster, 4, 1, 4, 1, 0.4, 300},
        {"heavy top", "lie_del", &second, top, faster, 1, 1, 1, 1, 1.3},
        {"heavy top", "lie_del", &second, top, faster, 4, 1, 4, 1, 0.4},
    };
    if (argc > 1 && std::strcmp(argv[1], "--count") == 0) return count(cases, argc, argv);
    std::printf("Machine code, ns a step and trajectory; by hand one trajectory; Newton iterations a step;\n"
                "largest difference of the states at the end\n\n");
    print_code_header();
    bool good = true;
    for (const CodeCase& c : cases) good &= compare(c);
    return good ? 0 : 1;
}
