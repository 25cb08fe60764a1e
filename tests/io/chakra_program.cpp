// SPDX-License-Identifier: MIT
#include "echosim/io/chakra_program.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/core/archetypes.hpp"
#include "echosim/graph/order.hpp"
#include "echosim/io/byte_source.hpp"
#include "echosim/io/chakra_reader.hpp"
#include "echosim/io/chakra_write.hpp"
#include "echosim/sim/price.hpp"
#include "echosim/sim/replay.hpp"
#include "public_files.hpp"

using namespace echosim;
using chakra::node_type;

namespace {

chakra::node make(u64 id, node_type type, std::vector<u64> data = {}, u64 micros = 0) {
  chakra::node n;
  n.id = id, n.type = type, n.name = "n" + std::to_string(id), n.data = std::move(data), n.duration = micros;
  return n;
}
chakra::node message(u64 id, bool sends, std::int32_t peer, i64 size, std::vector<u64> data = {}) {
  chakra::node n = make(id, sends ? node_type::send : node_type::receive, std::move(data));
  n.attributes = {chakra::int32_attribute(sends ? "comm_dst" : "comm_src", peer),
                  chakra::integer_attribute("comm_size", size)};
  return n;
}
chakra::node group_call(u64 id, i64 type, i64 size, std::vector<u64> data = {}, const std::string& group = "") {
  chakra::node n = make(id, node_type::collective, std::move(data));
  n.attributes = {chakra::integer_attribute("comm_type", type), chakra::integer_attribute("comm_size", size),
                  chakra::text_attribute("pg_name", group)};
  return n;
}
chakra::trace of(std::vector<chakra::node> nodes) {
  chakra::trace t;
  t.nodes = std::move(nodes);
  return t;
}

/// Makespan in ns at 1 GB/s: the archetypes price a call with its bytes over the rate.
i64 run(const std::vector<chakra::trace>& ranks, const chakra::meaning& m = {}) {
  auto p = chakra::program_of(ranks, m);
  if (!p) UNSCOPED_INFO(p.why().what);
  REQUIRE(p);
  const auto o = order(std::move(p->made));
  if (!o) UNSCOPED_INFO(o.why().what);
  REQUIRE(o);
  workspace w;
  price_kernels(archetype::a_device{}, o->get(), w);
  find_levels(archetype::an_interconnect{}, o->get(), w);
  REQUIRE(price_calls(archetype::a_collective{}, o->get(), w));
  replay(*o, w);
  return w.makespan.ps / 1000;
}
std::string why(const std::vector<chakra::trace>& ranks) {
  const auto p = chakra::program_of(ranks);
  REQUIRE_FALSE(p);
  return p.why().what;
}

}  // namespace

TEST_CASE("compute, messages and collectives follow their dependencies over all ranks") {
  // rank 0 computes 10 µs and sends 5,000 B (5 µs); rank 1 computes 2 µs after the message; both reduce 20,000 B
  const std::vector<chakra::trace> ranks = {
      of({make(0, node_type::compute, {}, 10), message(1, true, 1, 5'000, {0}), group_call(2, 0, 20'000, {1})}),
      of({message(0, false, 0, 5'000), make(1, node_type::compute, {0}, 2), group_call(2, 0, 20'000, {1})})};
  CHECK(run(ranks) == 10'000 + 5'000 + 2'000 + 20'000);
  chakra::meaning nanoseconds;
  nanoseconds.duration_ps = 1'000;
  CHECK(run(ranks, nanoseconds) == 10 + 5'000 + 2 + 20'000);
  const auto p = chakra::program_of(ranks);
  CHECK(p->nodes == 6);
  CHECK(p->operations == 6);
}

TEST_CASE("what does not depend runs side by side on its own stream") {
  const std::vector<chakra::trace> ranks = {of({make(0, node_type::compute, {}, 30), group_call(1, 0, 20'000)}),
                                            of({make(0, node_type::compute, {}, 30), group_call(1, 0, 20'000)})};
  CHECK(run(ranks) == 30'000);
}

TEST_CASE("a receive that is late does not hold its message up") {
  // both send first and receive after their own send: legal where sends are eager
  const std::vector<chakra::trace> ring = {
      of({message(0, true, 1, 5'000), message(1, false, 1, 5'000, {0}), make(2, node_type::compute, {1}, 2)}),
      of({message(0, true, 0, 5'000), message(1, false, 0, 5'000, {0}), make(2, node_type::compute, {1}, 2)})};
  CHECK(run(ring) == 7'000);
  // the receiver is busy for 20 µs; the message is there before it looks
  const std::vector<chakra::trace> late = {
      of({message(0, true, 1, 5'000)}),
      of({make(0, node_type::compute, {}, 20), message(1, false, 0, 5'000, {0}), make(2, node_type::compute, {1}, 2)})};
  CHECK(run(late) == 22'000);
}

TEST_CASE("metadata takes no time and passes its dependencies on") {
  const std::vector<chakra::trace> ranks = {
      of({make(0, node_type::compute, {}, 3), make(1, node_type::metadata, {0}), make(2, node_type::compute, {1}, 4)})};
  CHECK(run(ranks) == 7'000);
  CHECK(chakra::program_of(ranks)->metadata == 1);
}

TEST_CASE("groups are the ranks that use a name, or those that are given") {
  const auto half = [](const std::string& g) { return of({group_call(0, 0, 1'000, {}, g)}); };
  const std::vector<chakra::trace> ranks = {half("1"), half("2"), half("1"), half("2")};
  const auto p = chakra::program_of(ranks);
  REQUIRE(p);
  REQUIRE(p->made.groups.size() == 2);
  CHECK(p->made.groups[0].base == 0);
  CHECK(p->made.groups[1].base == 1);
  CHECK(p->made.groups[1].members[0] == dim{2, 2});
  chakra::meaning m;
  m.groups = {{"1", {0, 2}}, {"2", {1, 3}}};
  CHECK(run(ranks, m) == run(ranks));
  m.groups = {{"1", {0, 1}}, {"2", {2, 3}}};
  CHECK_FALSE(chakra::program_of(ranks, m));
}

TEST_CASE("the size of an all-gather is what its producer means") {
  const std::vector<chakra::trace> ranks = {of({group_call(0, 2, 1'000)}), of({group_call(0, 2, 1'000)})};
  chakra::meaning shard;
  shard.gather_is_shard = true;
  CHECK(run(ranks) == 1'000);
  CHECK(run(ranks, shard) == 2'000);
}

TEST_CASE("compute without a duration is priced by the device") {
  chakra::node n = make(0, node_type::compute);
  n.attributes = {chakra::integer_attribute("num_ops", 1'000'000), chakra::integer_attribute("tensor_size", 4'096)};
  const std::vector<chakra::trace> ranks = {of({n})};
  const auto p = chakra::program_of(ranks);
  REQUIRE(p);
  CHECK(p->made.kernels[0].given < duration{});
  CHECK(p->made.kernels[0].work.count == 1e6);
  CHECK(p->made.kernels[0].moved.count == 4'096);
}

TEST_CASE("what cannot run is refused with the nodes that are to blame") {
  CHECK(why({of({message(0, true, 1, 8)}), of({})}).find("rank 0 to 1, tag 0: 1 sends and 0 receives") == 0);
  CHECK(why({of({group_call(0, 0, 8)}), of({})}).find("rank 0 makes 1 collectives and rank 1 makes 0") !=
        std::string::npos);
  CHECK(
      why({of({group_call(0, 0, 8)}), of({group_call(0, 0, 9)})}).find("rank 1, node 0 'n0' is another call or size") ==
      0);
  CHECK(why({of({group_call(0, 9, 8)}), of({group_call(0, 9, 8)})})
            .find("is BARRIER, which no collective model here prices") != std::string::npos);
  CHECK(why({of({make(0, node_type::compute, {1}), make(1, node_type::compute, {0})})}).find("wait for each other") !=
        std::string::npos);
  // a circle over two ranks that no single trace shows
  CHECK(why({of({message(0, true, 1, 8, {1}), message(1, false, 1, 8)}),
             of({message(0, true, 0, 8, {1}), message(1, false, 0, 8)})})
            .find("wait for each other") != std::string::npos);
  CHECK(why({of({group_call(0, 0, 8, {}, "1")}), of({group_call(0, 0, 8, {}, "1")}), of({}),
             of({group_call(0, 0, 8, {}, "1")})})
            .find("constant stride") != std::string::npos);
  CHECK(why({}).find("no trace") == 0);
}

TEST_CASE("the public ring all-reduce of eight ranks takes its fourteen steps") {
  const std::string folder = public_folder("chakra_et");
  if (folder.empty()) return;
  std::vector<chakra::trace> ring, reduce;
  for (const std::string& file : files_in(folder)) {
    if (file.substr(file.size() - 3) != ".et") continue;
    auto t = chakra::read_trace(*read_file(file.c_str()));
    REQUIRE(t);
    if (file.find("custom_allreduce.") != std::string::npos)
      ring.push_back(std::move(*t));
    else if (file.find("all_reduce.") != std::string::npos)
      reduce.push_back(std::move(*t));
  }
  REQUIRE(ring.size() == 8);
  const auto p = chakra::program_of(ring);
  REQUIRE(p);
  CHECK(p->operations == 8 * 35);
  CHECK(run(ring) == 14 * 131'072 + 7 * 7'000);  // seven of the steps also add for 7 µs
  CHECK(run(reduce) == 1'048'576);
}
