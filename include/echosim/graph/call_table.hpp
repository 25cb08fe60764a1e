// SPDX-License-Identifier: MIT
// The distinct calls of a training step, laid out so that a row is found by arithmetic.
#pragma once
#include "folding.hpp"
#include "stage_layout.hpp"

namespace echosim::inline v0::detail {

/// Rows: tensor-parallel calls of each tp meeting; two sends of each class; gradient bucket and parameter gather of each
/// segment, and the whole gradient, of each dp meeting; then what the end of a step adds.
struct call_table {
  u32 tp_each = 0, send_first = 0;
  u32 norm_first = invalid, tied_first = invalid, global = invalid;  ///< invalid: the plan has none
  std::vector<u32> dp_of;  ///< first row of each dp meeting
  std::vector<u32> segments_of;

  [[nodiscard]] u32 tp(u32 meeting) const { return meeting * tp_each; }
  [[nodiscard]] u32 send(u32 c, bool forward) const { return send_first + 2 * c + (forward ? 0 : 1); }
  [[nodiscard]] u32 gradients(u32 meeting, u32 segment) const { return dp_of[meeting] + 2 * segment; }
  [[nodiscard]] u32 parameters(u32 meeting, u32 segment) const { return gradients(meeting, segment) + 1; }
  [[nodiscard]] u32 all_gradients(u32 meeting) const { return dp_of[meeting] + 2 * segments_of[meeting]; }
  [[nodiscard]] u32 all_parameters(u32 meeting) const { return all_gradients(meeting) + 1; }
  [[nodiscard]] u32 norms(u32 meeting) const { return norm_first + meeting; }
  [[nodiscard]] u32 tied(u32 c) const { return tied_first + c; }

  call_table(program& out, const transformer& m, const plan& p, const folding& f, const pieces& from, const stage_layout& l) {
    const auto row = [&](operation o, u32 members, const char* called) {
      out.calls.push_back({o, static_cast<u32>(out.groups.size() - 1), members, p.behaves.call_issue, called});
    };
    const auto rows = [&] { return static_cast<u32>(out.calls.size()); };
    tp_each = static_cast<u32>(from.calls.size());
    for (const meeting& t : f.tp) {
      out.groups.push_back(t.who);
      for (const operation& o : from.calls) row(o, t.count, name(o.kind));
    }
    send_first = rows();
    if (p.pp > 1) {
      const bool sliced = p.tp > 1 && (p.sequence_parallel || p.behaves.sends_slices);
      const operation send{call::send, {micro_tokens(p) * m.hidden * activation_bytes(p.type) / (sliced ? p.tp : 1)}, dimension::pp};
      for (u32 c = 0; c != f.size(); ++c)
        for (u32 to : {f.next[c], f.previous[c]}) {
          out.groups.push_back(pp_pair(p, out.stage[c], out.stage[to], f.replica[c], f.shard[c]));
          row(send, 2, to == f.next[c] ? "send forward" : "send backward");
        }
    }
    const bool sharded = p.shards != sharding::none;
    const i64 gradient = bits(p.behaves.gradient_sync) / 8, parameter = activation_bytes(p.type);
    const call reduce = sharded ? call::reduce_scatter : call::all_reduce;
    if (p.dp > 1)
      for (u32 s = 0; s != p.pp; ++s)
        for (u32 d = f.dp_stage[s]; d != f.dp_stage[s + 1]; ++d) {
          dp_of.push_back(rows());
          segments_of.push_back(l.segments[s]);
          out.groups.push_back(f.dp[d].who);
          i64 all = 0;
          for (u32 c = 0; c != l.chunks; ++c)
            for (u32 g = 0; g != l.of(s, c).segments; ++g) {
              const i64 n = l.parameters(m, p, s, c, g);
              all += n;
              row({reduce, {n * gradient}, dimension::dp}, f.dp[d].count, "gradient bucket");
              row({call::all_gather, {n * parameter}, dimension::dp}, f.dp[d].count, "parameter gather");
            }
          row({reduce, {all * gradient}, dimension::dp}, f.dp[d].count, "gradients");
          row({call::all_gather, {all * parameter}, dimension::dp}, f.dp[d].count, "parameters");
        }
    if (p.sequence_parallel && p.tp > 1) {
      norm_first = rows();
      for (u32 s = 0; s != p.pp; ++s)
        for (u32 t = f.tp_stage[s]; t != f.tp_stage[s + 1]; ++t) {
          i64 layers = 0;
          for (u32 c = 0; c != l.chunks; ++c) layers += l.of(s, c).layers;
          out.groups.push_back(f.tp[t].who);
          row({call::all_reduce, {layers * replicated_layer_parameters(m) * gradient}, dimension::tp}, f.tp[t].count, "norm gradients");
        }
    }
    if (m.tied && p.pp > 1) {
      tied_first = rows();
      for (u32 c = 0; c != f.stage_first[1]; ++c) {
        out.groups.push_back(embedding_group(p, f.replica[c], f.shard[c]));
        row({call::all_reduce, {padded_vocab(m, p.tp) / p.tp * m.hidden * gradient}, dimension::pp}, 2, "tied embedding gradients");
      }
    }
    if (world(p) > 1) {
      global = rows();
      group everyone;
      everyone.members[0] = {static_cast<u32>(world(p)), 1};
      out.groups.push_back(everyone);
      row({call::all_reduce, {4}, p.pp > 1 ? dimension::pp : p.tp > 1 ? dimension::tp : dimension::dp}, f.size(), "gradient norm");
    }
  }
};

}  // namespace echosim::inline v0::detail
