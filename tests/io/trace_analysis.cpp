// SPDX-License-Identifier: MIT
#include "echosim/io/trace_analysis.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "catch.hpp"
#include "echosim/io/kineto_reader.hpp"
#include "public_files.hpp"

using namespace echosim;
using kineto::analysis;

namespace {

struct piece {
  const char* name;
  const char* category;
  int stream, start, length;  // µs
};
result<analysis> analyse(std::initializer_list<piece> pieces) {
  std::string text = "[";
  for (const piece& p : pieces) {
    if (text.size() > 1) text += ',';
    text += std::string{"{\"ph\":\"X\",\"name\":\""} + p.name + "\",\"cat\":\"" + p.category +
            "\",\"pid\":0,\"tid\":" + std::to_string(p.stream) + ",\"ts\":" + std::to_string(p.start) +
            ",\"dur\":" + std::to_string(p.length) + "}";
  }
  const auto t = kineto::read_trace(text_source{text + "]"});
  REQUIRE(t);
  return kineto::analyse(*t);
}
void check_sums(const analysis& a) {
  CHECK(a.span == a.compute + a.exposed_communication + a.exposed_copy + a.idle);
  CHECK(a.busy == a.span - a.idle);
  i64 sum = 0;
  for (const kineto::class_time& c : a.classes) {
    sum += c.sum;
    CHECK(c.busy <= c.sum);
  }
  CHECK(sum == a.sum);
  CHECK(a.busy <= a.sum);
}

/// Decompressed text of a public trace.
result<kineto::trace> public_trace(const std::string& path) {
  std::FILE* pipe = popen(("zcat '" + path + "'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  auto t = kineto::read_trace(file_source{pipe});
  pclose(pipe);
  return t;
}

}  // namespace

TEST_CASE("overlapped communication is exposed only where no kernel runs") {
  const auto a = analyse({{"gemm", "kernel", 7, 0, 10},
                          {"ncclDevKernel_AllReduce", "kernel", 20, 5, 10},
                          {"Memcpy HtoD", "gpu_memcpy", 9, 14, 4},
                          {"gemm", "kernel", 7, 20, 2}});
  REQUIRE(a);
  CHECK(a->span == 22'000);
  CHECK(a->compute == 12'000);
  CHECK(a->communication == 10'000);
  CHECK(a->exposed_communication == 5'000);
  CHECK(a->copy == 4'000);
  CHECK(a->exposed_copy == 3'000);
  CHECK(a->idle == 2'000);
  CHECK(a->streams == 3);
  check_sums(*a);
}

TEST_CASE("overlap on one stream is a union and is counted") {
  const auto a = analyse(
      {{"x", "kernel", 7, 0, 10}, {"x", "kernel", 7, 3, 3}, {"x", "kernel", 7, 9, 3}, {"x", "kernel", 7, 12, 0}});
  REQUIRE(a);
  CHECK(a->busy == 12'000);
  CHECK(a->sum == 16'000);
  CHECK(a->overlaps == 2);
  check_sums(*a);
}

TEST_CASE("a trace without device events gives zeros and says so") {
  const auto a = analyse({{"aten::mm", "cpu_op", 7, 0, 10}});
  REQUIRE(a);
  CHECK(a->device_events == 0);
  CHECK(a->span == 0);
  REQUIRE(a.notes().size() == 1);
  CHECK(a.notes()[0].find("no device events") != std::string::npos);
}

TEST_CASE("communication without a recorded size is reported, not guessed") {
  const auto a = analyse({{"ncclKernel_AllReduce_RING_LL_Sum_float", "kernel", 20, 0, 3}});
  REQUIRE(a);
  CHECK(a->communications == 1);
  CHECK(a->with_size == 0);
  CHECK(a.notes()[0].find("1 of 1 communication kernels carry no size") == 0);
}

TEST_CASE("a kernel that is communication only by a common word is named") {
  const auto a =
      analyse({{"cub::DispatchReduceByKey", "kernel", 7, 0, 3}, {"deep_ep::intranode::dispatch", "kernel", 7, 5, 3}});
  REQUIRE(a);
  CHECK(a->communications == 2);
  REQUIRE(a.notes().size() == 2);
  CHECK(a.notes()[1].find("cub::DispatchReduceByKey") != std::string::npos);
}

TEST_CASE("kernels of the libraries fall into their classes") {
  const auto is = [](const char* name) { return kineto::class_of(name, kineto::communication_words()); };
  CHECK(is("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn") == kineto::kernel_class::gemm);
  CHECK(is("Cijk_Ailk_Bljk_HHS_BH_MT128x128x32") == kineto::kernel_class::gemm);
  CHECK(is("flash_fwd_kernel<Flash_fwd_kernel_traits>") == kineto::kernel_class::attention);
  CHECK(is("void cudnn::bn_fw_tr_1C11_kernel_NCHW") == kineto::kernel_class::norm);
  CHECK(is("void at::native::vectorized_elementwise_kernel<4>") == kineto::kernel_class::elementwise);
  CHECK(is("ncclDevKernel_Generic") == kineto::kernel_class::communication);
  CHECK(is("sm80_xmma_wgrad_implicit_gemm_indexed") == kineto::kernel_class::convolution);
  CHECK(is("mystery") == kineto::kernel_class::other);
}

TEST_CASE("public traces give the times that an exact count over their text gives") {
  const std::string folder = public_folder("kineto");
  if (folder.empty()) return;
  struct truth {
    const char* file;
    i64 span, busy, compute, communication, exposed, copy, sum;  // ns, counted with exact decimals
  };
  const truth truths[] = {
      {"nccl_data.json", 660'551'005, 157'500'014, 115'655'847, 46'876'493, 39'559'468, 2'653'498, 165'185'838},
      {"negative_queue_length_values_check__rank0", 1'231'461'000, 438'424'000, 210'956'000, 187'912'000, 185'359'000,
       47'624'000, 449'763'000},
      {"trace_diff__test__test", 745'239'000, 717'943'000, 546'515'000, 251'409'000, 74'931'000, 156'797'000,
       963'762'000},
      {"df_index_resolver.json", 1'732'965'000, 1'000'613'000, 620'516'000, 357'343'000, 357'343'000, 22'754'000,
       1'000'613'000},
      {"resnet_act_checkpoint.json", 86'567'708, 84'002'056, 25'739'303, 71'516'523, 55'625'224, 2'974'246,
       100'230'072},
      {"vgg13", 347'021'000, 346'366'000, 346'340'000, 0, 0, 26'000, 346'370'000},
  };
  unsigned found = 0;
  for (const std::string& path : files_in(folder))
    for (const truth& t : truths) {
      if (path.find(t.file) == std::string::npos) continue;
      CAPTURE(path);
      const auto trace = public_trace(path);
      REQUIRE(trace);
      const auto a = kineto::analyse(*trace);
      REQUIRE(a);
      CHECK(a->span == t.span);
      CHECK(a->busy == t.busy);
      CHECK(a->compute == t.compute);
      CHECK(a->communication == t.communication);
      CHECK(a->exposed_communication == t.exposed);
      CHECK(a->copy == t.copy);
      CHECK(a->sum == t.sum);
      check_sums(*a);
      if (std::string{t.file} == "nccl_data.json") {
        CHECK(a->communications == 21);
        CHECK(a->with_size == 21);
      }
      ++found;
    }
  CHECK(found == 6);
}
