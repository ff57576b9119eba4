// Hostile models under every verb, and command lines nobody would type: each is answered, with 0 to 3, in little time
// and memory, with an explanation, and with nothing that a terminal would obey.
#include <random>
#include <regex>

#include "app/program.hpp"
#include "attack/campaign.hpp"
#include "attack/hostile_models.hpp"
#include "expr/shown.hpp"

namespace attack {
namespace {

using namespace app_test;
using app_test::rattleback;
using Words = std::vector<std::string>;

constexpr double seconds_allowed = 10, megabytes_allowed = 512;

bool is_clean(std::string text) {
    std::erase(text, '\n');
    return ::rattleback::is_printable(text);
}

std::string violation_of(const Outcome& o, const std::string& verb) {
    static const std::regex not_finite("(^|[,:\\s\\[])-?(nan|inf|NaN|Infinity)([,\\s\\]}]|$)");
    if (o.code < 0) return "ended by signal " + std::to_string(-o.code);
    if (o.code > 3) return "exit code " + std::to_string(o.code);
    if (o.code != 0 && o.err.size() < 20 && verb != "verify") return "no explanation: " + o.err;
    if (o.code != 0 && !o.err.empty() && ("\n" + o.err).find("\nrattleback: ") == std::string::npos)
        return "a message that does not say whose it is: " + o.err.substr(0, 200);
    if (o.err.size() > 6000) return "a message of " + std::to_string(o.err.size()) + " bytes";
    if (!is_clean(o.err) || !is_clean(o.out)) return "something that a terminal would obey";
    if (o.cpu_seconds > seconds_allowed) return std::to_string(o.cpu_seconds) + " s of processor time";
    if (o.megabytes > megabytes_allowed) return std::to_string(o.megabytes) + " MB";
    if (o.code == 0 && (verb == "run" || verb == "compare") && std::regex_search(o.out, not_finite))
        return "exit 0 with a number that is none";
    return "";
}

std::string joined(const Words& words) {
    std::string text = "rattleback";
    for (const std::string& w : words) text += " '" + ::rattleback::shown(w) + "'";
    return text;
}

struct Tally {
    long count = 0, violations = 0, codes[4] = {};

    void attack(const Words& words, long seed, const std::string& input = "") {
        const Outcome o = rattleback(words, {.memory = rlim_t{8} << 30});
        const std::string violation = violation_of(o, words[0]);
        ++count;
        if (violation.empty()) {
            ++codes[o.code];
            return;
        }
        ++violations;
        keep("command", seed, input, violation + "\n  of: " + joined(words) + "\n" + o.err.substr(0, 500));
    }
    void end(const char* what) const {
        std::string details;
        for (int code = 0; code < 4; ++code)
            details += (code ? ", " : "") + std::to_string(codes[code]) + " exit " + std::to_string(code);
        conclude(count, what, details, violations);
    }
};

TEST(Attack, HostileModels) {
    const std::vector<Words> uses = {
        {"check"},
        {"check", "--brackets"},
        {"run", "-o", "-"},
        {"run", "-m", "rk4", "-s", "0.3", "--steps", "20", "-o", "-"},
        {"run", "-m", "gauss:stages=2", "-s", "-0.1", "--steps", "7", "--project", "-o", "-"},
        {"export", "-m", "midpoint", "-o", folder() / "hostile.c"},
        {"verify", "-m", "midpoint", "-s", "0.1", "--steps", "50"}};
    Tally tally;
    const std::vector<std::string>& models = hostile_models();
    const long first = number_from("ATTACK_COUNT", 0) ? first_seed() - 1 : 0,
               all = static_cast<long>(models.size() * uses.size());
    for (long seed = first; seed < std::min(all, first + how_many(all, all)); ++seed) {
        const std::string& text = models[static_cast<std::size_t>(seed) / uses.size()];
        Words words = uses[static_cast<std::size_t>(seed) % uses.size()];
        words.insert(words.begin() + 1, write_file("hostile.toml", text));
        tally.attack(words, seed + 1, text);
    }
    tally.end("hostile models with a verb");
}

// Words that are right, words that are wrong, in an order that may be either.
Words command(long seed) {
    static const std::vector<std::string> verbs = {"run",    "run",    "run",     "check",   "compare", "order",
                                                   "verify", "export", "report",  "methods", "gallery", "cite",
                                                   "papers", "",       "\x1b[2J", "runn"};
    static const std::vector<std::string> models = {"pendulum",
                                                    "kepler",
                                                    "cartesian_pendulum",
                                                    "rolling_disk",
                                                    "heisenberg",
                                                    "pendulumm",
                                                    "",
                                                    "/dev/null",
                                                    "/",
                                                    "-",
                                                    "no.toml",
                                                    "--",
                                                    "\u202ependulum",
                                                    "point_vortices",
                                                    "."};
    static const std::vector<std::string> options = {
        "-m",     "-s",         "--step",  "--steps",     "--until",     "-o",      "--set",    "--q",
        "--v",    "--p",        "--z",     "--every",     "--columns",   "--json",  "--quiet",  "--threads",
        "--seed", "--backend",  "--tol",   "--help",      "--project",   "--force", "--report", "--lambda",
        "--from", "--nonsense", "--latex", "--equations", "--stability", "-x"};
    static const std::vector<std::string> values = {"0",
                                                    "-1",
                                                    "1e308",
                                                    "-1e308",
                                                    "1e-320",
                                                    "nan",
                                                    "inf",
                                                    "1/0",
                                                    "0.1",
                                                    "10",
                                                    "1e17",
                                                    "",
                                                    " ",
                                                    "x=1",
                                                    "g=0",
                                                    "g=-1",
                                                    "g=1e308",
                                                    "theta=1e308",
                                                    "x=nan",
                                                    "=",
                                                    "==",
                                                    "a=b=c",
                                                    "midpoint",
                                                    "rk4",
                                                    "gauss:stages=0",
                                                    "gauss:stages=99",
                                                    "gauss:stages=-1",
                                                    "gauss:stages=1e9",
                                                    "rk:tableau=/dev/null",
                                                    "rattle",
                                                    "nh_rattle",
                                                    "midpoint,rk4,midpoint",
                                                    "midpoint:",
                                                    ":",
                                                    ",",
                                                    "compose:base=compose",
                                                    "del:ld=\x1b[31m",
                                                    "t,t,t",
                                                    "energy",
                                                    "interpret",
                                                    "jit",
                                                    "index",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "18446744073709551616",
                                                    "0x10",
                                                    "1_000",
                                                    "/nowhere/a.csv",
                                                    "/dev/full",
                                                    "sin(1)",
                                                    "sin(",
                                                    "2^0.5",
                                                    std::string(5000, '9'),
                                                    std::string(5000, '('),
                                                    "\xff",
                                                    "\u200b"};
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const auto any = [&](const std::vector<std::string>& of) { return of[random() % of.size()]; };
    Words words{any(verbs)};
    if (random() % 8) words.push_back(any(models));
    for (std::size_t n = random() % 5; n > 0; --n) {
        words.push_back(any(options));
        if (random() % 8) words.push_back(any(values));
    }
    // A run of 1e17 steps is none of our business; the last of two --steps counts, or both are refused.
    const bool steps =
        std::any_of(words.begin(), words.end(), [](const std::string& w) { return w == "--steps" || w == "--until"; });
    if (!steps && (words[0] == "run" || words[0] == "compare")) words.insert(words.end(), {"--steps", "20"});
    return words;
}

// What asks for much work does so rightly, and is not waited for.
bool asks_for_much(const Words& words) {
    if (words[0] == "papers" || words[0] == "order") return true;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const bool length = words[i] == "--steps" || words[i] == "--until" || words[i] == "-s" || words[i] == "--step";
        if (length && words[i + 1].find_first_of("0123456789") != std::string::npos && words[i + 1] != "10" &&
            words[i + 1] != "0" && words[i + 1] != "20")
            return true;
    }
    return false;
}

TEST(Attack, HostileCommands) {
    Tally tally;
    std::filesystem::current_path(folder() / "."); // where -o of any word may write
    const long count = how_many(500, 1'500);
    for (long seed = first_seed(); tally.count < count; ++seed) {
        const Words words = command(seed);
        if (!asks_for_much(words)) tally.attack(words, seed);
        if (number_from("ATTACK_COUNT", 0) == 1) break;
    }
    tally.end("hostile command lines");
}

} // namespace
} // namespace attack
