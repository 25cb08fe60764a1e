// SPDX-License-Identifier: MIT
// The only representation that the engines know: operations as a structure of arrays over tables of distinct kernels,
// calls, groups and blocks. Whatever makes work makes a program; everything after it reads nothing else.
#pragma once
#include <vector>

#include "../core/cost.hpp"
#include "../core/group.hpp"
#include "../core/kernel.hpp"
#include "../core/operation.hpp"

namespace echosim::inline v0 {

/// The streams of a rank. Operations of one stream run in the order in which they stand in the program. Sends have a
/// stream a direction on either side, so that a pipeline of two stages does not cross its own messages.
enum lane : u32 { compute, host, tp_comm, cp_comm, ep_comm, dp_comm, send_forward, receive_forward, send_backward, receive_backward };
inline constexpr u32 lanes = 16;

[[nodiscard]] constexpr u32 stream_of(u32 rank, u32 on) { return rank * lanes + on; }
[[nodiscard]] constexpr u32 rank_of(u32 stream) { return stream / lanes; }
[[nodiscard]] constexpr u32 lane_of(u32 stream) { return stream % lanes; }

/// One distinct call: what is moved, over which group, by how many operations of the program. `members` stand together;
/// they start with the last arrival and end together. A send's members are the sender and the receiver, in this order;
/// the receiver has posted its buffer ahead, so only the sender's host pays the issue.
struct call_row {
  operation what{};
  u32 group = 0;
  u32 members = 1;
  duration issue{};
  const char* name = "";
};

/// One step of a block, on the rank's compute or tp_comm stream. `joins`: waits for the block's last step on the other.
struct step {
  u32 what = 0;
  bool on_comm = false;
  bool joins = false;
};

/// A stretch of one rank's operations that the outside touches only at its ends: it starts when the compute stream is
/// free, and its last step is a kernel that joins. Engines treat it as one operation on the compute stream.
struct block {
  u32 first = 0, count = 0;  ///< steps[first … first + count)
};

/// `what` numbers kernels, then calls, then blocks. `first`/`preds`: predecessors of operation i are
/// preds[first[i] … first[i+1]), besides the one before it on its stream.
struct program {
  std::vector<u32> what, stream, first{0}, preds;
  std::vector<kernel> kernels;
  std::vector<call_row> calls;
  std::vector<group> groups;
  std::vector<block> blocks;
  std::vector<step> steps;
  std::vector<u32> stage;    ///< pipeline stage of each rank of the program; empty: no pipeline
  std::vector<u64> weight;   ///< how many ranks each rank of the program stands for; empty: one
  u32 ranks = 1;

  [[nodiscard]] u32 size() const { return static_cast<u32>(what.size()); }
  [[nodiscard]] u32 first_call() const { return static_cast<u32>(kernels.size()); }
  [[nodiscard]] u32 first_block() const { return static_cast<u32>(kernels.size() + calls.size()); }
  [[nodiscard]] bool is_call(u32 x) const { return x >= first_call() && x < first_block(); }
  [[nodiscard]] bool is_block(u32 x) const { return x >= first_block(); }
  /// Operations that start together with operation i, which is the first of them.
  [[nodiscard]] u32 members(u32 i) const { return is_call(what[i]) ? calls[what[i] - first_call()].members : 1; }

  /// Appends an operation; returns its id. Tables must be complete before the first one.
  u32 add(u32 x, u32 on_stream) {
    what.push_back(x);
    stream.push_back(on_stream);
    first.push_back(static_cast<u32>(preds.size()));
    return size() - 1;
  }
  /// Makes the last operation wait for `op`.
  void after(u32 op) {
    preds.push_back(op);
    first.back() = static_cast<u32>(preds.size());
  }
};

/// Operations of the run that `p` stands for: every rank, every step of every block.
[[nodiscard]] inline u64 represented(const program& p) {
  u64 n = 0;
  for (u32 i = 0; i != p.size(); ++i) {
    const u32 x = p.what[i];
    const u64 each = p.is_block(x) ? p.blocks[x - p.first_block()].count : 1;
    n += each * (p.weight.empty() ? 1 : p.weight[rank_of(p.stream[i])]);
  }
  return n;
}

}  // namespace echosim::inline v0
