// SPDX-License-Identifier: MIT
// Order makes a program safe to run: predecessors first, members of a call together. What cannot finish is refused with
// the operations that wait for each other, so that engines, which take only `ordered`, cannot hang.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "../core/result.hpp"
#include "program.hpp"

namespace echosim::inline v0 {

class ordered {
 public:
  [[nodiscard]] const program& get() const { return program_; }
  /// Gives the arrays back for reuse.
  [[nodiscard]] program release() && { return std::move(program_); }

 private:
  explicit ordered(program p) : program_{std::move(p)} {}
  friend result<ordered> order(program);
  program program_;
};

namespace detail {

/// A program as graph of units (an operation, or all members of a call); the order of a stream is an edge.
struct unit_graph {
  std::vector<u32> unit, head, wait, out_first, out;

  explicit unit_graph(const program& p) : unit(p.size()) {
    for (u32 i = 0; i != p.size();) {
      const u32 k = p.members(i);
      for (u32 j = 0; j != k; ++j) unit[i + j] = static_cast<u32>(head.size());
      head.push_back(i);
      i += k;
    }
    head.push_back(p.size());
    wait.assign(head.size() - 1, 0);
    out_first.assign(head.size() + 1, 0);
    each_edge(p, [&](u32 from, u32 to) { ++wait[to], ++out_first[from + 2]; });
    for (std::size_t u = 2; u < out_first.size(); ++u) out_first[u] += out_first[u - 1];
    out.resize(out_first.back());
    each_edge(p, [&](u32 from, u32 to) { out[out_first[from + 1]++] = to; });
  }

  template <class F>
  void each_edge(const program& p, F&& edge) const {
    std::vector<u32> last(std::size_t{p.ranks} * lanes, invalid);
    for (u32 i = 0; i != p.size(); ++i) {
      for (u32 e = p.first[i]; e != p.first[i + 1]; ++e) edge(unit[p.preds[e]], unit[i]);
      u32& before = last[p.stream[i]];
      if (before != invalid) edge(unit[before], unit[i]);
      before = i;
    }
  }
};

inline std::string describe(const program& p, u32 i) {
  const u32 x = p.what[i];
  const char* kind = p.is_call(x) ? name(p.calls[x - p.first_call()].what.kind) : p.is_block(x) ? "block" : p.kernels[x].name;
  return std::to_string(i) + " (" + (*kind ? kind : "kernel") + " on rank " + std::to_string(rank_of(p.stream[i])) + ")";
}

/// One cycle among the units that never became ready, in words.
inline std::string cycle(const program& p, const unit_graph& g) {
  std::vector<u32> back(g.wait.size(), invalid), seen(g.wait.size(), 0);
  for (u32 u = 0; u + 1 < g.head.size(); ++u)
    if (g.wait[u] != 0)
      for (u32 e = g.out_first[u]; e != g.out_first[u + 1]; ++e)
        if (g.wait[g.out[e]] != 0) back[g.out[e]] = u;
  u32 at = 0;
  while (g.wait[at] == 0) ++at;
  while (back[at] != invalid && seen[at] == 0) seen[at] = 1, at = back[at];
  std::string text = describe(p, g.head[at]);
  u32 shown = 1;
  for (u32 u = back[at]; u != at && u != invalid && shown != 8; u = back[u], ++shown) text = describe(p, g.head[u]) + " -> " + text;
  return (shown == 8 ? "… -> " : describe(p, g.head[at]) + " -> ") + text;
}

}  // namespace detail

/// Errors: an index outside its table; members of a call that do not stand together; operations that wait for each other
/// in a circle (a dependency loop, or sends that cross). The order of a program that is in order already is kept.
[[nodiscard]] inline result<ordered> order(program p) {
  const u32 n = p.size(), things = p.first_block() + static_cast<u32>(p.blocks.size()), calls = p.first_call(), blocks = p.first_block();
  if (p.stream.size() != n || p.first.size() != std::size_t{n} + 1 || p.first.back() != p.preds.size())
    return error{"program arrays differ in length; what, stream and first must have n, n and n + 1 entries; use program::add"};
  const u64 streams = u64{p.ranks} * lanes;
  const u32 *what = p.what.data(), *stream = p.stream.data(), *first = p.first.data(), *preds = p.preds.data();
  bool sorted = true;
  for (u32 i = 0; i != n;) {
    const u32 x = what[i];
    if (x >= things) return error{"operation " + std::to_string(i) + " names entry " + std::to_string(x) + " of tables that hold " + std::to_string(things) + "; complete the tables before adding operations"};
    const u32 k = x >= calls && x < blocks ? p.calls[x - calls].members : 1;
    if (k == 0 || k > n - i) return error{"operation " + std::to_string(i) + " is a call of " + std::to_string(k) + " members but " + std::to_string(n - i) + " operations are left; add every member"};
    for (u32 j = i; j != i + k; ++j) {
      if (what[j] != x) return error{"member " + std::to_string(j - i) + " of the call at operation " + std::to_string(i) + " never arrives: found " + detail::describe(p, j) + "; members of a call stand together"};
      if (stream[j] >= streams) return error{"operation " + std::to_string(j) + " runs on rank " + std::to_string(rank_of(stream[j])) + " of " + std::to_string(p.ranks) + "; set program::ranks"};
      for (u32 e = first[j]; e != first[j + 1]; ++e) {
        if (preds[e] >= n) return error{"operation " + std::to_string(j) + " waits for operation " + std::to_string(preds[e]) + " of " + std::to_string(n) + "; predecessors must exist"};
        sorted &= preds[e] < i;
      }
    }
    i += k;
  }
  if (sorted) return ordered{std::move(p)};

  detail::unit_graph g{p};
  // The earliest ready unit goes first, so that the host's issue order stays as near to the given one as can be.
  const auto later = [](u32 a, u32 b) { return a > b; };
  std::vector<u32> queue, heap;
  queue.reserve(g.wait.size());
  for (u32 u = 0; u != g.wait.size(); ++u)
    if (g.wait[u] == 0) heap.push_back(u);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const u32 u = heap.back();
    heap.pop_back();
    queue.push_back(u);
    for (u32 e = g.out_first[u]; e != g.out_first[u + 1]; ++e)
      if (--g.wait[g.out[e]] == 0) heap.push_back(g.out[e]), std::push_heap(heap.begin(), heap.end(), later);
  }
  if (queue.size() != g.wait.size())
    return error{"the program cannot finish: " + detail::cycle(p, g) + " wait for each other; remove one dependency, or post the sends together"};

  std::vector<u32> to(n);
  u32 next = 0;
  for (u32 u : queue)
    for (u32 i = g.head[u]; i != g.head[u + 1]; ++i) to[i] = next++;
  std::vector<u32> new_what(n), new_stream(n), new_first{0}, new_preds;
  new_preds.reserve(p.preds.size());
  for (u32 u : queue)
    for (u32 i = g.head[u]; i != g.head[u + 1]; ++i) {
      new_what[to[i]] = p.what[i];
      new_stream[to[i]] = p.stream[i];
      for (u32 e = p.first[i]; e != p.first[i + 1]; ++e) new_preds.push_back(to[p.preds[e]]);
      new_first.push_back(static_cast<u32>(new_preds.size()));
    }
  p.what = std::move(new_what), p.stream = std::move(new_stream), p.first = std::move(new_first), p.preds = std::move(new_preds);
  return ordered{std::move(p)};
}

}  // namespace echosim::inline v0
