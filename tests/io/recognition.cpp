// SPDX-License-Identifier: MIT
#include "echosim/io/recognition.hpp"

#include <string>

#include "catch.hpp"

using namespace echosim;
using namespace std::string_literals;

TEST_CASE("every format is told from its first bytes") {
  const auto is = [](const std::string& text) { return format_of(text, true); };
  CHECK(is("") == file_format::empty);
  CHECK(is(" \n\t") == file_format::empty);
  CHECK(is("{\"schemaVersion\": 1, \"traceEvents\": []}") == file_format::kineto);
  CHECK(is("[{\"ph\": \"X\"}]") == file_format::kineto);
  CHECK(is("{\"schema\": \"1.0.1\", \"nodes\": []}") == file_format::pytorch_et);
  CHECK(is("\xEF\xBB\xBF{\"model_type\": \"llama\"}") == file_format::json);
  CHECK(is("# GPT\n{\n \"pipe-parallel-size\": 1,\n}") == file_format::yaml);
  CHECK(is("topology: [ Ring ]\nnpus_count: [ 8 ]\n") == file_format::yaml);
  CHECK(is("trainer:\n  num_nodes: 1\nmodel:\n") == file_format::yaml);
  CHECK(is("[rank0 ~ rank127]\ncomm_type,comm_group,comm_group_size,msg_size\n") == file_format::aicb);
  CHECK(is("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2\n") == file_format::simai);
  CHECK(is("test\nTP:\nallreduce,: 300\n") == file_format::bus_bandwidth);
  CHECK(is("<system version=\"1\">") == file_format::nccl_topology);
  CHECK(is("# note\nallreduce,0,65536,tree,simple,2,1,-1\n") == file_format::nccl_tuner);
  CHECK(is("# nThread 1\n# size count type redop time algbw busbw error\n") == file_format::nccl_tests);
  CHECK(is("[1,0]<stdout>:# nThread 1 nGpus 1\n") == file_format::nccl_tests);
  CHECK(is("\t\x1b[4mGPU0\tGPU1\tCPU Affinity\x1b[0m\nGPU0\t X \tNV18\t0-55\n") == file_format::nvidia_smi_topology);
  CHECK(is("#!/bin/bash\ntorchrun pretrain_gpt.py\n") == file_format::megatron);
  CHECK(is("--num-layers 2 --hidden-size 4\n") == file_format::megatron);
  CHECK(is("num_ranks 2\nrank 0 {\n") == file_format::goal);
  CHECK(is("0 init\n0 compute 1e9\n") == file_format::simgrid_ti);
  CHECK(is("\x07\x0a\x05"
           "0.0.4\x02\x08\x01") == file_format::chakra);
  CHECK(is("collective,size_bytes,algorithm,protocol,channels,nodes,ranks,pipeOps\nallreduce,1024,tree,simple,2,1,8,-"
           "1\n") == file_format::table);
  CHECK(is("a\tb\n1\t2\n") == file_format::table);
}

TEST_CASE("known formats that are not read say what to do instead") {
  const std::string tar = std::string(257, 'a') + "ustar" + std::string(10, '\0');
  for (const std::string& bytes : {"\x1f\x8b\x08\x00"s, "PK\x03\x04"s, "\x28\xb5\x2f\xfd"s,
                                   "\xfd"
                                   "7zXZ"s,
                                   "BZh9"s, tar, "\xff\xfe{\0"s, "\x0a\x21\x12\x0e/host:metadata"s,
                                   "{\"rocprofiler-sdk-tool\": []}"s, "<!-- x -->\n<algo name=\"a\"/>"s, ""s}) {
    const char* why = not_read(format_of(bytes, true));
    CAPTURE(bytes);
    REQUIRE(why != nullptr);
    CHECK(std::string{why}.find("; ") != std::string::npos);
  }
  CHECK(not_read(file_format::kineto) == nullptr);
}

TEST_CASE("prose, programs and lists are no format") {
  for (const char* text : {"import os\n", "# Title\n\nProse, with commas, in it.\n", "Regression Tests Guideline\n",
                           "host1\nhost2\n", "---\ntitle: \"x\"\n"})
    CHECK(format_of(text, true) == file_format::unknown);
}
