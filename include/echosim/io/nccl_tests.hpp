// SPDX-License-Identifier: MIT
// Output of nccl-tests (NVIDIA/nccl-tests v2.13, src/common.cu), also behind the line prefixes that MPI puts in front.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/operation.hpp"
#include "../core/result.hpp"
#include "csv.hpp"
#include "shown.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0::nccl_tests {

/// One measurement; the log's own units.
struct timing {
  double microseconds = 0, algbw = 0, busbw = 0;  ///< GB/s of 10^9 bytes
  std::optional<double> wrong;                    ///< error or #wrong; absent where the log says N/A
};
struct row {
  i64 bytes = 0, count = 0;
  std::string type, operation;  ///< `operation` is empty where the log has no redop column
  std::optional<i64> root;
  timing out_of_place;
  std::optional<timing> in_place;
  u64 line = 0;
};
struct device {
  i64 rank = 0;
  std::string host, name;
};
struct log {
  std::vector<device> devices;
  std::vector<row> rows;
  std::optional<i64> iterations;
  std::optional<double> average_busbw;  ///< as the log states it
};

/// busbw/algbw of the row that states both with most digits: 2(n−1)/n for all-reduce, (n−1)/n for the gathering calls,
/// 1 for the others. Null where no row says.
[[nodiscard]] inline std::optional<double> busbw_over_algbw(const log& l) {
  const row* best = nullptr;
  for (const row& r : l.rows)
    if (r.out_of_place.algbw > 0 && (best == nullptr || r.out_of_place.algbw > best->out_of_place.algbw)) best = &r;
  return best != nullptr ? std::optional<double>{best->out_of_place.busbw / best->out_of_place.algbw} : std::nullopt;
}

/// Calls whose factor over `ranks` explains the log's bus bandwidth within 2 %: the log itself names no call.
[[nodiscard]] inline std::vector<call> possible_calls(const log& l, u32 ranks) {
  std::vector<call> all;
  const std::optional<double> factor = busbw_over_algbw(l);
  if (!factor || ranks == 0) return all;
  for (call k : {call::all_reduce, call::all_gather, call::reduce_scatter, call::all_to_all, call::broadcast,
                 call::reduce, call::send})
    if (const double f = busbw_factor(k, ranks); f > 0 && *factor / f < 1.02 && *factor / f > 0.98) all.push_back(k);
  return all;
}

namespace detail {

/// "[1,0]<stdout>:# nThread" → "# nThread"; "0: # nThread" of srun --label too.
inline std::string_view without_prefix(std::string_view line) {
  if (!line.empty() && line[0] == '[')
    if (const std::size_t at = line.find(">:"); at != std::string_view::npos && at < 40) line.remove_prefix(at + 2);
  return csv::trimmed(line);
}
inline std::optional<double> real_number(std::string_view text) {
  double v = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), v);
  return code == std::errc{} && end == text.data() + text.size() && v - v == 0 ? std::optional<double>{v}
                                                                               : std::nullopt;
}

/// Columns of the table's header behind '#': size count type [redop] [root], then four a block.
struct columns {
  bool seen = false, redop = false, root = false;
  std::size_t blocks = 0;
};
inline bool read_header(const std::vector<std::string_view>& words, columns& c) {
  if (words.size() < 6 || words[0] != "#" || words[1] != "size" || words[2] != "count") return false;
  c = {};
  for (std::string_view w : words) {
    c.redop = c.redop || w == "redop";
    c.root = c.root || w == "root";
    c.blocks += w == "algbw" ? 1 : 0;
  }
  return c.seen = c.blocks == 1 || c.blocks == 2;
}

inline std::optional<timing> read_timing(const std::vector<std::string_view>& words, std::size_t at) {
  timing t;
  const auto us = real_number(words[at]), alg = real_number(words[at + 1]), bus = real_number(words[at + 2]);
  if (!us || !alg || !bus || *us < 0 || *alg < 0 || *bus < 0) return std::nullopt;
  t.microseconds = *us, t.algbw = *alg, t.busbw = *bus;
  if (words[at + 3] != "N/A") {
    t.wrong = real_number(words[at + 3]);
    if (!t.wrong) return std::nullopt;
  }
  return t;
}

/// "#  Rank  0 Pid 112424 on localhost device  0 [0x00] A100", with "Group  0" before Pid in later releases.
inline std::optional<device> read_device(const std::vector<std::string_view>& w) {
  if (w.size() < 6 || w[0] != "#" || w[1] != "Rank") return std::nullopt;
  device d;
  const auto rank = whole_number(w[2]);
  const auto on = std::find(w.begin(), w.end(), "on"), dev = std::find(w.begin(), w.end(), "device");
  if (!rank || w.end() - on < 2 || w.end() - dev < 4) return std::nullopt;
  d.rank = *rank;
  d.host = on[1];
  for (auto part = dev + 3; part != w.end(); ++part) d.name += (d.name.empty() ? "" : " ") + std::string{*part};
  return d;
}

}  // namespace detail

/// Reads a log: the table, and the devices and averages around it. Lines that are neither are passed over; a row inside
/// the table that does not fit its header is refused.
[[nodiscard]] inline result<log> read_log(std::string_view text) {
  log l;
  detail::columns c;
  text_lines lines{text};
  while (lines.next_filled()) {
    const std::string_view line = detail::without_prefix(lines.text());
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    if (detail::read_header(words, c)) continue;
    if (words[0] == "#" || line[0] == '#') {
      if (auto d = detail::read_device(words)) l.devices.push_back(std::move(*d));
      for (std::size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == "iters:" && (i == 0 || words[i - 1] != "warmup")) l.iterations = whole_number(words[i + 1]);
      if (line.find("Avg bus bandwidth") != std::string_view::npos) l.average_busbw = detail::real_number(words.back());
      continue;
    }
    if (!c.seen || !whole_number(words[0]) || words.size() < 3 || !whole_number(words[1])) continue;
    const auto wrong = [&](const std::string& found, const std::string& expected) {
      return error{"line " + std::to_string(lines.number()) + ": found " + found + "; expected " + expected +
                   "; remove the line or give the whole log"};
    };
    const std::size_t lead = 3 + (c.redop ? 1 : 0) + (c.root ? 1 : 0);
    if (words.size() != lead + 4 * c.blocks)
      return wrong(std::to_string(words.size()) + " columns",
                   std::to_string(lead + 4 * c.blocks) + " as in the table's header");
    row r;
    r.line = lines.number();
    r.bytes = *whole_number(words[0]), r.count = *whole_number(words[1]);
    r.type = words[2];
    if (c.redop) r.operation = words[3];
    if (c.root) r.root = whole_number(words[lead - 1]);
    if (r.bytes < 0 || r.count < 0 || (c.root && !r.root)) return wrong(shown(line), "sizes of at least 0 and a root");
    const auto first = detail::read_timing(words, lead);
    if (!first) return wrong(shown(line), "time, algbw, busbw and errors behind column " + std::to_string(lead));
    r.out_of_place = *first;
    if (c.blocks > 1) {
      r.in_place = detail::read_timing(words, lead + 4);
      if (!r.in_place) return wrong(shown(line), "time, algbw, busbw and errors of the in-place block");
    }
    l.rows.push_back(std::move(r));
  }
  if (!c.seen)
    return error{
        "the text has no line '# size count type … time algbw busbw'; the table of nccl-tests is required; give the "
        "whole log"};
  if (l.rows.empty())
    return error{
        "the table of nccl-tests has no row; at least one measured size is required; give the log of a run that "
        "finished"};
  result<log> out{std::move(l)};
  u64 errors = 0;
  for (const row& r : out->rows) errors += r.out_of_place.wrong.value_or(0) > 1e-2 ? 1 : 0;
  if (errors != 0) out.note(std::to_string(errors) + " rows report wrong results: their times are of a failing run");
  return out;
}

}  // namespace echosim::inline v0::nccl_tests
