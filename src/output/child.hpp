// A program that is started with a file as its standard input, and whose standard output is read.
#pragma once

#include <string>

#include <sys/types.h>

namespace rattleback {

class Child {
  public:
    // Without the environment, but for where libraries are; standard error goes nowhere. Throws BadRun.
    Child(const std::string& program, int input);
    ~Child(); // ends it
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // False: it ended before, or was silent for a minute and was ended.
    bool read(char* to, std::size_t size);

    struct Ending {
        int code = -1;       // exit code; -1: none
        int signal = 0;      // that ended it
        bool silent = false; // it was ended by us
    };
    Ending wait();

  private:
    pid_t id_ = -1;
    int output_ = -1;
    bool silent_ = false;
};

} // namespace rattleback
