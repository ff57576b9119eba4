// Runs that are killed while they write: their files open again, and have the rows of a run that was left alone.
#include <random>

#include "app/program.hpp"
#include "attack/campaign.hpp"
#include "output/hdf5.hpp"

namespace attack {
namespace {

using namespace app_test;
using app_test::rattleback;

constexpr const char* swinging = R"-(coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - y"
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[initial]
q = [0.6, -0.8]
v = [0, 0]
[run]
method = "rattle"
step = 0.25
)-";

struct Killed {
    std::string violation = {};
    std::size_t rows = 0;
    bool none = false; // killed before the file was there
};

// The same run, with so many steps, written to its end: what a killed one must have the beginning of.
class Undisturbed {
  public:
    explicit Undisturbed(const std::string& model) : model_(model) {}
    const std::vector<std::string>& rows(std::size_t count) {
        if (lines_.size() > count) return lines_;
        const std::string file = folder() / "undisturbed.csv";
        const Outcome o =
            rattleback({"run", model_, "--steps", std::to_string(2 * count + 1000), "-o", file, "--quiet"});
        EXPECT_EQ(o.code, 0) << o.err;
        return lines_ = split(read_file(file), '\n');
    }

  private:
    std::string model_;
    std::vector<std::string> lines_;
};

Killed killed_csv(const std::string& file, Undisturbed& undisturbed) {
    const std::string text = read_file(file);
    if (text.empty()) return {.none = true};
    Killed k;
    // NOTE: a kill inside of a write may leave a line without its end; `report` leaves it out and says so.
    const std::vector<std::string> lines = split(text.substr(0, text.rfind('\n') + 1), '\n');
    const std::vector<std::string>& whole = undisturbed.rows(lines.size());
    for (std::size_t i = 0; i < lines.size() && k.violation.empty(); ++i)
        if (lines[i] != whole[i]) k.violation = "line " + std::to_string(i + 1) + " of the CSV is " + lines[i];
    k.rows = lines.size() - 1;
    return k;
}

Killed killed_hdf5(const std::string& file, Undisturbed& undisturbed) {
    Killed k;
    try {
        const ::rattleback::StoredRun stored = ::rattleback::read_hdf5(file);
        const auto columns = stored.record.columns();
        k.rows = stored.record["t"].rows();
        if (stored.finished) k.violation = "it says that it is finished";
        const std::vector<std::string>& whole = undisturbed.rows(k.rows + 1);
        for (std::size_t row = 0; row < k.rows && k.violation.empty(); ++row) {
            const std::vector<std::string> cells = split(whole[row + 1], ',');
            for (std::size_t c = 0; c < columns.size(); ++c)
                if (std::strtod(cells[c].c_str(), nullptr) != columns[c][row])
                    k.violation = "row " + std::to_string(row) + " has other numbers";
        }
    } catch (const ::rattleback::BadRun& e) { k.violation = e.what(); }
    return k;
}

TEST(Attack, Kills) {
    const std::string model = write_file("swinging.toml", swinging);
    Undisturbed undisturbed(model);
    const long count = how_many(60, 300);
    std::size_t rows = 0;
    long none = 0, violations = 0;
    for (long seed = first_seed(); seed < first_seed() + count; ++seed) {
        std::mt19937_64 random(static_cast<std::uint64_t>(seed));
        const bool hdf5 = seed % 2;
        const std::string file = folder() / (hdf5 ? "killed.h5" : "killed.csv");
        std::filesystem::remove(file), std::filesystem::remove(file + ".partial");
        const double after = 1e-6 * static_cast<double>(random() % (seed % 5 ? 40'000 : 400'000));
        const std::string watched = random() % 4 ? file : ""; // or killed while nothing may be there yet
        const Outcome o = rattleback({"run", model, "--steps", "2000000000", "-o", file, "--quiet"},
                                     {.interrupt_after = after, .once_there = watched, .signal = SIGKILL});
        Killed k{.none = true};
        if (o.code != -SIGKILL)
            k.violation = "ended with " + std::to_string(o.code) + ": " + o.err;
        else if (std::filesystem::exists(file))
            k = hdf5 ? killed_hdf5(file, undisturbed) : killed_csv(file, undisturbed);
        rows += k.rows, none += k.none;
        if (k.violation.empty()) continue;
        ++violations;
        keep(hdf5 ? "killed_h5" : "killed_csv", seed, read_file(file), k.violation);
    }
    conclude(count, "kills while .csv or .h5 is written",
             std::to_string(rows) + " rows compared, " + std::to_string(none) + " before there was a file", violations);
    EXPECT_GT(rows, 0u);
}

} // namespace
} // namespace attack
