// SPDX-License-Identifier: MIT
// GOAL, the Group Operation Assembly Language of LogGOPSim (spcl/LogGOPSim; Hoefler et al. 2009): for each rank sends,
// receives, calculations, and what requires what.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "shown.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0::goal {

enum class task_kind : u8 { send, receive, calculate };

struct task {
  std::string label;
  task_kind kind = task_kind::calculate;
  i64 amount = 0;                                 ///< bytes of a message, ns of a calculation
  i64 peer = -1, tag = 0;                         ///< of a message
  i64 cpu = 0;                                    ///< of a calculation or message, where the file says so
  std::vector<u32> requires_end, requires_start;  ///< indexes of tasks that must have ended, or started
};
/// The tasks of each rank.
using schedule = std::vector<std::vector<task>>;

namespace detail {

inline error wrong(u64 line, const std::string& found, const char* expected, const char* remedy = "correct it") {
  return {"line " + std::to_string(line) + ": found " + found + "; expected " + expected + "; " + remedy};
}

/// "send 8b to 1 tag 3 cpu 0" behind the label.
inline std::optional<error> read_task(const std::vector<std::string_view>& w, std::size_t at, u64 line, i64 ranks,
                                      task& t) {
  const std::string_view verb = at < w.size() ? w[at] : std::string_view{};
  t.kind = verb == "send" ? task_kind::send : verb == "recv" ? task_kind::receive : task_kind::calculate;
  if (verb != "send" && verb != "recv" && verb != "calc") return wrong(line, shown(verb), "send, recv or calc");
  const bool message = verb != "calc";
  std::string_view amount = at + 1 < w.size() ? w[at + 1] : std::string_view{};
  if (message && (amount.empty() || amount.back() != 'b'))
    return wrong(line, "the size " + shown(amount), "bytes such as 8b");
  if (message) amount.remove_suffix(1);
  const auto n = whole_number(amount);
  if (!n || *n < 0) return wrong(line, shown(amount), "a whole number of at least 0");
  t.amount = *n;
  std::size_t i = at + 2;
  if (message) {
    if (i + 1 >= w.size() || w[i] != (verb == "send" ? "to" : "from"))
      return wrong(line, i < w.size() ? shown(w[i]) : "the end of the line",
                   verb == "send" ? "to and a rank" : "from and a rank");
    const auto peer = whole_number(w[i + 1]);
    if (!peer || *peer < 0 || *peer >= ranks) return wrong(line, "the rank " + shown(w[i + 1]), "one below num_ranks");
    t.peer = *peer;
    i += 2;
  }
  for (; i + 1 < w.size(); i += 2) {
    const auto v = whole_number(w[i + 1]);
    if (!v || *v < 0 || (w[i] != "tag" && w[i] != "cpu" && w[i] != "nic"))
      return wrong(line, shown(w[i]) + " " + shown(w[i + 1]), "tag, cpu or nic and a number");
    if (w[i] == "tag") t.tag = *v;
    if (w[i] == "cpu") t.cpu = *v;
  }
  return i == w.size() ? std::nullopt : std::optional<error>{wrong(line, shown(w[i]), "the end of the line")};
}

}  // namespace detail

/// Reads a schedule. Each rank is given at most once; labels are distinct within a rank and defined before they are
/// required. Sends and receives are matched by rank, peer and tag: what is left over is an error that names both ends.
[[nodiscard]] inline result<schedule> read_schedule(std::string_view text) {
  using detail::wrong;
  schedule s;
  i64 ranks = -1, rank = -1;
  std::vector<bool> given;
  std::map<std::string, u32, std::less<>> labels;
  text_lines lines{text};
  while (lines.next_filled()) {
    std::string_view line = lines.text();
    line = line.substr(0, line.find("//"));
    std::string spaced;  // braces and semicolons stand alone
    for (char c : line) c == '{' || c == '}' || c == ';' ? (spaced += ' ', spaced += c, spaced += ' ') : spaced += c;
    const std::vector<std::string_view> all = words_of(spaced);
    for (std::size_t from = 0; from < all.size();) {
      std::vector<std::string_view> w;
      for (; from < all.size() && all[from] != ";"; ++from) {
        if ((all[from] == "{" || all[from] == "}") && !w.empty() && all[from] == "}") break;
        w.push_back(all[from]);
        if (all[from] == "{" || all[from] == "}") {
          ++from;
          break;
        }
      }
      if (from < all.size() && all[from] == ";") ++from;
      if (w.empty()) continue;
      if (w[0] == "num_ranks") {
        const auto n = w.size() == 2 ? whole_number(w[1]) : std::nullopt;
        if (!n || *n < 1 || *n > 100'000'000 || ranks != -1)
          return wrong(lines.number(), shown(line), "num_ranks and a number from 1 to 100,000,000, once");
        ranks = *n;
        s.resize(static_cast<std::size_t>(ranks));
        given.resize(s.size());
      } else if (w[0] == "rank") {
        const auto r = w.size() == 3 && w[2] == "{" ? whole_number(w[1]) : std::nullopt;
        if (!r || rank != -1 || *r < 0 || *r >= ranks)
          return wrong(lines.number(), shown(line), "rank r { with r below num_ranks, outside another rank",
                       "correct it, and state num_ranks first");
        if (given[static_cast<std::size_t>(*r)])
          return wrong(lines.number(), "rank " + std::to_string(*r) + " again", "each rank once");
        rank = *r;
        given[static_cast<std::size_t>(rank)] = true;
        labels.clear();
      } else if (w[0] == "}") {
        if (rank == -1) return wrong(lines.number(), "'}'", "rank r { before it");
        rank = -1;
      } else if (rank == -1) {
        return wrong(lines.number(), shown(w[0]), "num_ranks or rank", "put tasks into the braces of a rank");
      } else {
        std::vector<task>& tasks = s[static_cast<std::size_t>(rank)];
        if (w.size() == 3 && (w[1] == "requires" || w[1] == "irequires")) {
          const auto later = labels.find(w[0]), before = labels.find(w[2]);
          if (later == labels.end() || before == labels.end())
            return wrong(lines.number(), shown(later == labels.end() ? w[0] : w[2]),
                         "a label that stands above in this rank");
          (w[1] == "requires" ? tasks[later->second].requires_end : tasks[later->second].requires_start)
              .push_back(before->second);
          continue;
        }
        task t;
        const bool labelled = w[0].size() > 1 && w[0].back() == ':';
        if (labelled) {
          t.label = w[0].substr(0, w[0].size() - 1);
          if (!labels.emplace(t.label, static_cast<u32>(tasks.size())).second)
            return wrong(lines.number(), "the label " + shown(t.label) + " again", "distinct labels within a rank");
        }
        if (const auto e = detail::read_task(w, labelled ? 1 : 0, lines.number(), ranks, t)) return *e;
        tasks.push_back(std::move(t));
      }
    }
  }
  if (ranks == -1) return wrong(lines.number(), "the end of the text", "num_ranks", "give a GOAL schedule");
  if (rank != -1) return wrong(lines.number(), "the end of the text", "'}'", "complete the file");
  std::map<std::vector<i64>, std::vector<i64>> messages;  // from, to, tag → surplus of sends, bytes of the last
  for (i64 r = 0; r < ranks; ++r)
    for (const task& t : s[static_cast<std::size_t>(r)]) {
      if (t.kind == task_kind::calculate) continue;
      const bool sends = t.kind == task_kind::send;
      auto& m = messages[sends ? std::vector<i64>{r, t.peer, t.tag} : std::vector<i64>{t.peer, r, t.tag}];
      if (m.empty()) m = {0};
      m[0] += sends ? 1 : -1;
    }
  for (const auto& [key, m] : messages)
    if (m[0] != 0)
      return error{"rank " + std::to_string(key[0]) + " to " + std::to_string(key[1]) + ", tag " +
                   std::to_string(key[2]) + ": " + std::to_string(m[0] > 0 ? m[0] : -m[0]) +
                   (m[0] > 0 ? " sends without a receive" : " receives without a send") +
                   "; they must pair up; correct the schedule"};
  return s;
}

}  // namespace echosim::inline v0::goal
