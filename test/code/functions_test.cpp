// Every row of functions.def in all that is compiled from it: parser, printers, tape, machine code and exported C. No
// row is named here: one that is added is tested, too.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "code/backend.hpp"
#include "code/c99.hpp"
#include "code/on_lanes.hpp"
#include "expr/formulas.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using test::OnLanes, test::same_bits;

constexpr const char* names[] = {"x", "y", "z"};

// A row of x, y, z as a system: given three numbers, one result.
struct RowSystem {
    explicit RowSystem(const Function& f) {
        const std::array<Expr, 3> xyz{graph->symbol("x"), graph->symbol("y"), graph->symbol("z")};
        formula = call(f.op, std::span(xyz).first(static_cast<std::size_t>(f.arity)));
        Vec given;
        for (std::size_t i = 0; i < 3; ++i) given.push_back({names[i], xyz[i]});
        compiled = compile(System{graph, given, {}, {}, Vec({{"f", formula}})});
    }
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    Expr formula;
    std::shared_ptr<const CompiledSystem> compiled;
};

// Arguments of both signs and all sizes; whole numbers among them, which are the orders of some functions.
std::vector<std::array<double, 3>> arguments(Op op) {
    std::mt19937_64 random(static_cast<unsigned>(op));
    std::vector<std::array<double, 3>> all;
    for (int k = 0; k < 400; ++k) {
        std::array<double, 3> x{};
        for (double& v : x) {
            const double unit = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
            v = k % 4 == 0 ? static_cast<double>(random() % 8)
                           : std::ldexp(unit, k % 4 == 1 ? static_cast<int>(random() % 40) - 20 : 2);
        }
        all.push_back(x);
    }
    return all;
}

double on_the_tape(const RowSystem& row, const std::array<double, 3>& x) {
    SystemSolver<double> tape(row.compiled);
    for (std::size_t i = 0; i < 3; ++i) tape.given()[i] = x[i];
    Report report;
    EXPECT_TRUE(tape.solve(report)) << to_text(row.formula);
    return tape.result(0);
}

TEST(EveryRow, CanBeWrittenAndRead) {
    for (const Function& f : functions()) {
        Graph g;
        test::TestScope scope(g);
        std::vector<Expr> xyz;
        for (const char* name : names) xyz.push_back(scope.add(name));
        const Expr formula = call(f.op, std::span(xyz).first(static_cast<std::size_t>(f.arity)));
        EXPECT_EQ(scope(to_text(formula)), formula) << to_text(formula);
        const std::string latex = to_latex(formula);
        EXPECT_EQ(latex.find('%'), std::string::npos) << latex;
        for (int i = 0; i < f.arity; ++i) EXPECT_NE(latex.find(names[i]), std::string::npos) << latex;
        if (f.name.empty()) continue;
        std::string text = std::string(f.name) + "(x";
        for (int i = 1; i < f.arity; ++i) text += std::string(", ") + names[i];
        EXPECT_EQ(scope(text + ")"), formula) << text;
    }
}

TEST(EveryRow, HasAValueWhereItsDomainAllowsEverything) {
    for (const Function& f : functions()) {
        if (!f.domain.empty()) continue;
        const RowSystem row(f);
        for (const auto& x : arguments(f.op))
            EXPECT_TRUE(std::isfinite(on_the_tape(row, x))) << to_text(row.formula) << " of " << x[0] << ", " << x[1];
    }
}

TEST(EveryRow, HasTheBitsOfTheTapeInMachineCode) {
    if (!code::backend()) GTEST_SKIP() << code::backend_missing();
    for (const Function& f : functions()) {
        const RowSystem row(f);
        OnLanes lanes(row.compiled, {4, 1});
        int compared = 0;
        for (const auto& x : arguments(f.op)) {
            for (std::size_t lane = 0; lane < 4; ++lane)
                for (std::size_t i = 0; i < 3; ++i) lanes.give(lane, i, x[i]);
            lanes.run();
            if (lanes.left(1)) continue;
            EXPECT_TRUE(same_bits(lanes.result(1, 0), on_the_tape(row, x))) << to_text(row.formula);
            ++compared;
        }
        EXPECT_GT(compared, 50) << to_text(row.formula);
    }
}

// All rows as one C program, which reads arguments and prints results as hexadecimal numbers.
class ExportedRows {
  public:
    ExportedRows() {
        std::string name = std::filesystem::temp_directory_path() / "rattleback_rows_XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~ExportedRows() { std::filesystem::remove_all(folder_); }
    ExportedRows(const ExportedRows&) = delete;
    ExportedRows& operator=(const ExportedRows&) = delete;

    void add(const code::Listing& listing) {
        const std::string name = "row" + std::to_string(count_++);
        text_ += code::c99_function(listing, name);
        rows_ += name + ", ";
    }
    bool compile() const {
        const std::string source = (folder_ / "rows.c").string();
        std::ofstream(source) << "#include <stdio.h>\n"
                              << code::c99_preamble(text_) << text_ << R"(
static int (*const rows[])(double* const*) = {)"
                              << rows_ << R"(0};
int main(void)
{
    unsigned row;
    double given[3];
    while (scanf("%u %la %la %la", &row, given, given + 1, given + 2) == 4) {
        double result = 0, active = 1, left = 0, iterations = 0, none = 0;
        double* const arrays[9] = {given, &result, &none, &none, &none, &none, &active, &left, &iterations};
        const int refused = rows[row](arrays);
        printf("%d %a\n", refused, result);
    }
    return 0;
}
)";
        const std::string program = (folder_ / "rows").string();
        return std::system(("cc -std=c99 -O2 -Wall -Wextra -Werror -Wno-unused-function '" + source + "' -lm -o '" +
                            program + "'")
                               .c_str()) == 0;
    }
    std::vector<std::pair<int, double>> run(const std::string& input) const {
        std::ofstream(folder_ / "in") << input;
        const std::string out = (folder_ / "out").string();
        EXPECT_EQ(
            std::system(("'" + (folder_ / "rows").string() + "' < '" + (folder_ / "in").string() + "' > '" + out + "'")
                            .c_str()),
            0);
        std::ifstream in(out);
        std::vector<std::pair<int, double>> results;
        std::string left, value;
        while (in >> left >> value) results.emplace_back(std::stoi(left), std::strtod(value.c_str(), nullptr));
        return results;
    }

  private:
    std::filesystem::path folder_;
    std::string text_, rows_;
    int count_ = 0;
};

TEST(EveryRow, HasTheBitsOfTheTapeInExportedC) {
    ExportedRows exported;
    std::vector<const Function*> rows;
    for (const Function& f : functions()) {
        const RowSystem row(f);
        rows.push_back(&f);
        exported.add(code::write_solve(*row.compiled, {}));
    }
    ASSERT_TRUE(exported.compile());
    std::string input;
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (const auto& x : arguments(rows[r]->op)) {
            char line[128];
            std::snprintf(line, sizeof line, "%zu %a %a %a\n", r, x[0], x[1], x[2]);
            input += line;
        }
    const auto results = exported.run(input);
    std::size_t at = 0;
    for (const Function* f : rows) {
        const RowSystem row(*f);
        int compared = 0;
        for (const auto& x : arguments(f->op)) {
            ASSERT_LT(at, results.size());
            const auto [left, value] = results[at++];
            if (left != 0) continue; // not finite, or outside the range of its lines
            EXPECT_TRUE(same_bits(value, on_the_tape(row, x)))
                << to_text(row.formula) << " of " << x[0] << ", " << x[1] << ": " << value;
            ++compared;
        }
        EXPECT_GT(compared, 50) << to_text(row.formula);
    }
    EXPECT_EQ(at, results.size());
}

} // namespace
} // namespace rattleback
