// SPDX-License-Identifier: MIT
#include <echosim/collective/ring.hpp>

int main() {
  const auto l = echosim::one_level(4, {1e9}, {0});
  return echosim::ring{}.time(l, {echosim::call::all_reduce, {4'000'000'000}, {}}).total() == echosim::duration{6'000'000'000'000} ? 0 : 1;
}
