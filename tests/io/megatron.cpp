// SPDX-License-Identifier: MIT
#include "echosim/io/megatron.hpp"

#include <string>

#include "catch.hpp"
#include "echosim/io/byte_source.hpp"
#include "echosim/model/parameters.hpp"
#include "mutated.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
const std::string script =
    "#!/bin/bash\n#SBATCH --nodes=24   # of them\nNNODES=$SLURM_NNODES\nGPUS_PER_NODE=8\nTP_SIZE=4\nMICRO=2 # was "
    "1\nSEQ_LEN=2048\n"
    "ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)\nWORLD_SIZE=$(($GPUS_PER_NODE*$NNODES))\n"
    "OPTIMIZER_ARGS=\" \\\n    --lr 6e-5 \\\n    --train-samples 220_000_000 \\\n    \"\n"
    "GPT_ARGS=\" \\\n    --num-layers 70 \\\n    --hidden-size 14336 \\\n    --num-attention-heads 112 \\\n    "
    "--seq-length $SEQ_LEN \\\n"
    "    --max-position-embeddings ${SEQ_LEN} \\\n    --micro-batch-size $MICRO \\\n    --global-batch-size "
    "${GBS:-2048} \\\n    --bf16 \\\n"
    "    --position-embedding-type alibi \\\n    --embed-layernorm \\\n    --pad-vocab-size-to 250880 \\\n    "
    "--checkpoint-activations \\\n    $OPTIMIZER_ARGS \\\n    \"\n"
    "cat <<EOT > config.json\n{ \"--hidden-size\": 1 }\nEOT\n"
    "PAR=(\n  --tensor-model-parallel-size $TP_SIZE\n  --pipeline-model-parallel-size=12 # stages\n)\n"
    "torchrun --nproc_per_node $GPUS_PER_NODE --nnodes $NNODES --rdzv_endpoint $ADDR:6000 pretrain_gpt.py ${PAR[@]} "
    "$GPT_ARGS\n";

std::string changed(std::string_view from, std::string_view to) {
  std::string text = script;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
std::string why(const std::string& text) {
  const auto s = megatron::read_arguments(text);
  REQUIRE_FALSE(s);
  return s.why().what;
}
}  // namespace

TEST_CASE("a launch script with variables, arrays and Slurm's header gives model and plan") {
  const auto s = megatron::read_arguments(script);
  REQUIRE(s);
  const auto m = model_of(*s);
  REQUIRE(m);
  CHECK(parameters(*m) == 176'247'271'424);  // BLOOM
  const auto p = plan_of(*s);
  REQUIRE(p);
  CHECK(p->tp == 4);
  CHECK(p->pp == 12);
  CHECK(p->dp == 4);
  CHECK(p->global_batch == 2048);
  CHECK(p->micro_batch == 2);
  CHECK(p->sequence == 2048);
  CHECK(p->type == dtype::bf16);
  CHECK(p->recomputes == recompute::full);
}

TEST_CASE("an argument list is enough") {
  const auto s = megatron::read_arguments(
      "--num-layers 2 --hidden-size=64 --num-attention-heads 4 --group-query-attention --num-query-groups 2 --swiglu "
      "--vocab-size 100 "
      "--position-embedding-type rope --normalization RMSNorm --disable-bias-linear "
      "--untie-embeddings-and-output-weights --seq-length 8 --micro-batch-size 1 --global-batch-size 4 --world-size 4");
  REQUIRE(s);
  const auto m = model_of(*s);
  REQUIRE(m);
  CHECK(m->ffn == 128);  // 64·8/3 = 170 → 128
  CHECK(m->kv_heads == 2);
  CHECK(m->gated);
  CHECK_FALSE(m->tied);
  CHECK(m->norm == norm_kind::rms_norm);
  CHECK(s.notes().size() == 1);
  const auto p = plan_of(*s);
  REQUIRE(p);
  CHECK(p->dp == 4);
  CHECK(p.notes().empty());
}

TEST_CASE("values from the environment stay open and say so") {
  const auto s = megatron::read_arguments(changed("#SBATCH --nodes=24", "# nodes"));
  REQUIRE(s);
  CHECK_FALSE(s->nodes);
  CHECK(plan_of(*s).why().what.find("the number of ranks") != std::string::npos);
  bool noted = false;
  for (const std::string& n : s.notes()) noted = noted || n.find("--nnodes depends on a variable") == 0;
  CHECK(noted);
}

TEST_CASE("branches of a script are taken where they agree and refused where they do not") {
  const std::string same = "if [ x ]; then\n A+=( \"--vocab-size 9\" )\nelse\n A+=( --vocab-size 9 )\nfi\n";
  const auto s = megatron::read_arguments(script + same);
  REQUIRE(s);
  CHECK(s->vocab == 9);
  CHECK(why(script + "if [ x ]; then\n A=( --vocab-size 9 )\nelse\n A=( --vocab-size 8 )\nfi\n")
            .find("--vocab-size has several values in the branches") == 0);
}

TEST_CASE("impossible values are refused with their line") {
  CHECK(why(changed("--num-layers 70", "--num-layers 7.5"))
            .find("line 14: found --num-layers '7.5'; expected a whole number of at least 1") == 0);
  CHECK(why(changed("alibi", "sinus")).find("'sinus'") != std::string::npos);
  CHECK(why("echo hello\n").find("no --num-layers") != std::string::npos);
  CHECK(why(changed("pretrain_gpt", "pretrain_bert")).find("pretrain_bert, no decoder") != std::string::npos);
  CHECK(plan_of(*megatron::read_arguments(changed("TP_SIZE=4", "TP_SIZE=5")))
            .why()
            .what.find("tp 5 times pp 12 on 192 ranks") == 0);
  CHECK(model_of(*megatron::read_arguments(changed("--pad-vocab-size-to 250880", "")))
            .why()
            .what.find("the vocabulary") != std::string::npos);
  CHECK(model_of(*megatron::read_arguments(script + " --num-experts 8")).why().what.find("8 experts") !=
        std::string::npos);
}

TEST_CASE("changed bytes give a setup or an error") {
  mutations damaged{script, "\\\"$(){}[]-=' \n#"};
  for (int round = 0; round < 5'000; ++round) {
    const auto s = megatron::read_arguments(damaged.next());
    if (!s) CHECK(s.why().what.find(';') != std::string::npos);
    if (s) (void)plan_of(*s), (void)model_of(*s);
  }
}

TEST_CASE("public scripts give the parameters that their authors publish") {
  const std::string folder = public_folder("megatron_script");
  if (folder.empty()) return;
  const auto count = [&](const char* part) {
    for (const std::string& file : files_in(folder))
      if (file.find(part) != std::string::npos) {
        const auto s = megatron::read_arguments(*read_file(file.c_str()));
        REQUIRE(s);
        return parameters(*model_of(*s));
      }
    return i64{0};
  };
  CHECK(count("tr11-176B-ml__tr11-176B-ml.slurm") == 176'247'271'424);
  CHECK(count("tr11f-6B3-ml.slurm") == 7'069'016'064);  // BLOOM-7B1
  CHECK(count("tr11b-1B3-ml.slurm") == 1'722'408'960);  // BLOOM-1B7
  CHECK(count("tr11e-350M-ml.slurm") == 559'214'592);   // BLOOM-560M
  CHECK(count("train_llama3_8b") == 8'030'261'248);
}
