// Functions compiled for a processor that has fused multiply-add as an instruction, and whether this is one. Without it
// the C library rounds the same, only slowly.
#pragma once

#if defined(__x86_64__) && !defined(__FMA__)
#define RATTLEBACK_FUSED [[gnu::target("fma")]]
namespace rattleback {
inline const bool has_fused = __builtin_cpu_supports("fma");
}
#else
#define RATTLEBACK_FUSED
namespace rattleback {
constexpr bool has_fused = true;
}
#endif
