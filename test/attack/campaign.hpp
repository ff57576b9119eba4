// Many attacks of one kind, each made from a number alone, so that a number is all it takes to repeat one.
//
// ATTACK_SCALE=k: k times the full figures (scripts/test --long); else `usual` ones. ATTACK_SEED: the first number.
// ATTACK_COUNT: how many, whatever the kind. Inputs that violate something stay in build/attack.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attack {

inline long number_from(const char* variable, long fallback) {
    const char* const text = std::getenv(variable);
    return text ? std::atol(text) : fallback;
}
inline long first_seed() { return number_from("ATTACK_SEED", 1); }
inline long how_many(long usual, long full) {
    const long scale = number_from("ATTACK_SCALE", 0);
    return number_from("ATTACK_COUNT", scale > 0 ? scale * full : usual);
}

// Keeps what violated something and says how to repeat it.
inline void keep(const std::string& what, long seed, const std::string& input, const std::string& violation) {
    const std::filesystem::path build = std::filesystem::path(RATTLEBACK_PROGRAM).parent_path(),
                                folder = build / "attack";
    std::filesystem::create_directories(folder);
    const std::string file = folder / (what + "_" + std::to_string(seed));
    std::ofstream(file, std::ios::binary) << input;
    std::printf("VIOLATION %s\n  input: %s\n  again: ATTACK_SEED=%ld ATTACK_COUNT=1 %s --gtest_filter='*%s'\n",
                violation.c_str(), file.c_str(), seed, (build / "test/test_attack").c_str(),
                testing::UnitTest::GetInstance()->current_test_info()->name());
    std::fflush(stdout);
}

// One line for each kind, which scripts/test shows; violations fail the test.
inline void conclude(long count, const std::string& what, const std::string& details, long violations) {
    std::printf("attacked: %ld %s (seed %ld): %s; %ld violations\n", count, what.c_str(), first_seed(), details.c_str(),
                violations);
    EXPECT_EQ(violations, 0);
}

// Attacks inside this process would take it down with them: they run in children, hundreds in each, with limits of
// memory and of processor time for every one of them. What a child does is counted in memory that it shares with us.
class Campaign {
  public:
    static constexpr int outcomes = 8;
    // The outcome of an attack is an index into `names`; `violation` stays empty where all is well.
    using Judge = std::function<int(const std::string& input, long seed, std::string& violation)>;

    Campaign(std::string what, std::vector<std::string> names, std::function<std::string(long)> make, Judge judge)
        : what_(std::move(what)), names_(std::move(names)), make_(std::move(make)), judge_(std::move(judge)) {}

    void run(long count) {
        void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(memory, MAP_FAILED);
        shared_ = new (memory) Shared{};
        const long first = first_seed(), end = first + count;
        for (long seed = first; seed < end; seed = shared_->seed + 1) send_child(seed, std::min(end, seed + 500));
        std::string details;
        for (std::size_t i = 0; i < names_.size(); ++i)
            details += (i ? ", " : "") + std::to_string(shared_->outcome[i]) + " " + names_[i];
        conclude(count, what_, details, shared_->violations);
        munmap(memory, sizeof(Shared));
    }

  private:
    struct Shared {
        long seed = 0; // that is under way, or was the last
        long violations = 0;
        long outcome[outcomes] = {};
    };
    // Of one attack; a mutated model takes milliseconds.
    static constexpr long seconds_allowed = 20;
    static constexpr rlim_t bytes_allowed = rlim_t{4} << 30;

    void send_child(long from, long end) {
        shared_->seed = from;
        std::fflush(stdout);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            work(from, end);
            std::fflush(stdout);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
        ++shared_->violations;
        const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        keep(file_name(), shared_->seed, make_(shared_->seed),
             signal == SIGPROF ? "it takes more than " + std::to_string(seconds_allowed) + " s of processor time"
             : signal          ? "ended by signal " + std::to_string(signal)
                               : "ended with code " + std::to_string(WEXITSTATUS(status)));
    }
    void work(long from, long end) {
        const rlimit memory{bytes_allowed, bytes_allowed}, core{0, 0};
        setrlimit(RLIMIT_AS, &memory), setrlimit(RLIMIT_CORE, &core);
        for (long seed = from; seed < end; ++seed) {
            shared_->seed = seed;
            const itimerval timer{{0, 0}, {seconds_allowed, 0}};
            setitimer(ITIMER_PROF, &timer, nullptr);
            const std::string input = make_(seed);
            std::string violation;
            int outcome = 0;
            try {
                outcome = judge_(input, seed, violation);
            } catch (const std::exception& e) { violation = std::string("an exception that is not ours: ") + e.what(); }
            ++shared_->outcome[outcome];
            if (violation.empty()) continue;
            ++shared_->violations;
            keep(file_name(), seed, input, violation);
        }
    }
    std::string file_name() const {
        std::string name = what_;
        std::replace(name.begin(), name.end(), ' ', '_');
        return name;
    }

    std::string what_;
    std::vector<std::string> names_;
    std::function<std::string(long)> make_;
    Judge judge_;
    Shared* shared_ = nullptr;
};

} // namespace attack
