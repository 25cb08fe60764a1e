// SPDX-License-Identifier: MIT
// What a check found, as numbers: a search meets impossible plans by the thousand, so a verdict allocates nothing.
#pragma once
#include <array>

#include "../core/quantities.hpp"

namespace echosim::inline v0 {

/// What a plan breaks. The comment names the finding's numbers: given; required; beside.
enum class rule : u8 {
  positive,                      ///< the value; 1; –. `of` names the degree, batch or dimension of the model
  world,                         ///< tp·pp·dp; GPUs; –
  too_large,                     ///< one factor; the largest allowed product; the other factor. `of` names the product
  heads_by_tp,                   ///< heads; tp; –
  heads_by_kv_heads,             ///< heads; kv_heads; –
  kv_heads_by_tp,                ///< kv_heads; tp; –
  kv_heads_replicated,           ///< kv_heads; tp; –
  ffn_by_tp,                     ///< ffn; tp; –
  layers_by_stages,              ///< layers; pp; vpp
  layout_entries,                ///< entries; pp·vpp; –
  layout_layers,                 ///< sum of the layout; layers; –
  dp_beyond_batch,               ///< micro_batch·dp; global_batch; dp
  batch_by_replicas,             ///< global_batch; micro_batch·dp; –
  few_micro_batches,             ///< micro-batches; pp; –
  micro_batches_by_stages,       ///< micro-batches; pp; vpp
  chunks_without_stages,         ///< vpp; 2; –
  schedule,                      ///< micro-batches; pp; vpp. `of` is the scheduler's phrase
  sequence_by_tp,                ///< sequence; tp; –
  sequence_parallel_without_tp,  ///< tp; 2; –
  positions,                     ///< sequence; rows of the position table; –
  slices_by_tp,                  ///< elements of the activation; tp; –
  tp_beyond_domain,              ///< tp; GPUs of a domain; –
  tp_across_domains,             ///< tp; GPUs of a domain; –
  gather_without_sharding,       ///< –; –; –
  memory,                        ///< bytes needed; bytes of the device; stage
  memory_tight                   ///< bytes needed; bytes of the device; stage
};

enum class severity : u8 { warning, error };

struct finding {
  rule what = rule::positive;
  severity level = severity::error;
  const char* of = "";  ///< what the numbers belong to, where the rule alone does not say
  i64 given = 0, required = 0, beside = 0;
};

/// Findings in the order of the check. A plan with no error may run.
struct verdict {
  std::array<finding, 40> found{};
  u32 count = 0;

  [[nodiscard]] constexpr bool ok() const {
    for (const finding& f : *this)
      if (f.level == severity::error) return false;
    return true;
  }
  [[nodiscard]] constexpr const finding* find(rule r) const {
    for (const finding& f : *this)
      if (f.what == r) return &f;
    return nullptr;
  }
  [[nodiscard]] constexpr const finding* begin() const { return found.data(); }
  [[nodiscard]] constexpr const finding* end() const { return found.data() + count; }
  /// A full verdict keeps its first findings; an error then replaces the last of them, so that ok() stays true to it.
  constexpr void add(finding f) {
    if (count < found.size())
      found[count++] = f;
    else if (f.level == severity::error)
      found[count - 1] = f;
  }
};

}  // namespace echosim::inline v0
