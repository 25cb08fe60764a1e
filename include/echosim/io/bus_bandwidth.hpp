// SPDX-License-Identifier: MIT
// Bus bandwidths of SimAI's analytical mode (aliyun/SimAI, example/busbw.yaml): a bare word, then sections of lines.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "csv.hpp"
#include "shown.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0::simai {

struct bus_bandwidth {
  std::string group, call;     ///< TP, DP, EP or PP; `call` without the comma that belongs to the key in the file
  std::optional<double> gbps;  ///< absent where the file says null
};

/// Reads a table. A section line ends in ':' alone; every other line is `call,: number` or `call: number`.
[[nodiscard]] inline result<std::vector<bus_bandwidth>> read_bus_bandwidths(std::string_view text) {
  std::vector<bus_bandwidth> all;
  text_lines lines{text};
  std::string group;
  if (!lines.next_filled())
    return error{"the text is empty; sections TP:, DP:, EP: or PP: are required; give a table of bus bandwidths"};
  do {
    const std::string_view line = csv::trimmed(lines.text());
    const std::size_t colon = line.find(':');
    const bool first = all.empty() && group.empty();
    if (colon == std::string_view::npos && first && words_of(line).size() == 1) continue;
    if (colon == std::string_view::npos || (group.empty() && colon + 1 != line.size()))
      return error{"line " + std::to_string(lines.number()) + ": found " + shown(line) +
                   "; expected a section such as TP: or call,: number; correct it"};
    std::string_view key = csv::trimmed(line.substr(0, colon)), value = csv::trimmed(line.substr(colon + 1));
    if (value.empty()) {
      if (key != "TP" && key != "DP" && key != "EP" && key != "PP")
        return error{"line " + std::to_string(lines.number()) + ": found the section " + shown(key) +
                     "; expected TP, DP, EP or PP; correct it"};
      group = key;
      continue;
    }
    if (!key.empty() && key.back() == ',') key.remove_suffix(1);
    bus_bandwidth b;
    b.group = group;
    b.call = key;
    if (value != "null") {
      double v = 0;
      const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), v);
      if (code != std::errc{} || end != value.data() + value.size() || !(v > 0) || !(v - v == 0))
        return error{"line " + std::to_string(lines.number()) + ": found " + shown(value) +
                     "; expected GB/s above 0, or null; correct it"};
      b.gbps = v;
    }
    all.push_back(std::move(b));
  } while (lines.next_filled());
  if (all.empty())
    return error{
        "the text has no bandwidth; lines such as allreduce,: 300 are required; give a table of bus bandwidths"};
  return all;
}

}  // namespace echosim::inline v0::simai
