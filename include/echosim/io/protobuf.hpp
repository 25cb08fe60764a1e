// SPDX-License-Identifier: MIT
// The wire format of protocol buffers (protobuf.dev, "Encoding"), without a schema: fields in, fields out. Bounded by
// the text it looks at; nothing is allocated.
#pragma once
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "../core/ids.hpp"

namespace echosim::inline v0::protobuf {

/// Groups (3, 4) are deprecated and refused.
enum class wire : u8 { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct field {
  u32 number = 0;
  wire type = wire::varint;
  u64 value = 0;          ///< of varint, fixed64, fixed32
  std::string_view text;  ///< of bytes: strings, messages, packed lists
};

/// A base-128 number of at most ten bytes at the front of `text`, which loses them. Null where it is cut off or longer.
[[nodiscard]] inline std::optional<u64> take_varint(std::string_view& text) {
  u64 value = 0;
  for (unsigned i = 0; i < 10 && i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (i == 9 && byte > 1) return std::nullopt;
    value |= static_cast<u64>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      text.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}
[[nodiscard]] inline std::optional<u64> take_fixed(std::string_view& text, std::size_t size) {
  if (text.size() < size) return std::nullopt;
  u64 value = 0;
  for (std::size_t i = 0; i < size; ++i) value |= static_cast<u64>(static_cast<unsigned char>(text[i])) << (8 * i);
  text.remove_prefix(size);
  return value;
}

/// The next field of a message, which loses it. Null at the end of the message and where it is broken: `text` is empty
/// in the first case only.
[[nodiscard]] inline std::optional<field> take_field(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  std::string_view rest = text;
  const std::optional<u64> tag = take_varint(rest);
  if (!tag || *tag >> 3 == 0 || *tag >> 3 > 0x1fffffff) return std::nullopt;
  field f;
  f.number = static_cast<u32>(*tag >> 3);
  std::optional<u64> value;
  switch (*tag & 7) {
    case 0: f.type = wire::varint, value = take_varint(rest); break;
    case 1: f.type = wire::fixed64, value = take_fixed(rest, 8); break;
    case 5: f.type = wire::fixed32, value = take_fixed(rest, 4); break;
    case 2:
      f.type = wire::bytes;
      value = take_varint(rest);
      if (!value || *value > rest.size()) return std::nullopt;
      f.text = rest.substr(0, static_cast<std::size_t>(*value));
      rest.remove_prefix(f.text.size());
      break;
    default: return std::nullopt;
  }
  if (!value) return std::nullopt;
  f.value = *value;
  text = rest;
  return f;
}

/// −1, 1, −2 … as 1, 2, 3 … and back.
[[nodiscard]] constexpr i64 from_zigzag(u64 v) { return static_cast<i64>(v >> 1) ^ -static_cast<i64>(v & 1); }
[[nodiscard]] constexpr u64 to_zigzag(i64 v) { return (static_cast<u64>(v) << 1) ^ static_cast<u64>(v >> 63); }
[[nodiscard]] inline double to_double(u64 bits) { return std::bit_cast<double>(bits); }
[[nodiscard]] inline float to_float(u64 bits) { return std::bit_cast<float>(static_cast<u32>(bits)); }

inline void append_varint(std::string& out, u64 value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(static_cast<unsigned char>(value | 0x80));
  out += static_cast<char>(static_cast<unsigned char>(value));
}
inline void append_fixed(std::string& out, u64 value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
}
inline void append(std::string& out, u32 number, u64 value) {
  append_varint(out, u64{number} << 3);
  append_varint(out, value);
}
inline void append(std::string& out, u32 number, std::string_view text) {
  append_varint(out, u64{number} << 3 | 2);
  append_varint(out, text.size());
  out += text;
}
/// Any field, as take_field gave it.
inline void append(std::string& out, const field& f) {
  append_varint(out, u64{f.number} << 3 | static_cast<u64>(f.type));
  switch (f.type) {
    case wire::varint: append_varint(out, f.value); break;
    case wire::fixed64: append_fixed(out, f.value, 8); break;
    case wire::fixed32: append_fixed(out, f.value, 4); break;
    case wire::bytes: append_varint(out, f.text.size()), out += f.text; break;
  }
}

}  // namespace echosim::inline v0::protobuf
