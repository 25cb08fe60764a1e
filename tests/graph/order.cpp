// SPDX-License-Identifier: MIT
#include "echosim/graph/order.hpp"

#include "catch.hpp"

using namespace echosim;

namespace {

program two_ranks() {
  program p;
  p.ranks = 2;
  kernel k;
  k.name = "gemm";
  p.kernels = {k};
  p.groups = {{0, {{{2, 1}}}, {}}};
  p.calls = {{{call::send, {8}, dimension::pp}, 0, 2, {}, "send"}};
  return p;
}

}  // namespace

TEST_CASE("a program in order keeps its order") {
  program p = two_ranks();
  p.add(0, stream_of(0, compute));
  p.add(1, stream_of(0, send_forward));
  p.after(0);
  p.add(1, stream_of(1, receive_forward));
  const auto o = order(p);
  REQUIRE(o);
  CHECK(o->get().what == p.what);
  CHECK(o->get().preds == p.preds);
}

TEST_CASE("a program out of order is sorted, with members of a call together and predecessors renumbered") {
  program p = two_ranks();
  p.add(1, stream_of(0, send_forward));
  p.after(2);
  p.add(1, stream_of(1, receive_forward));
  p.add(0, stream_of(0, compute));
  p.add(0, stream_of(1, compute));
  p.after(1);
  const auto o = order(p);
  REQUIRE(o);
  const program& q = o->get();
  for (u32 i = 0; i != q.size(); ++i)
    for (u32 e = q.first[i]; e != q.first[i + 1]; ++e) CHECK(q.preds[e] < i);
  CHECK(q.what == std::vector<u32>{0, 1, 1, 0});
}

TEST_CASE("a cycle is refused and its operations are named") {
  program p = two_ranks();
  p.add(0, stream_of(0, compute));
  p.after(2);
  p.add(1, stream_of(0, send_forward));
  p.after(0);
  p.add(1, stream_of(1, receive_forward));
  const auto o = order(p);
  REQUIRE_FALSE(o);
  CHECK(o.why().what.find("wait for each other") != std::string::npos);
  CHECK(o.why().what.find("gemm on rank 0") != std::string::npos);
}

TEST_CASE("sends that cross are refused: both ranks send before they receive") {
  program p = two_ranks();
  p.groups.push_back({1, {{{1, 1}}}, {}});
  p.calls.push_back({{call::send, {8}, dimension::pp}, 1, 2, {}, "send back"});
  // Each rank has one blocking stream: its send stands before its receive.
  p.add(1, stream_of(0, compute));
  p.add(1, stream_of(1, receive_forward));
  p.add(2, stream_of(1, compute));
  p.add(2, stream_of(0, receive_forward));
  p.preds = {2, 0};
  p.first = {0, 0, 1, 1, 2};  // the receive on 1 waits for its own send; the receive on 0 for its own
  const auto o = order(p);
  REQUIRE_FALSE(o);
  CHECK(o.why().what.find("send on rank 0") != std::string::npos);
  CHECK(o.why().what.find("send on rank 1") != std::string::npos);
}

TEST_CASE("a member that never arrives is named") {
  program p = two_ranks();
  p.add(1, stream_of(0, send_forward));
  p.add(0, stream_of(1, compute));
  const auto o = order(p);
  REQUIRE_FALSE(o);
  CHECK(o.why().what.find("member 1 of the call at operation 0 never arrives") != std::string::npos);
  program q = two_ranks();
  q.add(1, stream_of(0, send_forward));
  REQUIRE_FALSE(order(q));
}

TEST_CASE("indices outside the tables are refused") {
  program p = two_ranks();
  p.add(7, stream_of(0, compute));
  CHECK_FALSE(order(p));
  program q = two_ranks();
  q.add(0, stream_of(5, compute));
  CHECK_FALSE(order(q));
  program r = two_ranks();
  r.add(0, stream_of(0, compute));
  r.after(9);
  CHECK_FALSE(order(r));
  program s = two_ranks();
  s.what.push_back(0);
  CHECK_FALSE(order(s));
}
