// SPDX-License-Identifier: MIT
// Everything that changes while a simulator runs, kept by the caller: buffers are reused from run to run, and one
// simulator serves many threads, each with a workspace of its own.
#pragma once
#include <vector>

#include "../core/cost.hpp"
#include "../core/level.hpp"
#include "block_map.hpp"

namespace echosim::inline v0 {

struct workspace {
  // by entry of the program's tables
  std::vector<duration> time, issue;  ///< kernels, then calls
  std::vector<levels> where;          ///< groups
  std::vector<cost> costs;            ///< calls
  std::vector<block_map> maps;        ///< blocks
  // by stream and by operation
  std::vector<duration> free;         ///< when a stream is free; the host's clock on its host lane
  std::vector<duration> end;
  duration makespan{};
  // scratch of breakdown()
  std::vector<u32> by_stream, stream_first;
  std::vector<u8> stream_serves;      ///< dimensions of a stream's calls, one bit each
  std::vector<duration> host_clock;
  program spare;                      ///< arrays of the last lowered program

  bytes memory_limit{i64{16} << 30};  ///< a run that needs more is refused
};

}  // namespace echosim::inline v0
