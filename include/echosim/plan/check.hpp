// SPDX-License-Identifier: MIT
// Whether a plan can run at all: divisibility, groups and sizes, before any number is computed from it. Rules are those
// of Megatron-LM (megatron/training/arguments.py and megatron/core/transformer/transformer_config.py, core_r0.9.0).
#pragma once
#include <algorithm>
#include <initializer_list>
#include <limits>

#include "../model/parameters.hpp"
#include "plan.hpp"
#include "verdict.hpp"

namespace echosim::inline v0 {

/// What the cluster has. A negative number, or a domain of 0, is not checked.
struct limits {
  i64 gpus = -1;
  u32 domain = 0;    ///< GPUs that one NVLink domain joins
  bytes memory{-1};  ///< of one device; needs a scheduler: the check() of fit.hpp
};

namespace detail {

/// Largest byte count, element count or number of operations that may arise: leaves room for a factor of 8 in 64 bits.
inline constexpr i64 largest = i64{1} << 60;

/// a·b, or `largest` + 1 where that is more. Operands are not negative.
[[nodiscard]] constexpr i64 capped_product(i64 a, i64 b) { return a != 0 && b > largest / a ? largest + 1 : a * b; }

struct named_value {
  const char* name;
  i64 value;
};

constexpr bool all_positive(verdict& v, std::initializer_list<named_value> values) {
  bool all = true;
  for (const named_value& n : values)
    if (n.value <= 0) {
      v.add({rule::positive, severity::error, n.name, n.value, 1, 0});
      all = false;
    }
  return all;
}

/// Adds a finding where a product leaves `most`; numbers are the product without its last factor, and that factor.
constexpr bool within(verdict& v, const char* name, i64 most, std::initializer_list<i64> factors) {
  i64 product = 1, before = 1, last = 1;
  for (const i64 f : factors) {
    before = product, last = f;
    product = capped_product(product, f);
    if (product > most) break;
  }
  if (product <= most) return true;
  v.add({rule::too_large, severity::error, name, before, most, last});
  return false;
}

/// Every count that later code computes in 64 bits, and every id that it keeps in 32, from the plan's own numbers.
constexpr bool sizes_fit(verdict& v, const transformer& m, const plan& p) {
  constexpr i64 ids = std::numeric_limits<u32>::max() - 1, dimension = i64{1} << 28;
  bool fit = within(v, "tp·pp·dp ranks", ids, {p.tp, p.pp, p.dp});
  fit &= within(v, "micro_batch·dp sequences", largest, {p.micro_batch, p.dp});
  fit &= within(v, "global_batch·sequence tokens", largest, {p.global_batch, p.sequence});
  if (fit) fit &= within(v, "2·micro-batches·pp·vpp passes", ids, {2, micro_batches(p), p.pp, p.vpp});
  bool small = within(v, "layers", dimension, {m.layers});
  small &= within(v, "heads·head_dim columns", dimension, {m.heads, m.head_dim});
  small &= within(v, "kv_heads·head_dim columns", dimension, {m.kv_heads, m.head_dim});
  for (const named_value& n : {named_value{"hidden", m.hidden}, {"ffn", m.ffn}, {"vocab", m.vocab}})
    small &= within(v, n.name, dimension, {n.value});
  if (!small) return false;
  const i64 widest = std::max({m.hidden, up_size(m), qkv_size(m), m.vocab});
  // 64 bytes cover a parameter's state, and for each token and column every kernel and every activation of a layer,
  // with all micro-batches of a replica in flight.
  const i64 sequences = std::max(p.micro_batch, p.global_batch / p.dp);
  fit &= within(v, "bytes for layers·hidden·columns", largest, {64, m.layers, m.hidden, widest});
  fit &= within(v, "bytes for layers·columns·sequences·tokens", largest, {64, m.layers, widest, sequences, p.sequence});
  if (p.behaves.attention == attention_backend::unfused)
    fit &= within(v, "bytes for layers·heads·sequences·tokens²", largest,
                  {16, m.layers, m.heads, sequences, p.sequence, p.sequence});
  return fit;
}

constexpr void check_model_by_tp(verdict& v, const transformer& m, const plan& p) {
  const auto error = [&](rule r, i64 given, i64 required) { v.add({r, severity::error, "", given, required, 0}); };
  if (m.heads % m.kv_heads != 0) error(rule::heads_by_kv_heads, m.heads, m.kv_heads);
  if (m.heads % p.tp != 0) error(rule::heads_by_tp, m.heads, p.tp);
  if (m.kv_heads % p.tp != 0 && p.tp % m.kv_heads != 0) error(rule::kv_heads_by_tp, m.kv_heads, p.tp);
  // core_r0.9.0 wants kv_heads divisible by tp; here layers hold a copy of a head on tp / kv_heads ranks instead.
  else if (m.kv_heads % p.tp != 0)
    v.add({rule::kv_heads_replicated, severity::warning, "", m.kv_heads, p.tp, 0});
  if (m.ffn % p.tp != 0) error(rule::ffn_by_tp, m.ffn, p.tp);
  if (m.position == positions::learned && p.sequence > m.max_positions)
    error(rule::positions, p.sequence, m.max_positions);
  if (p.sequence_parallel && p.sequence % p.tp != 0) error(rule::sequence_by_tp, p.sequence, p.tp);
  if (p.sequence_parallel && p.tp == 1) v.add({rule::sequence_parallel_without_tp, severity::warning, "", 1, 2, 0});
  const i64 activation = micro_tokens(p) * m.hidden;
  if (p.pp > 1 && !p.sequence_parallel && p.behaves.sends_slices && activation % p.tp != 0)
    error(rule::slices_by_tp, activation, p.tp);
}

constexpr void check_stages(verdict& v, const transformer& m, const plan& p) {
  const i64 chunks = i64{p.pp} * p.vpp;
  if (p.layout.empty()) {
    if (m.layers % chunks != 0) v.add({rule::layers_by_stages, severity::error, "", m.layers, p.pp, p.vpp});
  } else {
    i64 sum = 0;
    for (const u32 n : p.layout) sum += n;
    if (static_cast<i64>(p.layout.size()) != chunks)
      v.add({rule::layout_entries, severity::error, "", static_cast<i64>(p.layout.size()), chunks, 0});
    if (sum != m.layers) v.add({rule::layout_layers, severity::error, "", sum, m.layers, 0});
  }
  if (p.vpp > 1 && p.pp == 1) v.add({rule::chunks_without_stages, severity::error, "", p.vpp, 2, 0});
}

constexpr void check_batch(verdict& v, const plan& p) {
  const i64 each = p.micro_batch * p.dp;
  if (each > p.global_batch) return v.add({rule::dp_beyond_batch, severity::error, "", each, p.global_batch, p.dp});
  if (p.global_batch % each != 0) return v.add({rule::batch_by_replicas, severity::error, "", p.global_batch, each, 0});
  const i64 micros = micro_batches(p);
  if (micros < p.pp) v.add({rule::few_micro_batches, severity::warning, "", micros, p.pp, 0});
  if (p.vpp > 1 && micros % p.pp != 0)
    v.add({rule::micro_batches_by_stages, severity::warning, "", micros, p.pp, p.vpp});
}

}  // namespace detail

/// All findings that need no schedule. Where a number is not positive or too large, only that is found. What a
/// scheduler refuses, and memory, are found by the check() of fit.hpp.
[[nodiscard]] constexpr verdict check(const transformer& m, const plan& p, const limits& has = {}) {
  verdict v;
  bool sound = detail::all_positive(v, {{"tp", p.tp},
                                        {"pp", p.pp},
                                        {"vpp", p.vpp},
                                        {"dp", p.dp},
                                        {"sequence", p.sequence},
                                        {"micro_batch", p.micro_batch},
                                        {"global_batch", p.global_batch}});
  sound = detail::all_positive(v, {{"layers", m.layers},
                                   {"hidden", m.hidden},
                                   {"ffn", m.ffn},
                                   {"heads", m.heads},
                                   {"kv_heads", m.kv_heads},
                                   {"head_dim", m.head_dim},
                                   {"vocab", m.vocab}}) &&
          sound;
  if (m.position == positions::learned) sound = detail::all_positive(v, {{"max_positions", m.max_positions}}) && sound;
  if (!sound || !detail::sizes_fit(v, m, p)) return v;

  if (has.gpus >= 0 && world(p) != has.gpus) v.add({rule::world, severity::error, "", world(p), has.gpus, 0});
  detail::check_model_by_tp(v, m, p);
  detail::check_stages(v, m, p);
  detail::check_batch(v, p);
  if (has.domain != 0 && p.tp > has.domain)
    v.add({rule::tp_beyond_domain, severity::warning, "", p.tp, has.domain, 0});
  else if (has.domain != 0 && has.domain % p.tp != 0 && world(p) > has.domain)
    v.add({rule::tp_across_domains, severity::warning, "", p.tp, has.domain, 0});
  if (p.overlap_parameters && p.shards == sharding::none)
    v.add({rule::gather_without_sharding, severity::warning, "", 0, 0, 0});
  return v;
}

}  // namespace echosim::inline v0
