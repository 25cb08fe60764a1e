// SPDX-License-Identifier: MIT
#include "echosim/io/trace_program.hpp"

#include <cstdio>
#include <string>

#include "catch.hpp"
#include "echosim/core/archetypes.hpp"
#include "echosim/graph/order.hpp"
#include "echosim/io/kineto_reader.hpp"
#include "echosim/sim/price.hpp"
#include "echosim/sim/replay.hpp"
#include "public_files.hpp"

using namespace echosim;
using kineto::trace;

namespace {

struct item {
  const char* category;
  const char* name;
  int thread, start, length, correlation;  // µs
};
const char* const launch = "cudaLaunchKernel";

trace of(std::initializer_list<item> items) {
  std::string text = "[";
  for (const item& i : items)
    text += (text.size() > 1 ? "," : "") + std::string{"{\"ph\":\"X\",\"cat\":\""} + i.category + "\",\"name\":\"" +
            i.name + "\",\"pid\":0,\"tid\":" + std::to_string(i.thread) + ",\"ts\":" + std::to_string(i.start) +
            ",\"dur\":" + std::to_string(i.length) + ",\"args\":{\"correlation\":" + std::to_string(i.correlation) +
            "}}";
  auto t = kineto::read_trace(text_source{text + "]"});
  REQUIRE(t);
  return std::move(*t);
}

/// End of the last device operation, in ns, beside the span of the trace.
i64 replayed(const trace& t, const kineto::changes& c = {}) {
  auto p = kineto::program_of(t, c);
  if (!p) UNSCOPED_INFO(p.why().what);
  REQUIRE(p);
  const auto o = order(std::move(p->made));
  REQUIRE(o);
  workspace w;
  price_kernels(archetype::a_device{}, o->get(), w);
  replay(*o, w);
  duration last{};
  for (u32 l = 0; l < lanes; ++l)
    if (l != host) last = max(last, w.free[l]);
  return last.ps / 1000;
}
kineto::changes factor(kineto::kernel_class c, double f) {
  kineto::changes all;
  all.kernels[static_cast<unsigned>(c)] = f;
  return all;
}

}  // namespace

TEST_CASE("unchanged, a trace takes its own span") {
  const trace t = of({{"cuda_runtime", launch, 1, 0, 5, 1},
                      {"kernel", "gemm", 7, 4, 10, 1},
                      {"cuda_runtime", launch, 1, 8, 5, 2},
                      {"kernel", "gemm", 7, 14, 10, 2},
                      {"cuda_runtime", launch, 1, 40, 5, 3},
                      {"kernel", "relu_elementwise", 7, 46, 3, 3}});
  const auto p = kineto::program_of(t);
  REQUIRE(p);
  CHECK(p->span == 45'000);
  CHECK(p->launches == 3);
  CHECK(p->without_launch == 0);
  CHECK(replayed(t) == 45'000);
}

TEST_CASE("a kernel starts after its launch and the one before it: half as long kernels leave the host in the way") {
  const trace t = of({{"cuda_runtime", launch, 1, 0, 1, 1},
                      {"kernel", "gemm", 7, 0, 20, 1},
                      {"cuda_runtime", launch, 1, 5, 1, 2},
                      {"kernel", "gemm", 7, 20, 20, 2}});
  CHECK(replayed(t) == 40'000);
  CHECK(replayed(t, factor(kineto::kernel_class::gemm, 0.5)) == 20'000);
  CHECK(replayed(t, factor(kineto::kernel_class::gemm, 0.1)) == 7'000);  // the second is launched at 5
  CHECK(replayed(t, factor(kineto::kernel_class::attention, 0.1)) == 40'000);
  CHECK(replayed(t, factor(kineto::kernel_class::gemm, 2)) == 80'000);
}

TEST_CASE("the host waits for the device where it synchronises") {
  const trace t = of({{"cuda_runtime", launch, 1, 0, 1, 1},
                      {"kernel", "gemm", 7, 0, 50, 1},
                      {"cuda_runtime", "cudaDeviceSynchronize", 1, 2, 50, 9},
                      {"cuda_runtime", launch, 1, 60, 1, 2},
                      {"kernel", "gemm", 7, 61, 5, 2}});
  CHECK(replayed(t) == 66'000);
  CHECK(replayed(t, factor(kineto::kernel_class::gemm, 2)) == 121'000);  // 100 + 2 to return + 8 of the host + 1 + 10
  kineto::changes no_host;
  no_host.host = 0;
  CHECK(replayed(t, no_host) == 58'000);  // 50 + 2 + 1 + 5: the waits stay
}

TEST_CASE("communication that starts as a kernel on another stream ends waits for that kernel") {
  const trace t = of({{"cuda_runtime", launch, 1, 0, 1, 1},
                      {"kernel", "gemm", 7, 0, 50, 1},
                      {"cuda_runtime", launch, 1, 2, 1, 2},
                      {"kernel", "ncclAllReduce", 20, 53, 30, 2}});
  const auto p = kineto::program_of(t);
  REQUIRE(p);
  CHECK(p->waits_of_streams == 1);
  CHECK(replayed(t) == 83'000);
  CHECK(replayed(t, factor(kineto::kernel_class::gemm, 2)) == 133'000);
  CHECK(replayed(t, factor(kineto::kernel_class::communication, 0)) == 53'000);
}

TEST_CASE("events without a launch keep their distance and are counted") {
  const trace t = of({{"kernel", "gemm", 7, 0, 5, 1}, {"kernel", "gemm", 7, 9, 5, 2}});
  const auto p = kineto::program_of(t);
  REQUIRE(p);
  CHECK(p->without_launch == 2);
  CHECK(p.notes().size() == 1);
  CHECK(replayed(t) == 14'000);
}

TEST_CASE("another thread may launch while one waits") {
  const trace t = of({{"cuda_runtime", "cudaStreamSynchronize", 1, 0, 100, 9},
                      {"cuda_runtime", launch, 2, 10, 1, 1},
                      {"kernel", "gemm", 7, 12, 20, 1}});
  CHECK(replayed(t) == 20'000);  // from the kernel's start
}

TEST_CASE("traces without a device and impossible factors are refused") {
  CHECK(kineto::program_of(of({{"cpu_op", "aten::mm", 1, 0, 5, -1}})).why().what.find("no device events") !=
        std::string::npos);
  const trace t = of({{"kernel", "gemm", 7, 0, 5, 1}});
  CHECK_FALSE(kineto::program_of(t, factor(kineto::kernel_class::gemm, -1)));
  kineto::changes c;
  c.host = 1e9;
  CHECK_FALSE(kineto::program_of(t, c));
}

TEST_CASE("public traces replay within a hundredth of a percent of their span") {
  const std::string folder = public_folder("kineto");
  if (folder.empty()) return;
  std::size_t replays = 0;
  for (const std::string& path : files_in(folder)) {
    if (path.size() < 3 || path.substr(path.size() - 3) != ".gz") continue;
    std::FILE* pipe = popen(("zcat '" + path + "'").c_str(), "r");
    REQUIRE(pipe != nullptr);
    const auto t = kineto::read_trace(file_source{pipe});
    pclose(pipe);
    if (!t) continue;  // an execution trace
    const auto p = kineto::program_of(*t);
    if (!p) continue;  // no device
    ++replays;
    CAPTURE(path);
    CHECK(static_cast<double>(replayed(*t)) == Approx(static_cast<double>(p->span)).epsilon(1e-4));
  }
  CHECK(replays == 25);
}
