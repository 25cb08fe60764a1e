// SPDX-License-Identifier: MIT
// How producers of traces write categories and numbers, old ones and new ones.
#pragma once
#include <charconv>
#include <optional>
#include <string_view>

#include "decimal.hpp"
#include "kineto.hpp"

namespace echosim::inline v0::kineto::detail {

inline bool equals_folded(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] + 32) : a[i]) != lower[i]) return false;
  return true;
}

/// Spellings of producers since 2020, compared without case.
inline category category_of(std::string_view text) {
  struct spelling {
    std::string_view text;
    category kind;
  };
  const spelling all[] = {{"cpu_op", category::cpu_op},
                          {"python_function", category::python},
                          {"cuda_runtime", category::runtime},
                          {"kernel", category::kernel},
                          {"gpu_memcpy", category::copy},
                          {"gpu_memset", category::set},
                          {"memcpy", category::copy},
                          {"memset", category::set},
                          {"runtime", category::runtime},
                          {"hip_runtime", category::runtime},
                          {"cuda_driver", category::driver},
                          {"driver", category::driver},
                          {"operator", category::cpu_op},
                          {"user_annotation", category::annotation},
                          {"gpu_user_annotation", category::device_annotation},
                          {"cuda_sync", category::sync}};
  for (const spelling& s : all)
    if (equals_folded(text, s.text)) return s.kind;
  return category::other;
}

/// An integer as producers write it: a number, a number in quotes, or hexadecimal in quotes ("0x0" on AMD).
inline std::optional<i64> lenient_integer(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    u64 v = 0;
    const auto [end, code] = std::from_chars(text.data() + 2, text.data() + text.size(), v, 16);
    return code == std::errc{} && end == text.data() + text.size() && v <= ~u64{0} / 2
               ? std::optional<i64>{static_cast<i64>(v)}
               : std::nullopt;
  }
  const std::optional<decimal> d = to_decimal(text);
  return d ? to_integer(*d) : std::nullopt;
}

}  // namespace echosim::inline v0::kineto::detail
