// SPDX-License-Identifier: MIT
// Time-independent traces of SimGrid's SMPI (simgrid.org, "SMPI replay"): one action a line, `<rank> <action>
// arguments`.
#pragma once
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "shown.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0::simgrid_ti {

enum class action_kind : u8 {
  init,
  finalize,
  compute,
  send,
  isend,
  receive,
  ireceive,
  wait,
  wait_all,
  test,
  barrier,
  broadcast,
  reduce,
  all_reduce,
  all_to_all,
  all_gather,
  gather,
  scatter,
  reduce_scatter,
  all_to_all_v,
  all_gather_v,
  sleep,
  location
};

/// Meaning of `amounts` by kind: compute: flops; messages: elements (`peer`, `tag` apart); collectives: elements, then
/// the computation that a reduction adds, then what the file gives further; waits carry none. `type`: number of the MPI
/// type, −1 where the file leaves it out (then an element is a byte).
struct action {
  action_kind kind = action_kind::init;
  i64 peer = -1, tag = -1, type = -1;
  std::vector<double> amounts;
  u64 line = 0;
};
struct trace {
  std::vector<std::pair<i64, std::vector<action>>> ranks;  ///< in order of first appearance
};

namespace detail {

struct verb {
  std::string_view name;
  action_kind kind;
  int least;  ///< arguments
  bool message;
};
inline constexpr std::array<verb, 25> verbs{{{"init", action_kind::init, 0, false},
                                             {"finalize", action_kind::finalize, 0, false},
                                             {"compute", action_kind::compute, 1, false},
                                             {"send", action_kind::send, 3, true},
                                             {"isend", action_kind::isend, 3, true},
                                             {"recv", action_kind::receive, 3, true},
                                             {"irecv", action_kind::ireceive, 3, true},
                                             {"wait", action_kind::wait, 0, false},
                                             {"waitall", action_kind::wait_all, 0, false},
                                             {"test", action_kind::test, 0, false},
                                             {"barrier", action_kind::barrier, 0, false},
                                             {"bcast", action_kind::broadcast, 1, false},
                                             {"reduce", action_kind::reduce, 2, false},
                                             {"allreduce", action_kind::all_reduce, 2, false},
                                             {"alltoall", action_kind::all_to_all, 2, false},
                                             {"allgather", action_kind::all_gather, 2, false},
                                             {"gather", action_kind::gather, 2, false},
                                             {"scatter", action_kind::scatter, 2, false},
                                             {"reducescatter", action_kind::reduce_scatter, 2, false},
                                             {"alltoallv", action_kind::all_to_all_v, 2, false},
                                             {"allgatherv", action_kind::all_gather_v, 2, false},
                                             {"gatherv", action_kind::gather, 2, false},
                                             {"scatterv", action_kind::scatter, 2, false},
                                             {"sleep", action_kind::sleep, 1, false},
                                             {"location", action_kind::location, 2, false}}};

inline std::optional<double> amount(std::string_view text) {
  double v = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), v);
  return code == std::errc{} && end == text.data() + text.size() && v >= 0 && v - v == 0 ? std::optional<double>{v}
                                                                                         : std::nullopt;
}
inline std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

}  // namespace detail

/// Reads a trace of one rank or of several. Names of actions are compared without case; counts such as 1e6 must be
/// whole. A file that lists other files (one name a line) is refused: give those.
[[nodiscard]] inline result<trace> read_trace(std::string_view text) {
  trace t;
  std::map<i64, std::size_t> index;
  text_lines lines{text};
  while (lines.next_filled()) {
    const std::vector<std::string_view> w = words_of(lines.text());
    if (w[0][0] == '#') continue;
    const auto wrong = [&](const std::string& found, const std::string& expected, const char* remedy = "correct it") {
      return error{"line " + std::to_string(lines.number()) + ": found " + found + "; expected " + expected + "; " +
                   remedy};
    };
    const auto rank = whole_number(w[0].substr(0, 1) == "p" ? w[0].substr(1) : w[0]);
    if (!rank || *rank < 0)
      return wrong(shown(w[0]), "a rank and an action", "a list of trace files is not read: give the files it names");
    if (w.size() < 2) return wrong("a rank alone", "an action behind it");
    const std::string name = detail::lower(w[1]);
    const detail::verb* verb = nullptr;
    for (const detail::verb& v : detail::verbs)
      if (v.name == name) verb = &v;
    if (verb == nullptr)
      return wrong("the action " + shown(w[1]),
                   "one of SMPI's replay actions (init, compute, send, isend, recv, irecv, wait, waitall, bcast, "
                   "allreduce, …, finalize)");
    if (w.size() < static_cast<std::size_t>(2 + verb->least))
      return wrong(std::to_string(w.size() - 2) + " arguments of " + shown(w[1]),
                   "at least " + std::to_string(verb->least), "complete the line");
    action a;
    a.kind = verb->kind;
    a.line = lines.number();
    std::size_t at = 2;
    if (verb->message) {
      const auto peer = whole_number(w[2].substr(0, 1) == "p" ? w[2].substr(1) : w[2]), tag = whole_number(w[3]);
      if (!peer || *peer < -1 || !tag || *tag < -1) return wrong(shown(w[2]) + " " + shown(w[3]), "a rank and a tag");
      a.peer = *peer, a.tag = *tag;
      const auto size = detail::amount(w[4]);
      if (!size || *size != std::floor(*size)) return wrong("the size " + shown(w[4]), "a whole number of elements");
      a.amounts.push_back(*size);
      if (w.size() > 5) {
        const auto type = whole_number(w[5]);
        if (!type) return wrong("the type " + shown(w[5]), "the number of an MPI type");
        a.type = *type;
      }
    } else if (verb->kind != action_kind::location && verb->kind != action_kind::init &&
               verb->kind != action_kind::wait && verb->kind != action_kind::wait_all &&
               verb->kind != action_kind::test) {
      for (; at < w.size(); ++at) {
        const auto v = detail::amount(w[at]);
        if (!v) return wrong(shown(w[at]), "a number of at least 0");
        a.amounts.push_back(*v);
      }
      const bool counts = verb->kind != action_kind::compute && verb->kind != action_kind::sleep;
      if (counts && !a.amounts.empty() && a.amounts[0] != std::floor(a.amounts[0]))
        return wrong(shown(w[2]), "a whole number of elements");
    }
    const auto [of, fresh] = index.try_emplace(*rank, t.ranks.size());
    if (fresh) t.ranks.push_back({*rank, {}});
    t.ranks[of->second].second.push_back(std::move(a));
  }
  if (t.ranks.empty())
    return error{"the text holds no action; lines '<rank> <action> …' are required; give a time-independent trace"};
  result<trace> r{std::move(t)};
  for (const auto& [rank, actions] : r->ranks)
    if (actions.front().kind != action_kind::init || actions.back().kind != action_kind::finalize) {
      r.note("rank " + std::to_string(rank) +
             " does not begin with init and end with finalize: the trace may be a part of one");
      break;
    }
  return r;
}

}  // namespace echosim::inline v0::simgrid_ti
