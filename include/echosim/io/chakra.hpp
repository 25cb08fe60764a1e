// SPDX-License-Identifier: MIT
// Execution traces of MLCommons Chakra (schema/protobuf/et_def.proto, v0.0.4): one file a rank, nodes with
// dependencies.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/ids.hpp"
#include "protobuf.hpp"

namespace echosim::inline v0::chakra {

enum class node_type : u8 { invalid_node, metadata, memory_load, memory_store, compute, send, receive, collective };
[[nodiscard]] constexpr const char* name(node_type t) {
  constexpr const char* names[] = {"INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
                                   "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};
  return names[static_cast<unsigned>(t)];
}

enum class collective_type : u8 {
  all_reduce,
  reduce,
  all_gather,
  gather,
  scatter,
  broadcast,
  all_to_all,
  reduce_scatter,
  reduce_scatter_block,
  barrier
};
inline constexpr u64 collective_types = 10;
[[nodiscard]] constexpr const char* name(collective_type t) {
  constexpr const char* names[] = {
      "ALL_REDUCE", "REDUCE",         "ALL_GATHER",           "GATHER", "SCATTER", "BROADCAST",
      "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"};
  return names[static_cast<unsigned>(t)];
}

/// A named value of a node. Integers of any width are one kind here; the field number keeps the width for writing.
struct attribute {
  std::string name;
  std::string doc;
  u32 field = 9;     ///< of AttributeProto: 3 double, 7 int32, 9 int64, 11 uint32, 13 uint64, 27 bool, 29 string …
  u64 bits = 0;      ///< the value of a scalar, as the wire holds it
  std::string text;  ///< the value of a string, or the message of a list, as the wire holds it

  [[nodiscard]] std::optional<i64> integer() const;
  [[nodiscard]] std::optional<bool> flag() const { return field == 27 ? std::optional<bool>{bits != 0} : std::nullopt; }
  [[nodiscard]] std::optional<std::string_view> string() const {
    return field == 29 ? std::optional<std::string_view>{text} : std::nullopt;
  }
  bool operator==(const attribute&) const = default;
};

/// How the wire holds a field of AttributeProto: lists, strings and bytes behind their length, fixed widths, varints.
[[nodiscard]] constexpr protobuf::wire wire_of_attribute(u32 field) {
  if (field < 3 || field % 2 == 0 || field >= 29) return protobuf::wire::bytes;
  if (field == 3 || field == 21 || field == 25) return protobuf::wire::fixed64;
  return field == 5 || field == 19 || field == 23 ? protobuf::wire::fixed32 : protobuf::wire::varint;
}

/// Inputs or outputs as the producer's text.
struct values {
  std::string values, shapes, types;
  bool operator==(const struct values&) const = default;
};

struct node {
  u64 id = 0;
  std::string name;
  node_type type = node_type::invalid_node;
  std::vector<u64> control, data;  ///< ids of nodes that come before
  u64 start = 0, duration = 0;     ///< "micros" by the schema; converters of text workloads store nanoseconds
  values inputs, outputs;
  bool has_inputs = false, has_outputs = false;
  std::vector<attribute> attributes;

  [[nodiscard]] const attribute* find(std::string_view attribute_name) const {
    for (const attribute& a : attributes)
      if (a.name == attribute_name) return &a;
    return nullptr;
  }
  [[nodiscard]] std::optional<i64> integer(std::string_view attribute_name) const {
    const attribute* a = find(attribute_name);
    return a != nullptr ? a->integer() : std::nullopt;
  }
  bool operator==(const node&) const = default;
};

/// The trace of one rank. Messages and attributes that this schema does not know are dropped when read, and counted.
struct trace {
  std::string version;
  std::vector<attribute> attributes;  ///< of the whole file
  std::vector<node> nodes;            ///< in the order of the file
  u64 unknown_fields = 0;
};

/// What a collective or send moves, in the units of the file. Absent values are the schema's defaults: type 0.
[[nodiscard]] inline std::optional<collective_type> collective_of(const node& n) {
  const i64 t = n.integer("comm_type").value_or(0);
  return t >= 0 && static_cast<u64>(t) < collective_types
             ? std::optional<collective_type>{static_cast<collective_type>(t)}
             : std::nullopt;
}

inline std::optional<i64> attribute::integer() const {
  switch (field) {
    case 7:
    case 23: return static_cast<i64>(static_cast<std::int32_t>(static_cast<u32>(bits)));
    case 9:
    case 25: return static_cast<i64>(bits);
    case 11:
    case 19: return static_cast<i64>(static_cast<u32>(bits));
    case 13:
    case 21: return bits <= ~u64{0} / 2 ? std::optional<i64>{static_cast<i64>(bits)} : std::nullopt;
    case 15:
    case 17: return static_cast<i64>(bits >> 1) ^ -static_cast<i64>(bits & 1);
    default: return std::nullopt;
  }
}

}  // namespace echosim::inline v0::chakra
