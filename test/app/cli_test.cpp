// The command line: exit codes, messages, and which stream they go to.
#include "app/program.hpp"

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include <rattleback/rattleback.hpp>

namespace app_test {
namespace {

const std::string& model() {
    static const std::string path = write_file("pendulum.toml", pendulum);
    return path;
}

struct Refusal {
    std::vector<std::string> arguments;
    std::string says; // on standard error, after "rattleback: "
    int code = 2;
};

void expect_refused(const std::vector<Refusal>& list) {
    for (const Refusal& r : list) {
        const Outcome o = rattleback(r.arguments);
        std::string line;
        for (const std::string& a : r.arguments) line += " " + a;
        EXPECT_EQ(o.code, r.code) << line;
        EXPECT_EQ(o.err, "rattleback: " + r.says + "\n") << line;
        EXPECT_EQ(o.out, "") << line;
    }
}

const std::string see_help = "\n'rattleback --help' lists verbs, 'rattleback VERB --help' options";

// --threads and --seed are options of all verbs: those that have no use for one say so, and their help leaves it out.
TEST(Options, WithoutEffectAreNamed) {
    const std::vector<std::vector<std::string>> verbs = {
        {"run", model(), "--steps", "1"}, {"order", model()}, {"check", model()}, {"methods"}, {"gallery"}};
    for (std::vector<std::string> command : verbs) {
        const std::string verb = command[0], help = rattleback({verb, "--help"}).out;
        command.insert(command.end(), {"--threads", "2", "--seed=7"});
        const Outcome o = rattleback(command);
        EXPECT_EQ(o.code, 0) << verb << o.err;
        EXPECT_TRUE(o.err.starts_with("rattleback: warning: --threads has no effect: " + verb +
                                      " computes on one thread\nrattleback: warning: --seed has no effect: " + verb +
                                      " draws no random numbers\n"))
            << o.err;
        EXPECT_EQ(help.find("--threads"), std::string::npos) << verb;
        EXPECT_EQ(help.find("--seed"), std::string::npos) << verb;
    }
    EXPECT_EQ(rattleback({"run", model(), "--steps", "1", "--threads", "2", "--quiet"}).err, "");
    EXPECT_NE(rattleback({"papers", "--help"}).out.find("--threads INT"), std::string::npos);
}

TEST(Options, NoneAtAllIsAQuestionForHelp) {
    const Outcome o = rattleback({});
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(o.out, rattleback({"--help"}).out);
    EXPECT_EQ(o.err, "");
}

TEST(Refused, Commands) {
    expect_refused({
        {{"--"}, "A subcommand is required" + see_help},
        {{"ru"}, "unknown verb 'ru'; did you mean 'run'?"},
        {{"simulate"},
         "unknown verb 'simulate'; verbs are run, solve, compare, order, verify, papers, report, check, export, "
         "methods, "
         "gallery, cite, new, schema, manual, completion"},
        {{"run"}, "run needs a model, or --from FILE.h5 or FILE.csv"},
        {{"order"}, "model is required" + see_help},
        {{"run", model(), "--wildly"}, "run has no option '--wildly'; 'rattleback run --help' lists them"},
        {{"run", model(), "--stpe", "1"}, "run has no option '--stpe'; did you mean '--step'?"},
        {{"run", "pendulm"}, "there is neither a file nor a model of the gallery 'pendulm'; did you mean 'pendulum'?"},
        {{"run", "nothing_like_it"},
         "there is neither a file nor a model of the gallery 'nothing_like_it'; 'rattleback gallery' lists the models, "
         "'rattleback new FILE.toml' writes one to begin with"},
        {{"run", model(), "-m", "stormer"}, "unknown method 'stormer'; 'rattleback methods' lists them"},
        {{"run", model(), "-m", "verlett"}, "unknown method 'verlett'; did you mean 'verlet'?"},
        {{"run", model(), "-s", "small"}, "--step small: unknown name 'small'"},
        {{"run", model(), "-s", "0"}, "the step must be a finite number other than 0"},
        {{"run", model(), "-s", "nan"}, "--step nan: unknown name 'nan'"},
        {{"run", model(), "-s", "0.1", "--until", "-1"}, "the step 0.1 leads away from the end -1"},
        {{"run", model(), "--until", "inf"}, "--until inf: unknown name 'inf'"},
        {{"run", model(), "--steps", "-1"}, "the number of steps must not be negative"},
        {{"run", model(), "--steps", "1", "--until", "1"}, "--steps and --until cannot be given together"},
        {{"run", model(), "--every", "0"}, "--every must be at least 1"},
        {{"run", model(), "--json", "-o", "-"}, "--json and -o - both want standard output"},
        {{"run", model(), "--backend", "gpu"}, "--backend gpu: choose auto, interpret or jit"},
        {{"run", model(), "--set", "g"}, "--set g: write --set name=value"},
        {{"run", model(), "--set", "h=1"}, "--set h=1: the model has no parameter 'h'\n     = parameters are g"},
        {{"run", model(), "--q", "thet=1"},
         "--q thet=1: the model has no coordinate 'thet'\n     = did you mean 'theta'?"},
        {{"run", model(), "--v", "theta=1/0"}, "--v theta=1/0: 1/0 is not a finite number"},
        {{"order", model(), "-m", "midpoint,rk4"}, "order takes one method"},
        {{"gallery", "perpetuum"}, "the gallery has no model 'perpetuum'; 'rattleback gallery' lists them"},
        {{"cite", "nobody"}, "unknown method 'nobody'; 'rattleback methods' lists them"},
    });
}

TEST(Refused, Methods) {
    expect_refused({
        {{"run", model(), "-m", "midpont"}, "unknown method 'midpont'; did you mean 'midpoint'?"},
        {{"run", model(), "-m", "gauss:stags=2"}, "method 'gauss' has no option 'stags'; did you mean 'stages'?"},
        {{"run", model(), "-m", "gauss:stages=99"}, "option stages=99: a whole number from 1 to 16 is needed"},
        {{"run", model(), "-m", "midpoint,rk4"}, "one method is needed here, not 2"},
        {{"methods", "euler"}, "unknown method 'euler'; 'rattleback methods' lists them"},
    });
}

TEST(Refused, Files) {
    const std::string absent = folder() / "absent.toml", empty = write_file("empty.toml", "\n");
    const std::string bad =
        write_file("bad.toml", "coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2 - foo\"\n");
    expect_refused({
        {{"run", absent}, absent + ": cannot open the file\n     = check the name and the permissions"},
        {{"run", "/tmp"}, "/tmp: is a folder, not a model file"},
        {{"check", empty}, empty + ": the file is empty\n     = 'rattleback gallery' lists models to start from"},
        {{"check", bad},
         bad + ":3:24: unknown name 'foo'\n   3 | lagrangian = \"x'^2/2 - foo\"\n     |                        ^~~"},
        {{"run", model(), "-o", "out.txt"},
         "-o out.txt: results are written as .csv or .h5, or to standard output with '-'"},
        {{"run", model(), "-o", "-", "--columns", "t,phi"},
         "there is no column 'phi'; columns are t, theta, theta', p_theta, energy, constraint, turn, height, twice, "
         "the "
         "angle"},
        {{"run", model(), "-o", "/nowhere/out.csv"}, "cannot write /nowhere/out.csv: No such file or directory", 1},
    });
}

TEST(Exit, LostOutputIsAFailure) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"methods"}, {"run", model(), "--json"}, {"run", model(), "-o", "-", "--quiet"}}) {
        const Outcome o = rattleback(arguments, {.out_file = "/dev/full"});
        EXPECT_EQ(o.code, 1) << arguments[0];
        EXPECT_NE(o.err.find("No space left on device"), std::string::npos) << o.err;
    }
}

TEST(Exit, AFailedRunKeepsItsResults) {
    const std::string fall = write_file("fall.toml", R"-(coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - sqrt(1 - t)"
force = { x = "1/sqrt(0.055 - t)" }
[initial]
q = [0]
v = [0]
)-");
    const std::string file = folder() / "fall.csv";
    const Outcome o = rattleback({"run", fall, "-m", "rk4", "-s", "0.01", "--until", "1", "-o", file});
    EXPECT_EQ(o.code, 1);
    EXPECT_NE(o.err.find("sqrt(0.055 - (t + step size h))"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("in step 6, at t = 0.05"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("results up to there are in " + file), std::string::npos) << o.err;
    EXPECT_EQ(split(read_file(file), '\n').size(), 7u); // the header and nodes 0..5
}

TEST(Exit, InterruptedRunsKeepTheirResults) {
    const std::string file = folder() / "long.csv";
    const Outcome o = rattleback({"run", model(), "-s", "0.001", "--steps", "2000000000", "--every", "100", "-o", file},
                                 {.interrupt_after = 0, .once_there = file});
    EXPECT_EQ(o.code, 3);
    EXPECT_NE(o.err.find("rattleback: interrupted\n"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("results up to there are in " + file), std::string::npos) << o.err;
    EXPECT_EQ(o.err.find('\r'), std::string::npos) << "a progress bar in a pipe";
    const std::vector<std::string> lines = split(read_file(file), '\n');
    ASSERT_GT(lines.size(), 2u);
    EXPECT_EQ(split(lines[0], ',').size() - 1, split(lines.back(), ',').size()) << "the last line is whole";
}

TEST(Numbers, MayBeFormulas) {
    const Outcome formulas = rattleback({"run", model(), "-s", "1/8", "--until", "2^2", "-o", "-", "--quiet"}),
                  numbers = rattleback({"run", model(), "-s", "0.125", "--until", "4", "-o", "-", "--quiet"});
    EXPECT_EQ(formulas.code, 0) << formulas.err;
    EXPECT_EQ(formulas.out, numbers.out);
}

// What a command shows on standard error, if that is a terminal; it is interrupted once `words` are there.
std::string shown_on_a_terminal(const std::vector<std::string>& command, const std::string& words, int code) {
    int terminal = -1, inside = -1;
    EXPECT_EQ(openpty(&terminal, &inside, nullptr, nullptr, nullptr), 0);
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    std::string all;
    const auto there = [&] {
        char part[1 << 12];
        for (ssize_t n; (n = read(terminal, part, sizeof part)) > 0;) all.append(part, static_cast<std::size_t>(n));
        return !words.empty() && all.find(words) != std::string::npos;
    };
    const Outcome o = rattleback(command, {.once = there, .error_fd = inside});
    there(); // the rest
    close(terminal), close(inside);
    EXPECT_EQ(o.code, code) << command[0] << all;
    EXPECT_EQ(o.out.find('\r'), std::string::npos) << command[0];
    return all;
}

// Long enough on every machine, and interrupted as soon as they say it.
TEST(Progress, TellsHowLongStudiesWillTake) {
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"compare", "double_pendulum", "-m", "gauss,rk4,verlet", "--until", "10000"},
          {"verify", "outer_solar_system", "-m", "gauss:stages=2", "--steps", "1000000"},
          {"order", "outer_solar_system", "-m", "gauss:stages=2", "-s", "1", "--steps", "256"},
          {"compare", "rolling_disk_variational", "--principles", "nonholonomic,variational", "--until", "50000"}}) {
        const std::string shown = shown_on_a_terminal(command, " left, ", 3);
        EXPECT_NE(shown.find("\r["), std::string::npos) << command[0] << shown;
        EXPECT_NE(shown.find(" left, "), std::string::npos) << command[0] << shown;
    }
}

// Nothing but the summary follows the last bar; a study that ends before there is a bar shows none.
TEST(Progress, IsErasedBeforeTheSummary) {
    const std::string erased = "\r\033[K";
    const auto after_the_bar = [&](const std::string& shown) {
        const std::size_t last = shown.rfind(erased);
        return last == std::string::npos ? shown : shown.substr(last + erased.size());
    };
    const std::string run =
        shown_on_a_terminal({"run", model(), "-s", "0.001", "--steps", "2000000000", "--every", "1000000"}, "\r[", 3);
    EXPECT_EQ(after_the_bar(run).rfind("rattleback: interrupted\r\n", 0), 0u) << run;
    EXPECT_EQ(after_the_bar(shown_on_a_terminal({"order", "double_pendulum", "-m", "gauss:stages=2"}, "", 0)), "");
    EXPECT_EQ(after_the_bar(shown_on_a_terminal({"verify", "double_pendulum", "-m", "gauss:stages=2"}, "", 0)), "");
}

TEST(Tables, OfThePrograms) {
    const auto text = [](const std::vector<std::string>& arguments) {
        const Outcome o = rattleback(arguments);
        EXPECT_EQ(o.code, 0) << o.err;
        EXPECT_EQ(o.err, "");
        return o.out;
    };
    const std::string methods = text({"methods"});
    for (const ::rattleback::Scheme* s : ::rattleback::all_schemes()) {
        EXPECT_NE(methods.find("\n" + s->id + " "), std::string::npos) << s->id;
        EXPECT_EQ(text({"methods", s->id}).rfind(s->id + ": " + s->title, 0), 0u);
        EXPECT_EQ(text({"cite", s->id}).rfind("@misc{" + s->cite + ",", 0), 0u);
    }
    const std::string models = "\n" + text({"gallery"});
    for (const ::rattleback::GalleryItem& item : ::rattleback::gallery()) {
        EXPECT_NE(models.find("\n" + item.name + " "), std::string::npos) << item.name;
        EXPECT_EQ(text({"gallery", item.name}), item.text);
    }
    EXPECT_EQ(text({"--version"}), "rattleback " RATTLEBACK_VERSION "\n");
    EXPECT_NE(text({"--help"}).find("run "), std::string::npos);
    EXPECT_NE(text({"run", "--help"}).find("--until"), std::string::npos);
    EXPECT_NE(text({"run", "pendulum", "--steps", "1"}).find("1 step to t"), std::string::npos) << "a gallery name";
}

} // namespace
} // namespace app_test
