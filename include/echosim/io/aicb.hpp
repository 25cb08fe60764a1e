// SPDX-License-Identifier: MIT
// Call lists of AICB (aliyun/aicb, workload/physical): one section a pipeline stage, each a bracketed line that names
// the ranks, a header and rows.
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

namespace echosim::inline v0::aicb {

enum class item_kind : u8 {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  isend,
  irecv,
  barrier,
  computation,
  epoch_end
};
[[nodiscard]] constexpr const char* name(item_kind k) {
  constexpr const char* names[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",  "broadcast", "reduce",
                                   "isend",      "irecv",      "barrier",        "computation", "epoch_end"};
  return names[static_cast<unsigned>(k)];
}

struct item {
  item_kind kind = item_kind::computation;
  std::string group;                    ///< dp_group, tp_group …; empty where the file says None
  std::string stage;                    ///< of the training step, as the producer names it
  std::string shape;                    ///< of a computation: its msg_size, as text
  std::optional<i64> group_size, size;  ///< size in bytes
  std::optional<i64> source, target;
  std::optional<double> elapsed, algbw, busbw;
  i64 count = 1;  ///< how often in a row
};
struct section {
  std::string ranks;  ///< what stands between the brackets
  std::vector<item> items;
};

namespace detail {

/// "CommType.all_reduce" → all_reduce.
inline std::string_view behind_dot(std::string_view text) {
  return text.substr(text.find('.') == std::string_view::npos ? 0 : text.find('.') + 1);
}

inline std::optional<item_kind> kind_of(std::string_view text) {
  constexpr std::string_view prefix = "CommType.";
  if (text.substr(0, prefix.size()) != prefix) return std::nullopt;
  for (u8 k = 0; k <= static_cast<u8>(item_kind::epoch_end); ++k)
    if (text.substr(prefix.size()) == name(static_cast<item_kind>(k))) return static_cast<item_kind>(k);
  return std::nullopt;
}

}  // namespace detail

/// Reads all sections. Columns are found by name; "None" and empty fields are absent. A transfer without a size in
/// bytes, a kind that is not listed above, and rows of another length than the header are refused.
[[nodiscard]] inline result<std::vector<section>> read_calls(std::string_view text) {
  std::vector<section> all;
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1)
    if (text[at] == '[') starts.push_back(at);
  if (starts.empty() || starts[0] != 0)
    return error{
        "line 1: found no bracketed line; expected one that names the ranks, such as [rank0 ~ rank127]; give a call "
        "list of AICB"};
  u64 before = 0;  // lines above the section
  for (std::size_t s = 0; s < starts.size(); ++s) {
    const std::string_view part =
        text.substr(starts[s], (s + 1 < starts.size() ? starts[s + 1] : text.size()) - starts[s]);
    csv_style style;
    style.skipped_lines = 1;
    result<csv> table = parse_csv(part, style);
    const std::string who = "section from line " + std::to_string(before + 1) + ", its ";
    if (!table) return error{who + table.why().what};
    std::array<std::size_t, 4> required{};
    const char* const names[] = {"comm_type", "comm_group", "comm_group_size", "msg_size"};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto c = table->required(names[i]);
      if (!c) return error{who + c.why().what};
      required[i] = *c;
    }
    section out;
    const std::size_t line_end = std::min(part.find('\n'), part.size());
    out.ranks = csv::trimmed(part.substr(1, line_end - 1));
    if (!out.ranks.empty() && out.ranks.back() == '\r') out.ranks.pop_back();
    if (!out.ranks.empty() && out.ranks.back() == ']') out.ranks.pop_back();
    for (std::size_t r = 0; r < table->rows.size(); ++r) {
      item i;
      const auto kind = detail::kind_of(table->text(r, required[0]));
      if (!kind)
        return error{who + table
                               ->wrong(r, required[0],
                                       "CommType.all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, "
                                       "reduce, isend, irecv, barrier, computation or epoch_end")
                               .what};
      i.kind = *kind;
      i.group = detail::behind_dot(table->given(r, required[1]).value_or(""));
      if (const auto c = table->column("stage")) i.stage = table->given(r, *c).value_or("");
      struct whole {
        const char* column;
        std::optional<i64>* to;
      };
      std::optional<i64> count;
      for (const whole w : {whole{"comm_group_size", &i.group_size},
                            {"src", &i.source},
                            {"dst", &i.target},
                            {"count", &count},
                            {"msg_size", &i.size}}) {
        const auto c = table->column(w.column);
        if (!c || !table->given(r, *c)) continue;
        if (w.to == &i.size && i.kind == item_kind::computation) {
          i.shape = *table->given(r, *c);
          continue;
        }
        const auto v = table->integer(r, *c);
        if (!v || *v < 0) return error{who + table->wrong(r, *c, "a whole number of at least 0").what};
        *w.to = *v;
      }
      i.count = count.value_or(1);
      struct real {
        const char* column;
        std::optional<double>* to;
      };
      for (const real x : {real{"_elapsed_time", &i.elapsed}, {"algbw", &i.algbw}, {"busbw", &i.busbw}}) {
        const auto c = table->column(x.column);
        if (!c || !table->given(r, *c)) continue;
        const auto v = table->real(r, *c);
        if (!v) return error{who + v.why().what};
        *x.to = *v;
      }
      const bool moves =
          i.kind != item_kind::barrier && i.kind != item_kind::computation && i.kind != item_kind::epoch_end;
      if (moves && !i.size) return error{who + table->wrong(r, required[3], "bytes of a transfer").what};
      out.items.push_back(std::move(i));
    }
    all.push_back(std::move(out));
    before += static_cast<u64>(std::count(part.begin(), part.end(), '\n'));
  }
  return all;
}

}  // namespace echosim::inline v0::aicb
