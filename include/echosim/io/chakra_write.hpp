// SPDX-License-Identifier: MIT
// Writes Chakra execution traces: what read_trace gave comes out with every node, dependency and attribute.
#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "chakra.hpp"
#include "protobuf.hpp"

namespace echosim::inline v0::chakra {

/// Attributes under the names and widths that ASTRA-sim's feeder reads.
[[nodiscard]] inline attribute integer_attribute(std::string name, i64 value) {
  attribute a;
  a.name = std::move(name), a.field = 9, a.bits = static_cast<u64>(value);
  return a;
}
[[nodiscard]] inline attribute int32_attribute(std::string name, std::int32_t value) {
  attribute a;
  a.name = std::move(name), a.field = 7, a.bits = static_cast<u64>(i64{value});
  return a;
}
[[nodiscard]] inline attribute flag_attribute(std::string name, bool value) {
  attribute a;
  a.name = std::move(name), a.field = 27, a.bits = value ? 1 : 0;
  return a;
}
[[nodiscard]] inline attribute text_attribute(std::string name, std::string value) {
  attribute a;
  a.name = std::move(name), a.field = 29, a.text = std::move(value);
  return a;
}

namespace detail {

[[nodiscard]] inline std::string message_of(const attribute& a) {
  std::string m;
  protobuf::append(m, 1, a.name);
  if (!a.doc.empty()) protobuf::append(m, 2, a.doc);
  protobuf::field f;
  f.number = a.field;
  f.value = a.bits;
  f.text = a.text;
  f.type = wire_of_attribute(a.field);
  protobuf::append(m, f);
  return m;
}
[[nodiscard]] inline std::string message_of(const values& v) {
  std::string m;
  if (!v.values.empty()) protobuf::append(m, 1, v.values);
  if (!v.shapes.empty()) protobuf::append(m, 2, v.shapes);
  if (!v.types.empty()) protobuf::append(m, 3, v.types);
  return m;
}
inline void append_ids(std::string& out, u32 number, const std::vector<u64>& ids) {
  if (ids.empty()) return;
  std::string packed;
  for (u64 id : ids) protobuf::append_varint(packed, id);
  protobuf::append(out, number, std::string_view{packed});
}
[[nodiscard]] inline std::string message_of(const node& n) {
  std::string m;
  if (n.id != 0) protobuf::append(m, 1, n.id);  // zero is the default and stays off the wire
  if (!n.name.empty()) protobuf::append(m, 2, n.name);
  if (n.type != node_type::invalid_node) protobuf::append(m, 3, static_cast<u64>(n.type));
  append_ids(m, 4, n.control);
  append_ids(m, 5, n.data);
  if (n.start != 0) protobuf::append(m, 6, n.start);
  if (n.duration != 0) protobuf::append(m, 7, n.duration);
  if (n.has_inputs) protobuf::append(m, 8, std::string_view{message_of(n.inputs)});
  if (n.has_outputs) protobuf::append(m, 9, std::string_view{message_of(n.outputs)});
  for (const attribute& a : n.attributes) protobuf::append(m, 10, std::string_view{message_of(a)});
  return m;
}
inline void append_message(std::string& out, std::string_view message) {
  protobuf::append_varint(out, message.size());
  out += message;
}

}  // namespace detail

/// The bytes of a `<prefix>.<rank>.et` file.
[[nodiscard]] inline std::string bytes_of(const trace& t) {
  std::string out, head;
  if (!t.version.empty()) protobuf::append(head, 1, std::string_view{t.version});
  for (const attribute& a : t.attributes) protobuf::append(head, 2, std::string_view{detail::message_of(a)});
  detail::append_message(out, head);
  for (const node& n : t.nodes) detail::append_message(out, detail::message_of(n));
  return out;
}

}  // namespace echosim::inline v0::chakra
