// SPDX-License-Identifier: MIT
// Choices for NCCL's example tuner plug-in (NVIDIA/nccl v2.28.3, plugins/tuner/example, nccl_tuner.conf): the first
// line that matches a call decides.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "csv.hpp"
#include "shown.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0::nccl_tuner {

enum class call_kind : u8 { broadcast, reduce, all_gather, reduce_scatter, all_reduce };
enum class algorithm : u8 { tree, ring, collnet_direct, collnet_chain, nvls, nvls_tree, pat };
enum class protocol : u8 { ll, ll128, simple };

inline constexpr std::array<std::string_view, 5> call_names{"broadcast", "reduce", "allgather", "reducescatter",
                                                            "allreduce"};
inline constexpr std::array<std::string_view, 7> algorithm_names{
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
inline constexpr std::array<std::string_view, 3> protocol_names{"ll", "ll128", "simple"};

/// −1 matches anything; for channels it keeps NCCL's own number. 4294967295 bytes stands for "no limit" in such files.
struct rule {
  call_kind call{};
  i64 least = 0, most = 0;  ///< bytes, both included
  algorithm algo{};
  protocol proto{};
  i64 channels = -1, nodes = -1, ranks = -1, operations = -1, registered = -1;
  u64 line = 0;
};

struct question {
  call_kind call{};
  i64 bytes = 0, nodes = 1, ranks = 1, operations = 1;
  bool registered = false;
};

/// The first rule that matches; null where NCCL decides for itself.
[[nodiscard]] inline const rule* choice(const std::vector<rule>& rules, question q) {
  const auto fits = [](i64 wanted, i64 is) { return wanted == -1 || wanted == is; };
  for (const rule& r : rules)
    if (r.call == q.call && q.bytes >= r.least && (q.bytes <= r.most || r.most == 4294967295) &&
        fits(r.nodes, q.nodes) && fits(r.ranks, q.ranks) && fits(r.operations, q.operations) &&
        fits(r.registered, q.registered ? 1 : 0))
      return &r;
  return nullptr;
}

namespace detail {
template <std::size_t N>
std::optional<u8> position(const std::array<std::string_view, N>& names, std::string_view text) {
  const auto at = std::find(names.begin(), names.end(), text);
  return at == names.end() ? std::nullopt : std::optional<u8>{static_cast<u8>(at - names.begin())};
}
}  // namespace detail

/// Reads a configuration of 8 to 10 columns: call, least and most bytes, algorithm, protocol, channels, nodes, ranks
/// and, optional, pipeline operations and registered buffers. '#' begins a comment line; blank lines are passed over.
[[nodiscard]] inline result<std::vector<rule>> read_rules(std::string_view text) {
  std::vector<rule> rules;
  text_lines lines{text};
  while (lines.next_filled()) {
    const std::string_view line = csv::trimmed(lines.text());
    if (line[0] == '#') continue;
    const auto wrong = [&](std::string_view found, const std::string& expected) {
      return error{"line " + std::to_string(lines.number()) + ": found " + shown(found) + "; expected " + expected +
                   "; correct it"};
    };
    std::vector<std::string_view> f;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      f.push_back(csv::trimmed(line.substr(at, end - at)));
      at = end + 1;
    }
    if (f.size() < 8 || f.size() > 10)
      return wrong(
          line, "8 to 10 columns (call,least,most,algorithm,protocol,channels,nodes,ranks[,operations[,registered]])");
    const auto call = detail::position(call_names, f[0]);
    const auto algo = detail::position(algorithm_names, f[3]);
    const auto proto = detail::position(protocol_names, f[4]);
    if (!call) return wrong(f[0], "broadcast, reduce, allgather, reducescatter or allreduce");
    if (!algo) return wrong(f[3], "tree, ring, collnet_direct, collnet_chain, nvls, nvls_tree or pat");
    if (!proto) return wrong(f[4], "ll, ll128 or simple");
    rule r;
    r.call = static_cast<call_kind>(*call), r.algo = static_cast<algorithm>(*algo),
    r.proto = static_cast<protocol>(*proto);
    r.line = lines.number();
    i64* const numbers[] = {nullptr,     &r.least, &r.most,  nullptr,       nullptr,
                            &r.channels, &r.nodes, &r.ranks, &r.operations, &r.registered};
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (numbers[i] == nullptr) continue;
      const auto v = whole_number(f[i]);
      if (!v || *v < (i < 3 ? 0 : -1)) return wrong(f[i], i < 3 ? "bytes" : "a whole number, or -1 for any");
      *numbers[i] = *v;
    }
    if (r.most < r.least) return wrong(line, "at least as many bytes in column 3 as in column 2");
    rules.push_back(r);
  }
  result<std::vector<rule>> out{std::move(rules)};
  if (out->empty()) out.note("the file holds no rule: NCCL decides for itself");
  return out;
}

}  // namespace echosim::inline v0::nccl_tuner
