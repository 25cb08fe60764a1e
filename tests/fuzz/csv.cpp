// SPDX-License-Identifier: MIT
// Any bytes are a rectangular table or an error with a line.
#include "echosim/io/csv.hpp"

#include <cstdint>
#include <cstdlib>

using namespace echosim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  csv_style style;
  style.comment = '#';
  style.skipped_lines = size % 2;
  const auto table = parse_csv({reinterpret_cast<const char*>(data), size}, style);
  if (!table) return 0;
  for (std::size_t r = 0; r < table->rows.size(); ++r) {
    if (table->rows[r].fields.size() != table->header.size()) std::abort();
    for (std::size_t c = 0; c < table->header.size(); ++c) {
      (void)table->integer(r, c);
      (void)table->real(r, c);
      (void)table->given(r, c);
    }
  }
  return 0;
}
