// SPDX-License-Identifier: MIT
#include "catch.hpp"
#include "echosim/schedule/gpipe.hpp"
#include "echosim/schedule/interleaved.hpp"
#include "echosim/schedule/one_f_one_b.hpp"

using namespace echosim;

namespace {
template <class S>
std::string order_of(const S& s, shape p, u32 stage) {
  std::string text;
  for (u32 i = 0; i != 2 * p.micros * p.chunks; ++i) {
    const slot k = s.at(p, stage, i);
    text += (k.what == pass::forward ? 'F' : 'B') + std::to_string(k.micro);
    if (p.chunks > 1) text += static_cast<char>('a' + k.chunk);
    text += ' ';
  }
  text.pop_back();
  return text;
}
}  // namespace

TEST_CASE("the orders of the papers: GPipe, 1F1B, interleaved 1F1B") {
  CHECK(order_of(gpipe{}, {4, 3, 1}, 0) == "F0 F1 F2 B0 B1 B2");
  CHECK(order_of(one_f_one_b{}, {4, 5, 1}, 0) == "F0 F1 F2 F3 B0 F4 B1 B2 B3 B4");
  CHECK(order_of(one_f_one_b{}, {4, 5, 1}, 3) == "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4");
  CHECK(order_of(interleaved{}, {2, 4, 2}, 1) == "F0a F1a F0b B0b F1b B1b F2a B0a F3a B1a F2b B2b F3b B3b B2a B3a");
  CHECK(order_of(interleaved{}, {4, 5, 1}, 1) == order_of(one_f_one_b{}, {4, 5, 1}, 1));
}
