// Random models run on the tape and in machine code: every bit of every column is the same, or both fail alike.
#include <rattleback/rattleback.hpp>

#include <cstring>

#include "attack/campaign.hpp"
#include "code/backend.hpp"
#include "code/random_model.hpp"

namespace attack {
namespace {

using namespace rattleback;

enum Outcome { in_code, failed_alike, on_the_tape };

// The method stands before the model, in one text that is kept where something is wrong with it.
std::string with_method(long seed) {
    const test::ModelAndMethod made = test::random_case(static_cast<unsigned>(seed) + 1000);
    return "# -m " + made.method + "\n" + made.model + "[observables]\nclock = \"t\"\n";
}

std::string difference(const Run& tape, const Run& code) {
    if (tape.report().text() != code.report().text()) return "they end differently: " + code.report().text();
    for (std::size_t i = 0; i < tape.record.layout().groups.size(); ++i) {
        const std::vector<double>&a = tape.record.table(i), &b = code.record.table(i);
        if (a.size() != b.size() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) != 0)
            return "machine code has other bits than the tape in " + tape.record.layout().groups[i].name;
    }
    return "";
}

int judged(const std::string& text, long seed, std::string& violation) {
    const Model model = read_model(text, "random.toml");
    RunOptions options{.method = text.substr(5, text.find('\n') - 5),
                       .step = model.constrained() ? 0.02 : 0.05 * static_cast<double>(1 + seed % 8),
                       .steps = 60};
    options.project = true, options.engine = RunOptions::Engine::interpreted;
    const Run tape = integrate(model, options);
    options.engine = RunOptions::Engine::compiled;
    const Run code = integrate(model, options);
    violation = difference(tape, code);
    if (!tape.report().ok()) return failed_alike;
    return code.summary().note.find("on the tape") == std::string::npos ? in_code : on_the_tape;
}

TEST(Attack, RandomModelsOnBothBackEnds) {
    if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    const char* const cache = std::getenv("RATTLEBACK_CACHE");
    const std::string before = cache ? cache : "";
    setenv("RATTLEBACK_CACHE", "", 1); // every one of them is compiled
    Campaign("random models on both back ends", {"same bits", "failed alike", "on the tape alone"}, with_method, judged)
        .run(how_many(150, 1'500));
    cache ? setenv("RATTLEBACK_CACHE", before.c_str(), 1) : unsetenv("RATTLEBACK_CACHE");
}

} // namespace
} // namespace attack
