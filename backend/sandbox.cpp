#include "sandbox.hpp"

#include <array>
#include <cerrno>
#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <cstddef>

namespace rattleback {

bool limit_resources(std::uint64_t file_size) {
    // libhdf5 with its libraries takes 60 MB of addresses, a chunk at most 64 MB. A small file takes 0.02 s, 1 GB 2 s.
    constexpr rlim_t memory = rlim_t{1} << 30, seconds = 2, bytes_a_second = rlim_t{20} << 20;
    constexpr int most_inherited = 1024; // descriptors that the parent may have left open
    const auto limit = [](auto what, rlim_t most) {
        const rlimit both{most, most};
        return ::setrlimit(what, &both) == 0;
    };
    for (int fd = STDERR_FILENO + 1; fd < most_inherited; ++fd) ::close(fd);
    const bool limited = limit(RLIMIT_AS, memory) && limit(RLIMIT_CPU, seconds + file_size / bytes_a_second) &&
                         limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 3);
#if defined(__linux__)
    const pid_t parent = ::getppid();
    return limited && ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
#else
    return limited;
#endif
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

bool forbid_system_calls() {
#if defined(__x86_64__)
    constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#else
    constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#endif
    constexpr std::array allowed = {__NR_read,         __NR_pread64,       __NR_write,  __NR_lseek,     __NR_fstat,
                                    __NR_brk,          __NR_munmap,        __NR_mremap, __NR_madvise,   __NR_futex,
                                    __NR_rt_sigreturn, __NR_clock_gettime, __NR_exit,   __NR_exit_group};
    constexpr std::array memory = {__NR_mmap, __NR_mprotect}; // but not memory to execute
    constexpr std::size_t head = 4, of_one = 2, of_memory = 5, tail = 1;
    std::array<sock_filter, head + allowed.size() * of_one + memory.size() * of_memory + tail> program{};
    std::size_t n = 0;
    const auto load = [&](std::size_t at) {
        program[n++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(at));
    };
    const auto give = [&](std::uint32_t verdict) { program[n++] = BPF_STMT(BPF_RET | BPF_K, verdict); };
    const auto skip_unless_equal = [&](std::uint32_t value, std::uint8_t skipped) {
        program[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
    };
    const auto refused = static_cast<std::uint32_t>(SECCOMP_RET_ERRNO) | EPERM;
    load(offsetof(seccomp_data, arch));
    program[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
    for (const int call : allowed) skip_unless_equal(static_cast<std::uint32_t>(call), 1), give(SECCOMP_RET_ALLOW);
    for (const int call : memory) { // the third argument says what the memory is for
        skip_unless_equal(static_cast<std::uint32_t>(call), of_memory - 1);
        load(offsetof(seccomp_data, args[2]));
        program[n++] = BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1);
        give(refused), give(SECCOMP_RET_ALLOW);
    }
    give(refused);
    const sock_fprog filter{static_cast<unsigned short>(n), program.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

#else

bool forbid_system_calls() { return true; }

#endif

} // namespace rattleback
