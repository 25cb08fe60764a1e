// SPDX-License-Identifier: MIT
// accuracy training|kernels FILE.csv [--json]: predictions against published measurements, row by row and by source. Needs
// the headers alone: g++ -std=c++20 -O2 -Iinclude bench/accuracy.cpp -o accuracy
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "accuracy_kernels.hpp"
#include "accuracy_training.hpp"

int main(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  if (count < 3 || (what != "training" && what != "kernels") || (count > 3 && std::string_view{words[3]} != "--json")) {
    std::fputs("accuracy training|kernels FILE.csv [--json]\n", stderr);
    return 2;
  }
  std::ifstream in{words[2], std::ios::binary};
  if (!in) {
    std::fprintf(stderr, "accuracy: cannot open %s; give a CSV file that exists\n", words[2]);
    return 1;
  }
  const std::string content{std::istreambuf_iterator<char>{in}, {}};
  const auto table = echosim::parse_csv(content);
  if (!table) {
    std::fprintf(stderr, "accuracy: %s: %s\n", words[2], table.why().what.c_str());
    return 1;
  }
  if (what == "training" && (!table->column("measured_step_s") || !table->column("row_id"))) {
    std::fprintf(stderr, "accuracy: %s has no columns row_id and measured_step_s; training tables have; see docs/validation.md\n", words[2]);
    return 1;
  }
  const bool json = count > 3;
  std::fputs((what == "training" ? bench::training_accuracy(*table, json) : bench::kernel_accuracy(*table, json)).c_str(), stdout);
}
