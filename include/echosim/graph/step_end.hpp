// SPDX-License-Identifier: MIT
// What follows the last backward pass: gradient reductions, the gradient norm with its wait on the host, the optimizer,
// the gather of sharded parameters (Megatron-LM, megatron/core/distributed/finalize_model_grads.py, core_r0.9.0).
#pragma once
#include "../model/optimizer.hpp"
#include "call_table.hpp"

namespace echosim::inline v0::detail {

class step_end {
 public:
  step_end(program& out, const transformer& m, const plan& p) {
    for (u32 s = 0; s != p.pp; ++s) {
      const i64 all = stage_parameters(m, p, s), owned = p.shards == sharding::none ? all : (all + p.dp - 1) / p.dp;
      kernels_.push_back({kernel_entry(out, gradient_norm(owned, p.type, p.behaves)), kernel_entry(out, gradient_clip(owned, p.type, p.behaves)),
                          kernel_entry(out, adam(owned, p.type, p.behaves))});
    }
    kernel wait;
    wait.name = "host waits for the gradient norm";
    wait.kind = kernel_kind::host;
    wait.given = {};
    wait_ = kernel_entry(out, wait);
  }

  /// `exit`: the last operation of each class; `reduced`: its last gradient bucket, invalid where none ran.
  void emit(program& out, const plan& p, const folding& f, const call_table& calls, std::vector<u32> exit, std::vector<u32> reduced) const {
    const u32 K = out.first_call(), n = f.size();
    const auto meet = [&](const std::vector<meeting>& in, u32 row, u32 t) {
      for (u32 j = 0; j != in[t].count; ++j) {
        const u32 c = f.members[in[t].first + j];
        reduced[c] = out.add(K + row, stream_of(c, dp_comm));
        out.after(exit[c]);
      }
    };
    if (p.dp > 1 && !p.overlap_gradients)
      for (u32 d = 0; d != f.dp.size(); ++d) meet(f.dp, calls.all_gradients(d), d);
    if (calls.norm_first != invalid)
      for (u32 t = 0; t != f.tp.size(); ++t) meet(f.tp, calls.norms(t), t);
    if (calls.tied_first != invalid)
      for (u32 c = 0; c != f.stage_first[1]; ++c)
        for (u32 who : {c, f.previous[c]}) {
          reduced[who] = out.add(K + calls.tied(c), stream_of(who, dp_comm));
          out.after(exit[who]);
        }
    std::vector<u32> norm(n);
    for (u32 c = 0; c != n; ++c) {
      norm[c] = out.add(kernels_[out.stage[c]].norm, stream_of(c, compute));
      if (reduced[c] != invalid) out.after(reduced[c]);
    }
    if (calls.global != invalid)
      for (u32 c = 0; c != n; ++c) {
        const u32 op = out.add(K + calls.global, stream_of(c, dp_comm));
        out.after(norm[c]);
        norm[c] = op;
      }
    for (u32 c = 0; c != n; ++c) {
      const u32 waited = out.add(wait_, stream_of(c, host));
      out.after(norm[c]);
      out.add(kernels_[out.stage[c]].clip, stream_of(c, compute));
      out.after(waited);
      exit[c] = out.add(kernels_[out.stage[c]].adam, stream_of(c, compute));
    }
    if (p.dp > 1 && p.shards != sharding::none && !p.overlap_parameters)
      for (u32 d = 0; d != f.dp.size(); ++d) meet(f.dp, calls.all_parameters(d), d);
  }

 private:
  struct of_stage {
    u32 norm, clip, adam;
  };
  std::vector<of_stage> kernels_;
  u32 wait_ = 0;
};

}  // namespace echosim::inline v0::detail
