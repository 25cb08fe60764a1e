// SPDX-License-Identifier: MIT
#include <fstream>
#include <iterator>

#include "../../bench/accuracy_training.hpp"
#include "catch.hpp"

using namespace echosim;

namespace {
csv rows_of(const char* path) {
  std::ifstream in{path, std::ios::binary};
  REQUIRE(in);
  const auto t = parse_csv(std::string{std::istreambuf_iterator<char>{in}, {}});
  REQUIRE(t);
  return *t;
}
}  // namespace

TEST_CASE("Narayanan et al. 2021, tables 1 and 2: step times within 15 % on average, with nothing fitted to them") {
  const csv table = rows_of("bench/data/training.csv");
  workspace w;
  bench::training_figures figures;
  for (std::size_t i = 0; i != table.rows.size(); ++i) {
    const auto r = bench::predict_training(bench::training_row_of(table, i), w);
    INFO(r.row.id << ": " << r.row.refused);
    REQUIRE(r.row.refused.empty());
    figures.add(r);
  }
  CHECK(figures.errors.size() == 16);
  CHECK(bench::training_figures::mean_of(figures.errors, true) < 0.15);
}

TEST_CASE("rows that cannot be expressed are refused with their reason, and a source without rows has no error") {
  const auto t = parse_csv(
      "row_id,source,framework,gpu,gpus,gpus_per_node,nvlink_domain,node_net_gbps,layers,hidden,heads,vocab,seq_len,dtype,micro_batch,global_batch,tp,pp,dp,recompute,measured_step_s,n_experts\n"
      "A,s,Megatron-LM 2021,a100_sxm_80,8,8,8,1600,24,2048,16,51200,2048,bf16,1,8,8,1,1,full,1.0,8\n"
      "B,s,Megatron-LM 2021,a100_sxm_80,8,8,8,1600,24,2048,16,51200,2048,,1,8,8,1,1,full,1.0,\n"
      "C,s,Megatron-LM 2021,a100_sxm_80,9,8,8,1600,24,2048,16,51200,2048,bf16,1,8,8,1,1,full,1.0,\n"
      "D,s,somebody's own,a100_sxm_80,8,8,8,1600,24,2048,16,51200,2048,bf16,1,8,8,1,1,full,1.0,\n"
      "E,s,Megatron-LM 2021,a100_sxm_80,8,8,8,1600,,2048,16,51200,2048,bf16,1,8,8,1,1,full,1.0,\n");
  REQUIRE(t);
  const std::string out = bench::training_accuracy(*t, true);
  for (const char* reason : {"mixture of experts", "names no number format", "9 GPUs are not", "somebody's own", "layers is not stated"})
    CHECK(out.find(reason) != std::string::npos);
  CHECK(out.find("\"mean_abs_error\": null") != std::string::npos);
}
