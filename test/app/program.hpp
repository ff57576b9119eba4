// Runs the program as a person does: arguments in, exit code and two streams out.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <poll.h>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace app_test {

struct Outcome {
    int code = -1; // of the exit; minus the signal that ended it
    std::string out, err;
    double cpu_seconds = 0, megabytes = 0;
};

struct Conditions {
    double interrupt_after = -1; // seconds, since the file `once_there` has come to be
    std::string once_there = {};
    std::function<bool()> once = {}; // asked again and again until the end; interrupts when it says so
    int signal = SIGINT;
    std::size_t reads = std::string::npos; // bytes of standard output, before the pipe is closed
    rlim_t memory = rlim_t{3} << 30, file_size = RLIM_INFINITY;
    int error_fd = -1;         // standard error goes there instead
    std::string out_file = {}; // standard output goes there instead
    const char* program = RATTLEBACK_PROGRAM;
};

// A folder of its own for each test program, gone at its end.
class Folder {
  public:
    Folder() {
        std::string name = std::filesystem::temp_directory_path() / "rattleback_app_XXXXXX";
        path_ = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string operator/(std::string_view name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};
inline const Folder& folder() {
    static const Folder one;
    return one;
}

inline std::string write_file(const std::string& name, std::string_view text) {
    const std::string path = folder() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

inline std::string read_file(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

inline void become_program(const Conditions& conditions, const std::vector<std::string>& arguments, int out, int err) {
    dup2(out, 1), dup2(err, 2);
    const rlimit memory{conditions.memory, conditions.memory}, time{60, 60}, file{conditions.file_size, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &memory), setrlimit(RLIMIT_CPU, &time), setrlimit(RLIMIT_FSIZE, &file);
    std::vector<char*> words{const_cast<char*>("rattleback")};
    for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
    words.push_back(nullptr);
    execv(conditions.program, words.data());
    _exit(127);
}

inline Outcome rattleback(const std::vector<std::string>& arguments, const Conditions& conditions = {}) {
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return {};
    const int to = conditions.out_file.empty()
                       ? out[1]
                       : open(conditions.out_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const pid_t child = fork();
    if (child == 0) become_program(conditions, arguments, to, conditions.error_fd >= 0 ? conditions.error_fd : err[1]);
    close(out[1]), close(err[1]);
    if (to != out[1]) close(to);
    Outcome o;
    using Clock = std::chrono::steady_clock;
    auto begin = Clock::now();
    bool interrupted = conditions.interrupt_after < 0 && !conditions.once, there = conditions.once_there.empty();
    pollfd ends[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        poll(ends, 2, interrupted ? 20 : conditions.once ? 5 : 1);
        if (!there && std::filesystem::exists(conditions.once_there)) there = true, begin = Clock::now();
        const bool asked = conditions.once && conditions.once();
        if (!interrupted && there &&
            (conditions.once
                 ? asked
                 : std::chrono::duration<double>(Clock::now() - begin).count() > conditions.interrupt_after)) {
            kill(child, conditions.signal);
            interrupted = true;
        }
        for (int i = 0; i < 2; ++i) {
            if (ends[i].fd < 0 || !ends[i].revents) continue;
            char buffer[1 << 16];
            const ssize_t n = read(ends[i].fd, buffer, sizeof buffer);
            if (n > 0 && !(i == 0 && o.out.size() >= conditions.reads))
                (i == 0 ? o.out : o.err).append(buffer, static_cast<std::size_t>(n));
            else
                close(ends[i].fd), ends[i].fd = -1;
        }
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    o.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    o.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    o.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
    return o;
}

inline std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, by);) parts.push_back(part);
    return parts;
}

inline constexpr std::string_view pendulum = R"-(name = "pendulum"
coordinates = ["theta"]

[parameters]
g = 9.81

[mechanics]
lagrangian = "theta'^2/2 + g*cos(theta)"

[symmetries]
turn = { theta = 1 }

[observables]
height = "-cos(theta)"
"twice, the angle" = "2*theta"

[initial]
q = { theta = 1 }
v = { theta = 0 }

[run]
method = "midpoint"
step = 0.01
until = 1
)-";

} // namespace app_test
