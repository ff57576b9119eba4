// How the program answers Ctrl-C, kill and the end of a terminal.
#pragma once

namespace app {

// From now on SIGINT, SIGTERM and SIGHUP (unless nohup ignores it) end the program with exit 3, at once. SIGPIPE and
// SIGXFSZ are ignored: the write that they stand for fails, and that is reported.
void answer_signals();

// While there is one, the first signal only sets the flag: a run finishes its outputs. The second ends the program.
class Interruptible {
  public:
    Interruptible();
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;
};
const volatile int* interrupt_flag();

} // namespace app
