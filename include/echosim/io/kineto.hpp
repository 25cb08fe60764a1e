// SPDX-License-Identifier: MIT
// What a PyTorch profiler (Kineto) trace holds, kept compactly: 64 bytes an event, every text once.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "../core/ids.hpp"
#include "name_table.hpp"

namespace echosim::inline v0::kineto {

enum class category : u8 {
  kernel,
  copy,
  set,
  runtime,
  driver,
  cpu_op,
  annotation,
  device_annotation,
  python,
  sync,
  other
};

/// Whether events of the category occupy a device.
[[nodiscard]] constexpr bool on_device(category c) {
  return c == category::kernel || c == category::copy || c == category::set;
}

[[nodiscard]] constexpr const char* name(category c) {
  constexpr const char* names[] = {"kernel",          "memory copy",     "memory set", "runtime call",
                                   "driver call",     "CPU operator",    "annotation", "device annotation",
                                   "Python function", "synchronisation", "other"};
  return names[static_cast<unsigned>(c)];
}

/// −1 stands for "not stated" in every number below; `invalid` in every index.
struct event {
  i64 start = 0;         ///< ns; absolute where the trace has a base, otherwise as its producer counts
  i64 length = 0;        ///< ns
  i64 correlation = -1;  ///< joins a launch and what it launched; one launch of a CUDA graph joins many
  i64 external = -1;     ///< joins a device event and its operator
  i64 stream = -1;       ///< device stream
  u32 name = invalid;    ///< of trace::names
  u32 lane = invalid;    ///< of trace::lanes
  u32 detail = invalid;  ///< of trace::calls for communication, of trace::waits for synchronisation
  category kind = category::other;
};
static_assert(sizeof(event) <= 64);

/// What the producer recorded about a collective or a send.
struct call_detail {
  u32 name = invalid, type = invalid, group = invalid, group_ranks = invalid;  ///< texts
  u32 in_split = invalid, out_split = invalid;                                 ///< texts; "[]" is an even split
  i64 in_elements = -1, out_elements = -1, group_size = -1, sequence = -1, source = -1, target = -1;
  i64 rank_start = -1, rank_stride = -1;
};

/// What a synchronisation waits for.
struct wait_detail {
  i64 stream = -1, recorded_by = -1;  ///< the stream; the correlation of the call that recorded the awaited event
};

/// A row of the timeline: integers of a device and of the host may coincide, so a lane says which of the two it is.
struct lane {
  u32 process = invalid, thread = invalid;  ///< texts: either may be a word
  bool device = false;
};

struct device_property {
  i64 id = -1, multiprocessors = -1, memory = -1;  ///< `memory` in bytes
  std::string name;
};

/// Events of a trace that were counted and not kept.
struct skipped_events {
  u64 metadata = 0, instants = 0, flows = 0, counters = 0, unwanted = 0, other = 0;
};

struct trace {
  name_table names;
  std::vector<lane> lanes;
  std::deque<event> events;  ///< by start; events that start together keep the order of the file
  std::vector<call_detail> calls;
  std::vector<wait_detail> waits;
  std::vector<device_property> devices;
  std::optional<i64> base;         ///< ns added to every start already
  std::optional<i64> rank, world;  ///< of distributedInfo
  skipped_events skipped;
  u64 rounded = 0;  ///< times that had digits below a nanosecond
  u64 bytes = 0;    ///< length of the text
};

/// Bytes of one element by the name PyTorch gives its type; 0 where the name is unknown.
[[nodiscard]] inline i64 element_size(std::string_view type) {
  for (std::string_view one :
       {"Byte", "Char", "Bool", "Float8_e4m3fn", "Float8_e5m2", "Float8_e4m3fnuz", "Float8_e5m2fnuz", "UInt8", "Int8"})
    if (type == one) return 1;
  for (std::string_view two : {"Half", "BFloat16", "Short", "UInt16"})
    if (type == two) return 2;
  for (std::string_view four : {"Float", "Int", "UInt32"})
    if (type == four) return 4;
  for (std::string_view eight : {"Double", "Long", "UInt64", "ComplexFloat"})
    if (type == eight) return 8;
  return type == "ComplexDouble" ? 16 : 0;
}

}  // namespace echosim::inline v0::kineto
