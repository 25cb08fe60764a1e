// SPDX-License-Identifier: MIT
// Reads a Chakra execution trace: messages each behind its length, the first a GlobalMetadata, all others nodes.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "byte_source.hpp"
#include "chakra.hpp"
#include "protobuf.hpp"
#include "shown.hpp"

namespace echosim::inline v0::chakra {

namespace detail {

using protobuf::field;
using protobuf::take_field;
using protobuf::wire;

/// Calls visit(field) for each field. False where the message is broken, or visit says so.
template <class Visit>
bool each_field(std::string_view message, Visit&& visit) {
  while (const std::optional<field> f = take_field(message))
    if (!visit(*f)) return false;
  return message.empty();
}

inline bool read_attribute(std::string_view message, attribute& a) {
  return each_field(message, [&](const field& f) {
    if (f.number <= 32 && f.type != wire_of_attribute(f.number)) return false;
    if (f.number == 1) {
      a.name = f.text;
    } else if (f.number == 2) {
      a.doc = f.text;
    } else if (f.number <= 32) {
      a.field = f.number;
      a.bits = f.type == wire::bytes ? 0 : f.value;
      a.text = f.text;
    }
    return true;
  });
}

inline bool read_values(std::string_view message, values& v) {
  return each_field(message, [&](const field& f) {
    if (f.type == wire::bytes && f.number >= 1 && f.number <= 3)
      (f.number == 1 ? v.values : f.number == 2 ? v.shapes : v.types) = f.text;
    return f.number > 3 || f.type == wire::bytes;
  });
}

/// Ids, packed or one by one.
inline bool read_ids(const field& f, std::vector<u64>& ids) {
  if (f.type == wire::varint) return ids.push_back(f.value), true;
  if (f.type != wire::bytes) return false;
  std::string_view packed = f.text;
  while (!packed.empty()) {
    const std::optional<u64> id = protobuf::take_varint(packed);
    if (!id) return false;
    ids.push_back(*id);
  }
  return true;
}

inline bool read_node(std::string_view message, node& n, u64& unknown) {
  return each_field(message, [&](const field& f) {
    const bool number = f.type == wire::varint, text = f.type == wire::bytes;
    switch (f.number) {
      case 1: n.id = f.value; return number;
      case 2: n.name = f.text; return text;
      case 3:
        if (number && f.value <= 7) n.type = static_cast<node_type>(f.value);
        return number && f.value <= 7;
      case 4: return read_ids(f, n.control);
      case 5: return read_ids(f, n.data);
      case 6: n.start = f.value; return number;
      case 7: n.duration = f.value; return number;
      case 8: n.has_inputs = true; return text && read_values(f.text, n.inputs);
      case 9: n.has_outputs = true; return text && read_values(f.text, n.outputs);
      case 10: n.attributes.emplace_back(); return text && read_attribute(f.text, n.attributes.back());
      default: ++unknown; return true;
    }
  });
}

inline bool read_metadata(std::string_view message, trace& t) {
  return each_field(message, [&](const field& f) {
    if (f.number == 1 && f.type == wire::bytes) return t.version = f.text, true;
    if (f.number == 2 && f.type == wire::bytes)
      return t.attributes.emplace_back(), read_attribute(f.text, t.attributes.back());
    return false;  // the message is so small that anything else is another format
  });
}

inline error broken(std::size_t at, const std::string& found, const char* remedy) {
  return {"byte " + std::to_string(at) + ": found " + found +
          "; expected messages of a Chakra execution trace, each behind its length; " + remedy};
}

}  // namespace detail

/// Reads the trace of one rank from its bytes. Refused, with the byte: lengths beyond the file, broken messages, node
/// types above 7, an id given twice, and dependencies on ids that no node has.
[[nodiscard]] inline result<trace> read_trace(std::string_view bytes) {
  trace t;
  const std::size_t size = bytes.size();
  for (bool first = true; !bytes.empty(); first = false) {
    const std::size_t at = size - bytes.size();
    const std::optional<u64> length = protobuf::take_varint(bytes);
    if (!length || *length > bytes.size())
      return detail::broken(at,
                            length ? "a message of " + std::to_string(*length) + " bytes where " +
                                         std::to_string(bytes.size()) + " are left"
                                   : "no length",
                            "the file is cut off or of another format");
    const std::string_view message = bytes.substr(0, static_cast<std::size_t>(*length));
    bytes.remove_prefix(message.size());
    if (first) {
      if (!detail::read_metadata(message, t))
        return detail::broken(at, "a first message that is no GlobalMetadata", "give a .et file of schema 0.0.4");
      continue;
    }
    t.nodes.emplace_back();
    if (!detail::read_node(message, t.nodes.back(), t.unknown_fields))
      return detail::broken(at, "a broken node (the " + std::to_string(t.nodes.size()) + ". of the file)",
                            "the file is damaged, or of a schema with node types above 7");
  }
  if (size == 0) return detail::broken(0, "an empty file", "give a .et file");

  std::vector<u64> ids;
  for (const node& n : t.nodes) ids.push_back(n.id);
  std::sort(ids.begin(), ids.end());
  if (const auto twice = std::adjacent_find(ids.begin(), ids.end()); twice != ids.end())
    return error{"node id " + std::to_string(*twice) +
                 " is given to two nodes; ids must be distinct; repair the producer"};
  for (const node& n : t.nodes)
    for (const std::vector<u64>* before : {&n.control, &n.data})
      for (u64 id : *before)
        if (!std::binary_search(ids.begin(), ids.end(), id))
          return error{"node " + std::to_string(n.id) + " " + shown(n.name) + " depends on node " + std::to_string(id) +
                       ", which the file does not hold; every dependency must be in the file; give the whole trace"};
  result<trace> r{std::move(t)};
  u64 calls = 0;
  for (const node& n : r->nodes) calls += n.type >= node_type::send ? 1 : 0;
  if (r->nodes.empty())
    r.note("the trace holds no nodes");
  else if (calls == 0)
    r.note("the trace holds no communication");
  if (r->unknown_fields != 0)
    r.note(std::to_string(r->unknown_fields) + " fields that schema 0.0.4 does not know are left out");
  return r;
}

}  // namespace echosim::inline v0::chakra
