// SPDX-License-Identifier: MIT
// Short forms for tests of configuration readers.
#pragma once
#include <string>
#include <string_view>

#include "catch.hpp"
#include "echosim/io/json.hpp"
#include "echosim/io/yaml.hpp"

inline echosim::json tree(std::string_view text) {
  auto r = echosim::parse_yaml(text);
  if (!r) UNSCOPED_INFO(r.why().what);
  REQUIRE(r);
  return *r;
}
inline std::string changed(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
template <class R>
std::string why(const R& r) {
  REQUIRE_FALSE(r);
  return r.why().what;
}
