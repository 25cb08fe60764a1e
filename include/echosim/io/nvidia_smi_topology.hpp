// SPDX-License-Identifier: MIT
// The matrix that `nvidia-smi topo -m` prints: how each pair of devices of a node is joined.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "shown.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0::nvidia_smi_topology {

/// From near to far, as the legend of the tool orders them. `none`: the matrix does not say.
enum class path : u8 { none, self, nvlink, pix, pxb, phb, node, sys };
[[nodiscard]] constexpr const char* name(path p) {
  constexpr const char* names[] = {"?", "X", "NV#", "PIX", "PXB", "PHB", "NODE", "SYS"};
  return names[static_cast<unsigned>(p)];
}

struct connection {
  path by = path::none;
  i64 links = 0;  ///< NVLinks of the pair; through NVSwitch all that the GPU has
  bool operator==(const connection&) const = default;
};

struct matrix {
  std::vector<std::string> devices;                       ///< as the header orders them
  std::vector<std::vector<connection>> joined;            ///< [row][column], indexes into `devices`
  std::vector<std::string> affinity;                      ///< CPU list of a device; empty where the matrix does not say
  std::vector<std::pair<std::string, std::string>> nics;  ///< NIC0 → mlx5_0

  [[nodiscard]] std::optional<std::size_t> index(std::string_view device) const {
    const auto at = std::find(devices.begin(), devices.end(), device);
    return at == devices.end() ? std::nullopt
                               : std::optional<std::size_t>{static_cast<std::size_t>(at - devices.begin())};
  }
};

namespace detail {

inline std::optional<connection> connection_of(std::string_view cell) {
  constexpr std::array<std::pair<std::string_view, path>, 7> words{{{"X", path::self},
                                                                    {"PIX", path::pix},
                                                                    {"PXB", path::pxb},
                                                                    {"PHB", path::phb},
                                                                    {"NODE", path::node},
                                                                    {"SYS", path::sys},
                                                                    {"SOC", path::sys}}};
  for (const auto& [word, p] : words)
    if (cell == word) return connection{p, 0};
  if (cell.size() > 2 && cell.size() < 6 && cell.substr(0, 2) == "NV")
    if (const auto n = whole_number(cell.substr(2)); n && *n > 0) return connection{path::nvlink, *n};
  return std::nullopt;
}

/// Without the colours and underlines of a terminal.
inline std::string plain(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      i = std::min(line.find_first_not_of("0123456789;", i + 2), line.size());
      continue;
    }
    out += line[i];
  }
  return out;
}

}  // namespace detail

/// Reads a matrix. A row's label is its key: rows come in any order, and devices without a row keep `none`. A header
/// that a terminal has wrapped is joined. Refused: rows of unknown devices, a device twice, cells that are no
/// connection, and a pair that the matrix joins in two ways.
[[nodiscard]] inline result<matrix> read_matrix(std::string_view text) {
  matrix m;
  std::vector<bool> rows;
  bool header_done = false, legend = false;
  text_lines lines{text};
  while (lines.next_filled()) {
    const std::string line = detail::plain(lines.text());
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    const auto wrong = [&](const std::string& found, const std::string& expected) {
      return error{"line " + std::to_string(lines.number()) + ": found " + found + "; expected " + expected +
                   "; give the output of nvidia-smi topo -m"};
    };
    if (words[0] == "NIC" && words.size() > 1 && words[1] == "Legend:") {
      legend = true;
      continue;
    }
    if (legend) {
      if (words.size() == 2 && words[0].size() > 1 && words[0].back() == ':')
        m.nics.emplace_back(words[0].substr(0, words[0].size() - 1), words[1]);
      continue;
    }
    if (words[0] == "Legend:") {
      header_done = true;
      if (m.devices.empty()) break;
      while (lines.next_filled())
        if (words_of(lines.text())[0] == "NIC") {
          legend = true;
          break;
        }
      continue;
    }
    const bool row = words.size() > 1 && detail::connection_of(words[1]).has_value();
    if (!row && header_done) return wrong(shown(line), "a row of the matrix or a legend");
    if (!row) {  // header, perhaps wrapped
      for (std::string_view w : words) {
        if (w == "CPU") break;  // CPU Affinity, NUMA Affinity, GPU NUMA ID
        if (m.index(w)) return wrong(shown(w) + " twice in the header", "distinct devices");
        if (m.devices.size() >= 4096) return wrong("more than 4096 devices", "fewer");
        m.devices.emplace_back(w);
      }
      continue;
    }
    if (!header_done) {
      header_done = true;
      if (m.devices.empty()) return wrong(shown(line), "a header of device names");
      m.joined.assign(m.devices.size(), std::vector<connection>(m.devices.size()));
      m.affinity.resize(m.devices.size());
      rows.resize(m.devices.size());
    }
    const auto at = m.index(words[0]);
    if (!at) return wrong("the row " + shown(words[0]), "a device of the header");
    if (rows[*at]) return wrong("the row " + shown(words[0]) + " again", "one row a device");
    rows[*at] = true;
    std::size_t cells = 0;
    for (; cells < m.devices.size() && cells + 1 < words.size(); ++cells) {
      const auto c = detail::connection_of(words[cells + 1]);
      if (!c) break;
      m.joined[*at][cells] = *c;
    }
    if (cells < m.devices.size())
      return wrong(std::to_string(cells) + " connections in the row " + shown(words[0]),
                   std::to_string(m.devices.size()) + " as in the header");
    if (m.joined[*at][*at].by != path::self)
      return wrong("the row " + shown(words[0]) + " without X below its own name", "X there");
    if (words.size() > cells + 1) m.affinity[*at] = words[cells + 1];
  }
  if (m.joined.empty())
    return error{
        "the text has no rows such as 'GPU0 X NV18 …'; the matrix of devices is required; give the output of "
        "nvidia-smi topo -m"};
  for (std::size_t i = 0; i < m.devices.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (rows[i] && rows[j] && m.joined[i][j] != m.joined[j][i])
        return error{m.devices[j] + " and " + m.devices[i] + " are joined by " + name(m.joined[j][i].by) +
                     " in one row and by " + name(m.joined[i][j].by) +
                     " in the other, or by different numbers of links; both rows must agree; give the output of "
                     "nvidia-smi topo -m"};
  result<matrix> out{std::move(m)};
  const auto missing = std::count(rows.begin(), rows.end(), false);
  if (missing != 0)
    out.note(std::to_string(missing) +
             " devices of the header have no row; what joins them is known from the other rows only");
  return out;
}

}  // namespace echosim::inline v0::nvidia_smi_topology
