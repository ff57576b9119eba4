// 40 parking problems with random ends, solved without help: a unicycle, a vehicle, a car with one and with two
// trailers. The least that the issue asks for is 38; the others must end with an honest verdict. CPU seconds of each.
#include <cstdio>
#include <cstring>

#include <rattleback/boundary.hpp>

#include "measure.hpp"
#include "parking.hpp"

int main(int argc, char** argv) {
    using namespace rattleback;
    const bool is_long = argc > 1 && std::strcmp(argv[1], "--long") == 0; // also with other starts: is it the cheapest?
    constexpr int problems = 40, least = 38;
    int minima = 0, cheaper = 0;
    for (int i = 0; i < problems; ++i) {
        const parking::Problem problem = parking::random_problem(i);
        const Model model = read_model(problem.text, "parking.toml");
        Solution s;
        const double seconds = bench::cpu_seconds_of([&] { s = find_path(model); });
        const bool is_minimum = s.status == Solution::Status::solved && s.best().verdict == Extremal::Verdict::minimum;
        minima += is_minimum;
        std::printf("%2d %-12s %6.2f s  ", i, problem.kind.c_str(), seconds);
        if (s.extremals.empty())
            std::printf("%s\n", s.what.c_str());
        else
            std::printf("%-10s %.9f, %d of %d starts, %zu extremals\n", std::string(to_text(s.best().verdict)).c_str(),
                        s.best().cost, s.best().hits, s.starts, s.extremals.size());
        if (!is_long || s.extremals.empty()) continue;
        const Solution other = find_path(model, {.starts = 200, .seed = 9});
        if (!other.extremals.empty() && other.best().cost < s.best().cost - 1e-6)
            ++cheaper, std::printf("   200 other starts: %.9f\n", other.best().cost);
    }
    std::printf("%d of %d end at a minimum%s\n", minima, problems, minima >= least ? "" : " !");
    if (is_long) std::printf("of %d of these, 200 other starts found a cheaper one\n", cheaper);
    return minima >= least ? 0 : 1;
}
