#include "output/child.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rattleback/run.hpp>

namespace rattleback {
namespace {

constexpr int longest_silence = 60'000; // milliseconds; what computes is ended by its limit of CPU time long before

struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() {
        if (::pipe(ends) != 0) return;
        for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
    }
};

int start(const std::string& program, int input, int output, pid_t& id) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    sigset_t none, all;
    sigemptyset(&none), sigfillset(&all);
    posix_spawnattr_setsigmask(&how, &none), posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string name = program, libraries = "LD_LIBRARY_PATH=";
    if (const char* path = std::getenv("LD_LIBRARY_PATH")) libraries += path;
    char* const arguments[] = {name.data(), nullptr};
    char* const environment[] = {libraries.size() > std::strlen("LD_LIBRARY_PATH=") ? libraries.data() : nullptr,
                                 nullptr};
    const int error = ::posix_spawn(&id, program.c_str(), &files, &how, arguments, environment);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

} // namespace

Child::Child(const std::string& program, int input) {
    const Pipe pipe;
    int error = pipe.ends[0] < 0 ? errno : 0;
    if (error == 0) {
        output_ = pipe.ends[0];
        error = start(program, input, pipe.ends[1], id_);
        ::close(pipe.ends[1]);
    }
    if (error == 0) return;
    if (output_ >= 0) ::close(output_);
    throw BadRun("cannot start " + program + ": " + std::strerror(error));
}

Child::~Child() { wait(); }

bool Child::read(char* to, std::size_t size) {
    while (size > 0) {
        pollfd ready{output_, POLLIN, 0};
        const int events = ::poll(&ready, 1, longest_silence);
        if (events < 0 && errno == EINTR) continue;
        silent_ = events == 0;
        if (events <= 0) return false;
        const ssize_t n = ::read(output_, to, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n, size -= static_cast<std::size_t>(n);
    }
    return true;
}

Child::Ending Child::wait() {
    if (id_ < 0) return {};
    if (silent_) ::kill(id_, SIGKILL);
    ::close(output_); // whatever it still has to say, nobody listens
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {}
    id_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0, silent_};
}

} // namespace rattleback
