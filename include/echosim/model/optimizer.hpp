// SPDX-License-Identifier: MIT
// One rank's optimizer step: kernels over the parameters that it owns. Memory-bound; bytes follow the formats kept by
// mixed-precision Adam (Micikevicius et al. 2018; Rajbhandari et al. 2020, §3.1).
#pragma once
#include "framework.hpp"

namespace echosim::inline v0 {

[[nodiscard]] constexpr i64 gradient_bytes(const framework& f, dtype t) {
  return f.accumulates_in_fp32 || bits(t) > 16 ? 4 : 2;
}

namespace detail {
[[nodiscard]] constexpr kernel optimizer_kernel(const char* name, i64 elements, i64 bytes_each, double work_each,
                                                const framework& f) {
  kernel k = streaming(name, kernel_kind::optimizer, 1, elements, bytes_each, dtype::fp32);
  k.work = {work_each * static_cast<double>(elements)};
  k.issue = f.kernel_issue;
  return k;
}
}  // namespace detail

/// Sum of squares of the gradients.
[[nodiscard]] constexpr kernel gradient_norm(i64 elements, dtype t, const framework& f) {
  return detail::optimizer_kernel("gradient norm", elements, gradient_bytes(f, t), 2, f);
}
/// Scales the gradients by the clip coefficient, in place.
[[nodiscard]] constexpr kernel gradient_clip(i64 elements, dtype t, const framework& f) {
  return detail::optimizer_kernel("gradient clip", elements, 2 * gradient_bytes(f, t), 1, f);
}
/// Clears the gradient buffer before the first micro-batch of a step.
[[nodiscard]] constexpr kernel gradient_zeroing(i64 elements, dtype t, const framework& f) {
  return detail::optimizer_kernel("gradient zeroing", elements, gradient_bytes(f, t), 0, f);
}
/// Adam: the gradient read; master weight and two moments read and written in fp32; a 16-bit copy written.
[[nodiscard]] constexpr kernel adam(i64 elements, dtype t, const framework& f) {
  return detail::optimizer_kernel("adam", elements, gradient_bytes(f, t) + 24 + (bits(t) > 16 ? 0 : 2), 12, f);
}

}  // namespace echosim::inline v0
