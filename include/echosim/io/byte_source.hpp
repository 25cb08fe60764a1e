// SPDX-License-Identifier: MIT
// Where readers take bytes from, a chunk at a time: a text in memory, or a FILE* (a file, a pipe, standard input).
#pragma once
#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "shown.hpp"

namespace echosim::inline v0 {

/// Contract: read() fills at most `room` bytes and returns how many; 0 at the end; negative when the system failed.
template <class S>
concept byte_source = requires(S& s, char* into, std::size_t room) {
  { s.read(into, room) } -> std::same_as<std::ptrdiff_t>;
};

/// Bytes that somebody else keeps alive. `chunk` limits what one read gives, for tests.
struct text_source {
  std::string_view left;
  std::size_t chunk = ~std::size_t{0};
  std::ptrdiff_t read(char* into, std::size_t room) {
    const std::size_t n = std::min({room, chunk, left.size()});
    if (n != 0) std::memcpy(into, left.data(), n);
    left.remove_prefix(n);
    return static_cast<std::ptrdiff_t>(n);
  }
};
static_assert(byte_source<text_source>);

/// An open FILE*, not closed here.
struct file_source {
  std::FILE* file;
  std::ptrdiff_t read(char* into, std::size_t room) {
    const std::size_t n = std::fread(into, 1, room, file);
    return n == 0 && std::ferror(file) != 0 ? -1 : static_cast<std::ptrdiff_t>(n);
  }
};
static_assert(byte_source<file_source>);

/// All that `source` holds, refused beyond `limit` bytes.
template <byte_source S>
[[nodiscard]] result<std::string> read_all(S source, std::size_t limit = std::size_t{1} << 30) {
  std::string text;
  const std::size_t step = 1 << 16;
  for (;;) {
    const std::size_t had = text.size();
    if (had > limit)
      return error{"more than " + std::to_string(limit) +
                   " bytes; this format is read whole and files of it are smaller; give the right file"};
    text.resize(had + std::max(step, had));
    const std::ptrdiff_t n = source.read(text.data() + had, text.size() - had);
    text.resize(had + static_cast<std::size_t>(n > 0 ? n : 0));
    if (n < 0)
      return error{std::string{"reading failed after "} + std::to_string(had) + " bytes: " + std::strerror(errno)};
    if (n == 0) return text;
  }
}

/// The content of the file `path`; "-" is standard input.
[[nodiscard]] inline result<std::string> read_file(const char* path, std::size_t limit = std::size_t{1} << 30) {
  if (std::strcmp(path, "-") == 0) return read_all(file_source{stdin}, limit);
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr)
    return error{std::string{path} + ": cannot be opened (" + std::strerror(errno) +
                 "); give the path of a readable file"};
  result<std::string> text = read_all(file_source{file}, limit);
  std::fclose(file);
  if (!text) return error{std::string{path} + ": " + text.why().what};
  return text;
}

}  // namespace echosim::inline v0
