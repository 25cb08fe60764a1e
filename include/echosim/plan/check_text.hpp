// SPDX-License-Identifier: MIT
// Findings as sentences: what was given; what is required; what to do.
#pragma once
#include <string>

#include "verdict.hpp"

namespace echosim::inline v0 {

namespace detail {

/// "61.3 GiB", cut to a tenth: a larger number never reads as a smaller limit.
[[nodiscard]] inline std::string gib(i64 bytes) {
  const i64 tenths = bytes / (i64{1} << 30) * 10 + bytes % (i64{1} << 30) * 10 / (i64{1} << 30);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

/// The most even layout of `layers` over `chunks`, larger chunks first: "8,8,7,7".
[[nodiscard]] inline std::string even_layout(i64 layers, i64 chunks) {
  const i64 each = layers / chunks, more = layers % chunks;
  if (chunks > 16)
    return "of " + std::to_string(more) + " times " + std::to_string(each + 1) + " and " +
           std::to_string(chunks - more) + " times " + std::to_string(each);
  std::string text = "such as ";
  for (i64 c = 0; c != chunks; ++c) text += (c == 0 ? "" : ",") + std::to_string(each + (c < more ? 1 : 0));
  return text;
}

}  // namespace detail

[[nodiscard]] inline std::string text(const finding& f) {
  const std::string given = std::to_string(f.given), required = std::to_string(f.required);
  const std::string beside = std::to_string(f.beside), of = f.of;
  const auto divides = [&](const char* what, const char* by, const char* advice) {
    return given + " " + what + " with " + by + " " + required + "; " + by + " must divide them; " + advice;
  };
  switch (f.what) {
    case rule::positive:
      return of + " is " + given + "; it must be at least 1; give the number that the model or the job has";
    case rule::world:
      return "tp·pp·dp is " + given + " and the cluster has " + required +
             " GPUs; every GPU holds one rank; change a degree or the cluster";
    case rule::too_large:
      return of + ": " + given + " times " + beside + "; at most " + required + " can be counted; lower one of them";
    case rule::heads_by_tp: return divides("heads", "tp", "choose a tp that divides them");
    case rule::heads_by_kv_heads:
      return given + " query heads share " + required +
             " key/value heads; each must serve the same number; correct the model";
    case rule::kv_heads_by_tp:
      return given + " key/value heads with tp " + required +
             "; one must divide the other; choose a tp that divides them or a multiple of them";
    case rule::kv_heads_replicated:
      return given + " key/value heads with tp " + required +
             "; Megatron-LM core_r0.9.0 wants tp to divide them, here ranks hold copies of a head; choose tp " + given +
             " or less to avoid copies";
    case rule::ffn_by_tp: return divides("columns of the MLP", "tp", "choose a tp that divides them");
    case rule::layers_by_stages: {
      const i64 chunks = f.required * f.beside;
      return given + " layers on " + required + " stages" + (f.beside > 1 ? " of " + beside + " chunks" : "") +
             "; an even cut needs a multiple of " + std::to_string(chunks) +
             (f.given < chunks ? "; lower pp or vpp" : "; give a layout " + detail::even_layout(f.given, chunks));
    }
    case rule::layout_entries:
      return "the layout has " + given + " entries; pp·vpp is " + required + "; give one entry for each virtual stage";
    case rule::layout_layers:
      return "the layout holds " + given + " layers; the model has " + required + "; make the entries add up to it";
    case rule::dp_beyond_batch:
      return "dp " + beside + " needs " + given + " sequences for one micro-batch each; the global batch has " +
             required + "; lower dp or micro_batch, or raise the global batch";
    case rule::batch_by_replicas:
      return "a global batch of " + given + "; micro_batch·dp = " + required +
             " must divide it; choose a multiple of " + required;
    case rule::few_micro_batches:
      return given + (f.given == 1 ? " micro-batch on " : " micro-batches on ") + required +
             " stages; fewer than stages leave stages idle; raise the global batch or lower pp, micro_batch or dp";
    case rule::micro_batches_by_stages:
      return given + " micro-batches on " + required + " stages of " + beside +
             " chunks; the interleaved schedule wants a multiple of pp; choose one, or another schedule";
    case rule::chunks_without_stages:
      return "vpp is " + given + " and pp is 1; chunks interleave over at least 2 stages; give pp 2 or more, or vpp 1";
    case rule::schedule:
      return given + " micro-batches, " + required + " stages, " + beside + " chunks a stage; " + of +
             "; change the plan or the schedule";
    case rule::sequence_by_tp:
      return divides("tokens of a sequence", "tp", "choose such a tp, or drop sequence parallelism");
    case rule::sequence_parallel_without_tp:
      return "sequence parallelism with tp 1; it cuts over tensor-parallel ranks; it has no effect here, give tp 2 or "
             "more";
    case rule::positions:
      return "sequences of " + given + " tokens; the learned position table has " + required +
             " rows; shorten them or enlarge max_positions";
    case rule::slices_by_tp:
      return divides("elements of an activation", "tp", "choose such a tp, or let stages send whole activations");
    case rule::tp_beyond_domain:
      return "tp " + given + " on NVLink domains of " + required +
             " GPUs; tensor-parallel calls then leave the domain; choose tp " + required + " or less";
    case rule::tp_across_domains:
      return "tp " + given + " on NVLink domains of " + required +
             " GPUs; some tensor-parallel groups then straddle two domains; choose a tp that divides " + required;
    case rule::gather_without_sharding:
      return "parameter gathering is to overlap and nothing is sharded; only sharded parameters are gathered; it has "
             "no "
             "effect here, shard the optimizer";
    case rule::memory:
      return "stage " + beside + " needs " + detail::gib(f.given) + "; the device has " + detail::gib(f.required) +
             ": it does not fit; raise tp or pp, shard the optimizer, recompute, or lower micro_batch";
    case rule::memory_tight:
      return "stage " + beside + " needs " + detail::gib(f.given) + "; the device has " + detail::gib(f.required) +
             ", of which the runtime, the collective library and fragmentation take a part; leave a tenth free";
  }
  return "";
}

/// The errors, one a line; where there are none, the warnings.
[[nodiscard]] inline std::string text(const verdict& v) {
  std::string all;
  for (const finding& f : v)
    if (v.ok() || f.level == severity::error) all += (all.empty() ? "" : "\n") + text(f);
  return all;
}

}  // namespace echosim::inline v0
