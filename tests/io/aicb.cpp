// SPDX-License-Identifier: MIT
#include "echosim/io/aicb.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/byte_source.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string two_stages =
    "[ pp_stage0: [rank0, rank1] ]\n"
    "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,algbw,busbw,count\n"
    "CommType.all_reduce,CommGroup.dp_group,16,6467616768,init.model_setup,None,None,,None,None,None,1\n"
    "CommType.computation,None,None,\"((1, 2), (2, 3))\",forward.mlp,None,None,,12.5,None,None,3\n"
    "[rank2 ~ rank3]\n"
    "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,_elapsed_time,algbw,busbw,count\n"
    "CommType.isend,CommGroup.pp_group,2,8,x,1,None,,None,None,None,1\n"
    "CommType.epoch_end,None,None,None,x,None,None,,None,None,None,1\n";
std::string why(std::string_view from, std::string_view to) {
  std::string text = two_stages;
  const auto r = aicb::read_calls(text.replace(text.find(from), from.size(), to));
  REQUIRE_FALSE(r);
  return r.why().what;
}
}  // namespace

TEST_CASE("sections, enums and None are what they mean") {
  const auto r = aicb::read_calls(two_stages);
  REQUIRE(r);
  REQUIRE(r->size() == 2);
  CHECK((*r)[0].ranks == "pp_stage0: [rank0, rank1] ");
  const aicb::item& a = (*r)[0].items[0];
  CHECK(a.kind == aicb::item_kind::all_reduce);
  CHECK(a.group == "dp_group");
  CHECK(a.size == 6'467'616'768);
  CHECK_FALSE(a.source);
  CHECK_FALSE(a.elapsed);
  const aicb::item& c = (*r)[0].items[1];
  CHECK(c.shape == "((1, 2), (2, 3))");
  CHECK_FALSE(c.size);
  CHECK(c.elapsed == 12.5);
  CHECK(c.count == 3);
  CHECK((*r)[1].items[0].target == 1);
}

TEST_CASE("unknown kinds, missing sizes and missing columns are refused") {
  CHECK(why("CommType.all_reduce", "CommType.all_scatter")
            .find("found 'CommType.all_scatter'; expected CommType.all_reduce") != std::string::npos);
  CHECK(why("6467616768", "None").find("expected bytes of a transfer") != std::string::npos);
  CHECK(why("6467616768", "-8").find("at least 0") != std::string::npos);
  CHECK(why("2,8,x", "2,8.5,x").find("section from line 5") == 0);
  CHECK(why("comm_group_size", "group_size").find("no column 'comm_group_size'") != std::string::npos);
  CHECK(why("[ pp", "pp").find("no bracketed line") != std::string::npos);
  CHECK_FALSE(aicb::read_calls(""));
}

TEST_CASE("changed bytes give calls or an error") {
  mutations damaged{two_stages, ",\"[]\nN0."};
  for (int round = 0; round < 10'000; ++round) {
    const auto r = aicb::read_calls(damaged.next());
    if (!r) CHECK(r.why().what.find(';') != std::string::npos);
  }
}

TEST_CASE("public call lists are read, every stage of them") {
  const std::string folder = public_folder("aicb_csv");
  if (folder.empty()) return;
  std::size_t sections = 0, items = 0;
  for (const std::string& file : files_in(folder)) {
    const auto r = aicb::read_calls(*read_file(file.c_str()));
    if (!r) continue;
    sections += r->size();
    for (const aicb::section& s : *r) items += s.items.size();
  }
  CHECK(sections == 15);
  CHECK(items == 181 + 394 + 613 + 2334 + 3141 + 308 + 1243 + 21'058);
}
