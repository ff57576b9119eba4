#include "signals.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "command_line.hpp"

namespace app {
namespace {

volatile int interrupts = 0;
volatile std::sig_atomic_t polled = 0; // somebody looks at the flag

// NOTE: nothing but write and _exit: the signal may have come in the middle of an allocation. A set-up does not look at
// a flag, and has nothing to finish: its outputs do not exist yet.
void answer(int /*signal*/) {
    if (polled && !interrupts) {
        interrupts = 1;
        return;
    }
    constexpr std::string_view words = "rattleback: interrupted\n";
    const auto written = write(2, words.data(), words.size());
    static_cast<void>(written);
    _exit(interrupted);
}

} // namespace

void answer_signals() {
    struct sigaction action = {}, before = {};
    action.sa_flags = SA_RESTART;
    action.sa_handler = answer;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

Interruptible::Interruptible() { polled = 1; }
Interruptible::~Interruptible() { polled = 0; }
const volatile int* interrupt_flag() { return &interrupts; }

} // namespace app
