// SPDX-License-Identifier: MIT
// Any bytes, in any chunks, are a tree or an error with a place; the tree survives being written and read.
#include "echosim/io/json.hpp"

#include <cstdint>
#include <cstdlib>

using namespace echosim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const result<json> whole = parse_json(text);
  const result<json> chunked = parse_json(text_source{text, 1 + size % 7});
  if (static_cast<bool>(whole) != static_cast<bool>(chunked)) std::abort();
  if (!whole && whole.why().what != chunked.why().what) std::abort();
  json_stream tokens{text_source{text, 3}, {}, 64};
  json_token t = tokens.next();
  while (t != json_token::end && t != json_token::error) t = tokens.next();
  if (whole && t != json_token::end) std::abort();
  return 0;
}
