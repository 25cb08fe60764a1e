// SPDX-License-Identifier: MIT
// DeepSpeed's JSON configuration (deepspeed.ai/docs/config-json): batch, number format, ZeRO stage. It states no model.
#pragma once
#include <string_view>

#include "json_fields.hpp"
#include "training_setup.hpp"

namespace echosim::inline v0::deepspeed {

namespace detail {

/// Members that DeepSpeed and gpt-neox share.
inline void read_common(json_fields& f, training_setup& s) {
  constexpr i64 most = i64{1} << 31;
  s.micro_batch = f.maybe_whole({"train_micro_batch_size_per_gpu"}, 1, most);
  s.accumulation = f.maybe_whole({"gradient_accumulation_steps"}, 1, most);
  s.global_batch = f.maybe_whole({"train_batch_size"}, 1, most);
  const auto enabled = [&](std::string_view name) {
    const json* const part = f.find({name});
    if (part == nullptr) return false;
    json_fields inner{*part};
    const bool on = inner.flag({"enabled"}, false);
    if (inner.failed()) f.fail(inner.why());
    return on;
  };
  const bool bf16 = enabled("bf16") || enabled("bfloat16"), fp16 = enabled("fp16");
  s.type = bf16 ? dtype::bf16 : fp16 ? dtype::fp16 : dtype::fp32;
  if (const json* const zero = f.find({"zero_optimization"})) {
    json_fields z{*zero};
    s.shards = static_cast<sharding>(z.maybe_whole({"stage"}, 0, 3).value_or(0));
    s.overlap_gradients = z.maybe_flag({"overlap_comm"});
    if (z.failed()) f.fail(z.why());
  }
}

}  // namespace detail

/// Whether an object is such a configuration.
[[nodiscard]] inline bool looks_like_config(const json& root) {
  return (root.find("train_batch_size") != nullptr || root.find("train_micro_batch_size_per_gpu") != nullptr) &&
         root.find("num_layers") == nullptr && root.find("num-layers") == nullptr;
}

/// Reads a configuration. train_batch_size must be the product of micro-batch, accumulation and replicas; where the
/// number of replicas is unknown, at least of the first two times a whole number. "auto" counts as absent.
[[nodiscard]] inline result<training_setup> read_config(const json& root) {
  json object = root;
  if (json::object* const members = object.members())
    for (json::member& m : *members)
      if (m.value.string() != nullptr && *m.value.string() == "auto") m.value = json{};
  json_fields f{object};
  training_setup s;
  detail::read_common(f, s);
  if (!f.failed() && !s.micro_batch && !s.global_batch)
    f.fail(
        {"the configuration states neither train_batch_size nor train_micro_batch_size_per_gpu; DeepSpeed needs one of "
         "them; add it"});
  if (f.failed()) return f.why();
  if (s.global_batch && s.micro_batch) {
    const i64 each = *s.micro_batch * s.accumulation.value_or(1);
    if (*s.global_batch % each != 0)
      return error{"train_batch_size " + std::to_string(*s.global_batch) + " with micro-batch " +
                   std::to_string(*s.micro_batch) + " and accumulation " + std::to_string(s.accumulation.value_or(1)) +
                   "; it must be their product times the replicas; correct one of them"};
    if (s.accumulation) s.dp = *s.global_batch / each;
  }
  return s;
}

}  // namespace echosim::inline v0::deepspeed
