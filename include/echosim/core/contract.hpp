// SPDX-License-Identifier: MIT
// Preconditions. A broken one is a programmer's mistake: it ends the program with a sentence, or the compilation when
// the expression is evaluated at compile time. Define ECHOSIM_EXPECTS before the first include to handle it yourself.
#pragma once
#include <cstdio>
#include <cstdlib>

namespace echosim::inline v0 {

[[noreturn]] inline void broken_contract(const char* condition, const char* message, const char* file, int line) {
  std::fprintf(stderr, "echosim: %s [%s, %s:%d]\n", message, condition, file, line);
  std::abort();
}

}  // namespace echosim::inline v0

#ifndef ECHOSIM_EXPECTS
#define ECHOSIM_EXPECTS(condition, message) \
  ((condition) ? static_cast<void>(0) : ::echosim::broken_contract(#condition, message, __FILE__, __LINE__))
#endif
