// What fits into 80 columns, what is drawn, searched and written.
#include "program.hpp"

#include <rattleback/model.hpp>

namespace app_test {
namespace {

// With COLUMNS as a terminal would have it.
struct Columns {
    explicit Columns(const char* n) { setenv("COLUMNS", n, 1); }
    ~Columns() { unsetenv("COLUMNS"); }
};

std::size_t widest_line(const std::string& text) {
    std::size_t most = 0;
    for (const std::string& line : split(text, '\n')) {
        std::size_t columns = 0;
        for (char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        most = std::max(most, columns);
    }
    return most;
}

TEST(Terminal, EightyColumnsAreRespected) {
    const Columns eighty("80");
    const std::string model = write_file("pendulum.toml", pendulum);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"gallery"},
          {"methods"},
          {"check", model},
          {"check", model, "--all"},
          {"check", "chaplygin_sleigh", "--all"},
          {"compare", model, "-m", "gauss:stages=2,midpoint,compose:order=4:base=verlet"},
          {"run", model, "--plot", "theta"},
          {"verify", model, "--steps", "100"},
          {"order", model},
          {"papers", "--list"},
          {"methods", "gauss"},
          {"solve", "vehicle_parking", "--starts", "2"},
          {"--help"},
          {"run", "--help"},
          {"solve", "--help"},
          {"compare", "--help"},
          {"report", "--help"}}) {
        const Outcome o = rattleback(command);
        EXPECT_EQ(o.code, 0) << command[0] << o.err;
        EXPECT_LE(widest_line(o.out), 80u) << command[0] << "\n" << o.out;
        EXPECT_LE(widest_line(o.err), 80u) << command[0] << "\n" << o.err;
    }
}

TEST(Terminal, ATableOfClaimsHasItsConditionsBelow) {
    const std::string model = write_file("pendulum.toml", pendulum);
    const std::vector<std::string> command{"verify", model, "--steps", "100"};
    EXPECT_NE(rattleback(command).out.find("verdict         remark"), std::string::npos);
    const Columns eighty("80");
    const std::string narrow = rattleback(command).out;
    EXPECT_EQ(narrow.find("remark"), std::string::npos);
    const std::size_t end = narrow.find("\n\n");
    ASSERT_NE(end, std::string::npos) << narrow;
    EXPECT_EQ(narrow.substr(0, end).find("if no forces"), std::string::npos);
    EXPECT_NE(narrow.substr(end).find("symplectic"), std::string::npos);
    EXPECT_NE(narrow.substr(end).find("if no forces"), std::string::npos);
    const std::string models = rattleback({"gallery"}).out; // one line each, but for a few long names
    EXPECT_LE(static_cast<std::size_t>(std::count(models.begin(), models.end(), '\n')),
              ::rattleback::gallery().size() * 11 / 10);
    EXPECT_NE(rattleback({"run", "--help"}).out.find("\n" + std::string(30, ' ') + "CSV on standard output"),
              std::string::npos);
}

TEST(Terminal, RowsOfAPipeAreOneLineEach) {
    const std::string methods = rattleback({"methods"}).out;
    EXPECT_GT(widest_line(methods), 200u);
    EXPECT_NE(methods.find("\nmidpoint  "), std::string::npos);
}

TEST(Terminal, ColumnsArePlotted) {
    const std::string model = write_file("pendulum.toml", pendulum);
    const Outcome o = rattleback({"run", model, "--plot", "theta", "--until", "6"});
    EXPECT_EQ(o.code, 0) << o.err;
    const std::vector<std::string> lines = split(o.out, '\n');
    const auto top =
        std::find_if(lines.begin(), lines.end(), [](const std::string& l) { return l.ends_with(" theta"); });
    ASSERT_NE(top, lines.end()) << o.out;
    EXPECT_EQ(top[1].find("1 |"), top[1].find('|') - 2); // the largest angle is the first
    EXPECT_EQ(top[18].substr(0, 3), "-1 ");              // 18 lines, the smallest at the bottom
    EXPECT_NE(o.out.find("t = 6\n"), std::string::npos) << o.out;
    EXPECT_NE(rattleback({"run", model, "--plot", "theta,theta'"}).out.find("theta = 1\n"), std::string::npos);
    EXPECT_EQ(rattleback({"run", model, "--plot", "thet"}).err,
              "rattleback: --plot: there is no column 'thet'; did you mean 'theta'?\n");
    EXPECT_EQ(rattleback({"run", model, "--plot", "a,b,c"}).err,
              "rattleback: --plot a,b,c: one column against time, or two: --plot x,y\n");
}

TEST(Terminal, NewWritesAModelThatRuns) {
    const std::string file = folder() / "fresh.toml";
    const Outcome o = rattleback({"new", file});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.out, "written  " + file + ": change it, then 'rattleback run " + file + "'\n");
    EXPECT_EQ(rattleback({"run", file}).code, 0);
    EXPECT_EQ(rattleback({"new", file}).err, "rattleback: " + file + " exists already; choose another name\n");
}

TEST(Terminal, TheGalleryIsSearched) {
    const std::string found = rattleback({"gallery", "Chaplygin"}).out;
    EXPECT_NE(found.find("chaplygin_sleigh  "), std::string::npos) << found;
    EXPECT_EQ(found.find("outer_solar_system"), std::string::npos) << found;
    EXPECT_EQ(rattleback({"gallery", "pendulun"}).err,
              "rattleback: the gallery has no model 'pendulun'; did you mean 'pendulum'?\n");
}

TEST(Terminal, VerbsSayWhereTheyWrote) {
    const std::string model = write_file("pendulum.toml", pendulum), csv = folder() / "out.csv";
    EXPECT_NE(rattleback({"run", model, "-o", csv}).out.find("written  " + csv + ": 101 rows\n"), std::string::npos);
    EXPECT_EQ(rattleback({"run", model, "-o", csv, "--quiet"}).out, "");
}

TEST(Terminal, ShellsAndManKnowEveryVerb) {
    const std::string manual = rattleback({"manual"}).out;
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string script = rattleback({"completion", shell}).out;
        for (const char* word : {"run", "compare", "gallery", "manual", "chaplygin_sleigh", "nh_gauss"})
            EXPECT_NE(script.find(word), std::string::npos) << shell << " " << word;
        EXPECT_NE(script.find(shell == std::string("fish") ? "-l until" : "--until"), std::string::npos) << shell;
    }
    EXPECT_EQ(rattleback({"completion", "tcsh"}).err, "rattleback: completion tcsh: choose bash, zsh or fish\n");
    for (const char* verb : {"run", "solve", "compare", "check", "export", "new", "schema"})
        EXPECT_NE(manual.find(".SS " + std::string(verb) + "\n"), std::string::npos) << verb;
    const std::string bash = write_file("completion.bash", rattleback({"completion", "bash"}).out);
    EXPECT_EQ(std::system(("bash -c 'source " + bash +
                           " && COMP_WORDS=(rattleback gal) COMP_CWORD=1 && _rattleback && "
                           "[[ ${COMPREPLY[0]} == gallery ]]'")
                              .c_str()),
              0);
}

} // namespace
} // namespace app_test
