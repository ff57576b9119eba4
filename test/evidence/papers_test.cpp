// The lines of the papers are as expected, and turn red when an expectation is changed or a method is broken.
#include <gtest/gtest.h>

#include <cmath>

#include <set>

#include "evidence/papers.hpp"
#include "model/gallery.hpp"

namespace rattleback::papers {
namespace {

const Line& line_of(const std::vector<Paper>& all, const std::string& id) {
    for (const Paper& paper : all)
        for (const Line& line : paper.lines)
            if (line.id == id) return line;
    throw std::runtime_error(id);
}

// Every line as it is, with what comes out: computed once for all tests.
const std::vector<std::pair<Line, Result>>& evaluated() {
    static const std::vector<std::pair<Line, Result>> all = [] {
        std::vector<std::pair<Line, Result>> lines;
        for (const Paper& paper : all_papers())
            for (const Line& line : paper.lines) lines.emplace_back(line, evaluate(line));
        return lines;
    }();
    return all;
}

TEST(Papers, AllLinesAreAsExpected) {
    int lines = 0;
    std::set<std::string> ids;
    for (const auto& [line, result] : evaluated()) {
        EXPECT_TRUE(result.as_expected) << line.id << ": " << result.trouble;
        EXPECT_TRUE(ids.insert(line.id).second) << line.id << " is there twice";
        ++lines;
    }
    EXPECT_GE(lines, 70);
}

// A line may wait for what computes it. None does.
TEST(Papers, SayWhatIsStillToCome) {
    const Paper paper = read_paper("seed = \"009\"\npaper = \"Some\"\n[[line]]\nid = \"fig-1\"\nwhat = \"Fig. 1\"\n"
                                   "to_come = \"a check\"\n",
                                   "009.toml");
    EXPECT_EQ(verdict(paper.lines.at(0)), "still to come: a check");
    for (const auto& [line, result] : evaluated()) EXPECT_NE(line.kind, Line::to_come) << line.id;
}

// Every figure of the five papers has a line.
TEST(Papers, HaveTheirFigures) {
    const std::vector<Paper> all = all_papers();
    for (const char* id :
         {"000-fig-5.1", "000-fig-5.2", "000-fig-5.3-circle", "000-fig-5.3-homoclinic", "000-fig-6.1", "001-fig-1",
          "001-fig-2", "002-sleigh", "002-sleigh-error", "002-snakeboard-torques", "003-fig-1", "003-fig-2",
          "003-fig-3", "003-fig-4", "003-fig-5", "003-fig-6", "004-fig-1", "004-fig-2"})
        EXPECT_NO_THROW(line_of(all, id));
}

// The expectation that a value breaks: a band beyond its upper end, a bound on one side where the value is not.
Check changed(Check check, double value) {
    if (std::isfinite(check.lo) && std::isfinite(check.hi))
        check.lo = check.hi + 1e-9 * std::abs(check.hi) + 1e-300, check.hi = HUGE_VAL;
    else if (std::isfinite(check.hi))
        check.hi = value > 0 ? value / 2 : -1;
    else
        check.lo = 2 * value;
    return check;
}

// No band is so wide that it says nothing: each check of each line is left by its value once the band is another.
TEST(Papers, TurnRedWhenAnExpectationIsChanged) {
    int changes = 0;
    for (const auto& [line, result] : evaluated())
        for (std::size_t i = 0; i < line.checks.size(); ++i) {
            Line other = line;
            other.checks[i] = changed(line.checks[i], result.values[i]);
            const Result judged = judge(other, result.values);
            EXPECT_FALSE(judged.as_expected) << line.id << ": " << line.checks[i].take;
            EXPECT_NE(judged.trouble.find("not within"), std::string::npos) << line.id;
            ++changes;
        }
    EXPECT_GE(changes, 174);
}

TEST(Papers, TurnRedWhenAMethodIsBroken) {
    const std::vector<Paper> all = all_papers();
    // One of another order, one that is not symplectic, one that does not keep what it should, one that is not the
    // same.
    for (const auto& [id, broken] : {std::pair("000-prop-4", "rk4"),
                                     std::pair("000-orders", "rk4"),
                                     std::pair("000-fig-6.1", "gauss:stages=2"),
                                     std::pair("000-constraints", "dvak:ld=verlet"),
                                     std::pair("000-fig-5.2", "rk4"),
                                     std::pair("000-fig-5.3-circle", "rk4"),
                                     std::pair("000-fig-5.3-homoclinic", "dvak:ld=alpha:alpha=0"),
                                     std::pair("000-discrete-vakonomic", "rk4"),
                                     std::pair("000-index-3", "gauss:stages=2"),
                                     std::pair("000-relations", "gauss:stages=2"),
                                     std::pair("000-prop-7", "lobatto"),
                                     std::pair("000-lemma-2.1", "midpoint"),
                                     std::pair("000-prop-2", "midpoint"),
                                     std::pair("000-elimination", "gauss:stages=2"),
                                     std::pair("000-prop-6", "lobatto:stages=2"),
                                     std::pair("001-psi", "rk4"),
                                     std::pair("001-fig-1", "dla"),
                                     std::pair("002-energy", "dla"),
                                     std::pair("002-verlet", "gni:start=plain"),
                                     std::pair("002-sleigh", "gf"),
                                     std::pair("003-fig-1", "rattle"),
                                     std::pair("003-fig-3", "underlying"),
                                     std::pair("003-fig-5", "dirac"),
                                     std::pair("003-fig-6", "dirac"),
                                     std::pair("003-prop-2.1", "state_space:stages=2"),
                                     std::pair("003-linear", "dirac"),
                                     std::pair("003-stability-linear", "underlying"),
                                     std::pair("003-alpha", "dirac"),
                                     std::pair("003-rattle", "underlying"),
                                     std::pair("004-prop-1.2", "del"),
                                     std::pair("004-remark-3.2", "gf"),
                                     std::pair("004-preserving", "gf"),
                                     std::pair("004-remark-4.1", "gf:alpha=1/4"),
                                     std::pair("004-ex-4.2", "gni")}) {
        Line line = line_of(all, id);
        for (Check& check : line.checks) check.method = broken;
        const Result result = evaluate(line);
        EXPECT_FALSE(result.as_expected) << id << " with " << broken;
        EXPECT_FALSE(result.trouble.empty());
    }
}

// Rates at which motions part belong to the equations, which every method solves: other equations have other rates.
TEST(Papers, TurnRedWhenAModelIsBroken) {
    const std::vector<Paper> all = all_papers();
    for (const char* id : {"000-line-unstable", "000-circle-rate"}) {
        Line line = line_of(all, id);
        for (Check& check : line.checks) check.changes.set.emplace_back("beta", "1.2");
        const Result result = evaluate(line);
        EXPECT_FALSE(result.as_expected) << id;
        EXPECT_NE(result.trouble.find("growth"), std::string::npos) << result.trouble;
    }
}

TEST(Papers, AreReadWithPlacesOfMistakes) {
    const auto message = [](const std::string& text) -> std::string {
        try {
            read_paper(text, "paper.toml");
        } catch (const BadModel& e) { return e.what(); }
        return "";
    };
    EXPECT_NE(message("seed = 1\npaper = \"x\"\n").find("seed must be a text"), std::string::npos);
    const std::string head = "seed = \"9\"\npaper = \"x\"\n[[line]]\nid = \"a\"\nwhat = \"b\"\n";
    EXPECT_NE(message(head).find("paper.toml:3:1: nothing is checked"), std::string::npos) << message(head);
    EXPECT_NE(
        message(head + "[[line.check]]\nmethod = \"rk4\"\ntake = \"end\"\n").find("what must come out is missing"),
        std::string::npos);
    EXPECT_NE(message(head + "colour = 1\n").find("unknown key 'colour'"), std::string::npos);
}

} // namespace
} // namespace rattleback::papers
