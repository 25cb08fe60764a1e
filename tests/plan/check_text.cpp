// SPDX-License-Identifier: MIT
#include "echosim/plan/check_text.hpp"

#include <algorithm>
#include <limits>

#include "catch.hpp"
#include "echosim/model/catalog.hpp"
#include "echosim/plan/check.hpp"

using namespace echosim;

namespace {

constexpr auto last_rule = static_cast<u8>(rule::memory_tight);

finding sample(rule r) { return {r, severity::error, "global_batch", 30, 4, 1}; }

}  // namespace

TEST_CASE("every finding is one line that names what was given, what is required and what to do") {
  for (u8 r = 0; r <= last_rule; ++r) {
    const std::string t = text(sample(static_cast<rule>(r)));
    INFO(t);
    CHECK(std::count(t.begin(), t.end(), ';') == 2);
    CHECK(t.find('\n') == std::string::npos);
    CHECK(t.size() > 40);
  }
}

TEST_CASE("no two rules say the same") {
  for (u8 a = 0; a <= last_rule; ++a)
    for (u8 b = 0; b != a; ++b) CHECK(text(sample(static_cast<rule>(a))) != text(sample(static_cast<rule>(b))));
}

TEST_CASE("layers that do not divide are answered with a layout") {
  CHECK(text(finding{rule::layers_by_stages, severity::error, "", 30, 4, 1}) ==
        "30 layers on 4 stages; an even cut needs a multiple of 4; give a layout such as 8,8,7,7");
  CHECK(
      text(finding{rule::layers_by_stages, severity::error, "", 96, 10, 2}) ==
      "96 layers on 10 stages of 2 chunks; an even cut needs a multiple of 20; give a layout of 16 times 5 and 4 times "
      "4");
  CHECK(text(finding{rule::layers_by_stages, severity::error, "", 3, 4, 1}) ==
        "3 layers on 4 stages; an even cut needs a multiple of 4; lower pp or vpp");
}

TEST_CASE("a layout covers the layers, larger stages first") {
  for (i64 layers : {1, 7, 16, 30, 96})
    for (i64 chunks : {1, 3, 4, 16}) {
      const std::string t = detail::even_layout(layers, chunks);
      i64 sum = 0, last = layers;
      for (std::size_t at = t.find(' ', 5) + 1; at <= t.size();) {
        const std::size_t end = std::min(t.find(',', at), t.size());
        const i64 n = std::stoll(t.substr(at, end - at));
        CHECK(n <= last);
        sum += last = n;
        at = end + 1;
      }
      CHECK(sum == layers);
    }
}

TEST_CASE("memory reads in GiB, cut and not rounded up") {
  CHECK(detail::gib((i64{80} << 30) - 1) == "79.9 GiB");
  CHECK(detail::gib(i64{80} << 30) == "80.0 GiB");
  CHECK(detail::gib(0) == "0.0 GiB");
  CHECK(detail::gib(std::numeric_limits<i64>::max()) == "8589934591.9 GiB");
  const std::string t = text(finding{rule::memory, severity::error, "", i64{91} << 30, i64{80} << 30, 3});
  CHECK(t.find("stage 3 needs 91.0 GiB; the device has 80.0 GiB: it does not fit") == 0);
}

TEST_CASE("a verdict reads as its errors, or where there are none as its warnings") {
  const transformer m = find_model("gpt-175b")->is;
  plan p;
  p.tp = 5, p.pp = 7, p.global_batch = 1;
  verdict v = check(m, p, {35, 8, {}});
  CHECK(text(v) ==
        "96 heads with tp 5; tp must divide them; choose a tp that divides them\n"
        "96 key/value heads with tp 5; one must divide the other; choose a tp that divides them or a multiple of them\n"
        "49152 columns of the MLP with tp 5; tp must divide them; choose a tp that divides them\n"
        "25165824 elements of an activation with tp 5; tp must divide them; choose such a tp, or let stages send whole "
        "activations\n"
        "96 layers on 7 stages; an even cut needs a multiple of 7; give a layout such as 14,14,14,14,14,13,13");
  p.tp = 8, p.pp = 12;
  v = check(m, p);
  CHECK(text(v) ==
        "1 micro-batch on 12 stages; fewer than stages leave stages idle; raise the global batch or lower pp, "
        "micro_batch or dp");
  p.global_batch = 12;
  CHECK(text(check(m, p)).empty());
}

TEST_CASE("2^40 tokens are answered with the numbers that do not fit") {
  const transformer m = find_model("llama-2-7b")->is;
  plan p;
  p.sequence = i64{1} << 40;
  CHECK(text(check(m, p)) ==
        "bytes for layers·columns·sequences·tokens: 65536000 times 1099511627776; at most 1152921504606846976 can be "
        "counted; lower one of them");
}
