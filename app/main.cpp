// The program: the list of verbs, and what exceptions become for the user.
#include "common.hpp"
#include "page.hpp"
#include "signals.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

int main(int argc, char** argv) {
    app::remember_command(argc, argv);
    app::answer_signals();
    try {
        std::vector<app::Verb> verbs{app::make_run(),    app::make_solve(),   app::make_compare(), app::make_order(),
                                     app::make_verify(), app::make_papers(),  app::make_report(),  app::make_check(),
                                     app::make_export(), app::make_methods(), app::make_gallery(), app::make_cite(),
                                     app::make_new(),    app::make_schema()};
        verbs.push_back(app::make_manual(verbs));
        verbs.push_back(app::make_completion(verbs));
        const int exit_code = app::run_command_line(argc, argv, verbs);
        if (std::fflush(stdout) != 0 || std::ferror(stdout))
            throw rattleback::CannotWrite("cannot write to standard output: " + std::string(std::strerror(errno)));
        if (exit_code == app::interrupted) _exit(exit_code); // not waiting for a thread that may still be compiling
        return exit_code;
    } catch (const rattleback::CannotWrite& e) {
        app::complain(e.what());
        return app::failed;
    } catch (const std::bad_alloc&) {
        app::complain("out of memory: record fewer nodes with --every, or take a smaller model");
        return app::failed;
    } catch (const std::exception& e) { // an Error, or a mistake of ours
        app::complain(e.what());
    }
    return app::bad_input;
}
