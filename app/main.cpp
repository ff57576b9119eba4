#include "common.hpp"
#include "page.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "expr/nearest.hpp"

namespace {

// CLI11 would only say that a verb is missing.
void require_verb(const CLI::App& program, const std::string& word) {
    if (word.empty() || word[0] == '-') return;
    std::vector<std::string> verbs;
    std::string list;
    for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; })) {
        verbs.push_back(verb->get_name());
        list += (list.empty() ? "" : ", ") + verb->get_name();
    }
    if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
    const std::string near = rattleback::nearest(word, verbs);
    throw app::BadCommand("unknown verb '" + word + "'; " +
                          (near.empty() ? "verbs are " + list : "did you mean '" + near + "'?"));
}

} // namespace

int main(int argc, char** argv) {
    CLI::App program(
        "Rattleback: mechanical systems, simulated so that what the physics preserves, the numbers preserve.",
        "rattleback");
    program.set_version_flag("--version", "rattleback " RATTLEBACK_VERSION);
    program.require_subcommand(1);
    program.footer(
        "rattleback VERB --help tells more. Start with: rattleback run pendulum -m midpoint --step 0.1 --until 10");
    int exit_code = app::done;
    app::remember_command(argc, argv);
    app::add_run(program, exit_code);
    app::add_compare(program, exit_code);
    app::add_order(program, exit_code);
    app::add_verify(program, exit_code);
    app::add_papers(program, exit_code);
    app::add_report(program, exit_code);
    app::add_check(program, exit_code);
    app::add_export(program, exit_code);
    app::add_methods(program, exit_code);
    app::add_gallery(program, exit_code);
    app::add_cite(program, exit_code);
    try {
        require_verb(program, argc > 1 ? argv[1] : "");
        program.parse(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout))
            throw rattleback::CannotWrite("cannot write to standard output: " + std::string(std::strerror(errno)));
        return exit_code;
    } catch (const CLI::Success& e) { // --help, --version
        return program.exit(e);
    } catch (const CLI::ParseError& e) {
        std::fprintf(stderr, "rattleback: %s\n'rattleback --help' lists verbs, 'rattleback VERB --help' options\n",
                     e.what());
    } catch (const rattleback::CannotWrite& e) {
        std::fprintf(stderr, "rattleback: %s\n", e.what());
        return app::failed;
    } catch (const std::bad_alloc&) {
        std::fputs("rattleback: there is not enough memory for this model\n", stderr);
    } catch (const std::exception& e) { std::fprintf(stderr, "rattleback: %s\n", e.what()); }
    return app::bad_input;
}
