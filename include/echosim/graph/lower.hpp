// SPDX-License-Identifier: MIT
// From a model, a plan and a schedule to a program, as Megatron-LM issues a training step. Assumes a plan that check()
// accepts. A rank's host issues in program order; receives are posted ahead.
#pragma once
#include <string>
#include <vector>

#include "../core/concepts.hpp"
#include "../core/result.hpp"
#include "call_table.hpp"
#include "step_end.hpp"

namespace echosim::inline v0 {

namespace detail {

/// what, stream and first of the program; end, stream index and host clock of the workspace.
inline constexpr u64 bytes_per_operation = 3 * sizeof(u32) + 2 * sizeof(duration) + sizeof(u32);

/// Runs the schedule's slots, stage by stage, each as far as its inputs allow.
template <orders_slots S>
class lowering {
 public:
  lowering(program& out, const transformer& m, const plan& p, const S& order, const folding& f, bool blocks, bytes limit)
      : out_{out}, m_{m}, p_{p}, order_{order}, f_{f}, shape_{pipeline(p)}, pieces_{out, m, p}, layout_{m, p}, end_{out, m, p},
        calls_{described(out, f), m, p, f, pieces_, layout_}, K_{out.first_call()}, blocks_{blocks}, limit_{limit} {
    position_.assign(f.size(), 0);
    for (const meeting& t : f.tp)
      for (u32 j = 0; j != t.count; ++j) position_[f.members[t.first + j]] = j;
    if (blocks) add_blocks();
    first_block_ = out.first_block();
  }

  result<bool> run() {
    const u32 P = shape_.stages, M = shape_.micros, V = shape_.chunks, slots = 2 * V * M;
    done_.assign(std::size_t{slots} * P, 0);
    next_.assign(P, 0);
    sent_.assign(std::size_t{2} * f_.size(), invalid);
    last_.assign(f_.tp.size(), invalid);
    reduced_.assign(f_.size(), invalid);
    passed_.assign(std::size_t{2} * P * V, 0);
    if (const auto ok = reserve(); !ok) return ok;
    arrived_.assign(std::size_t{slots} * f_.size(), invalid);
    u64 left = u64{slots} * P;
    for (bool moved = true; left != 0 && moved;) {
      moved = false;
      for (u32 s = 0; s != P; ++s)
        for (; next_[s] != slots; ++next_[s], --left, moved = true) {
          const slot k = order_.at(shape_, s, next_[s]);
          if (k.micro >= M || k.chunk >= V || k.what > pass::backward) return outside(s, k);
          u8& visited = done_[key(k) * P + s];
          if (visited != 0) return twice(s, k);
          if (!ready(s, k)) break;
          visited = 1;
          if (next_[s] == 0) gather_parameters(s);
          run_slot(s, k);
        }
    }
    if (left != 0) return stuck();
    shrink();
    std::vector<u32> exits(f_.size());
    for (u32 c = 0; c != f_.size(); ++c) exits[c] = exit_of(c);
    end_.emit(out_, p_, f_, calls_, exits, reduced_);
    return true;
  }

 private:
  static program& described(program& out, const folding& f) {
    out.ranks = f.size();
    out.weight = f.weight;
    out.stage.resize(f.size());
    for (u32 s = 0; s + 1 < f.stage_first.size(); ++s)
      for (u32 c = f.stage_first[s]; c != f.stage_first[s + 1]; ++c) out.stage[c] = s;
    return out;
  }

  // ---- order ----------------------------------------------------------------------------------------------------------

  [[nodiscard]] std::size_t key(slot k) const {
    return (std::size_t{k.what == pass::forward ? 0u : 1u} * shape_.chunks + k.chunk) * shape_.micros + k.micro;
  }
  [[nodiscard]] bool enters(u32 s, slot k) const {
    return k.what == pass::forward ? s == 0 && k.chunk == 0 : s + 1 == shape_.stages && k.chunk + 1 == shape_.chunks;
  }
  [[nodiscard]] bool leaves(u32 s, slot k) const {
    return k.what == pass::forward ? s + 1 == shape_.stages && k.chunk + 1 == shape_.chunks : s == 0 && k.chunk == 0;
  }
  [[nodiscard]] bool ready(u32 s, slot k) const {
    if (k.what == pass::backward && done_[key({pass::forward, k.micro, k.chunk}) * shape_.stages + s] == 0) return false;
    if (enters(s, k)) return true;
    if (shape_.stages == 1) return done_[key({k.what, k.micro, k.what == pass::forward ? k.chunk - 1 : k.chunk + 1})] != 0;
    return arrived_[key(k) * f_.size() + f_.stage_first[s]] != invalid;
  }
  [[nodiscard]] static std::string named(slot k) {
    return "micro-batch " + std::to_string(k.micro) + ", chunk " + std::to_string(k.chunk);
  }
  [[nodiscard]] error outside(u32 s, slot k) const {
    return error{"the scheduler names " + named(k) + " on stage " + std::to_string(s) + "; there are " + std::to_string(shape_.micros) + " micro-batches, " + std::to_string(shape_.chunks) + " chunks, and passes forward and backward; at() must stay within them"};
  }
  [[nodiscard]] error twice(u32 s, slot k) const {
    return error{"the scheduler visits " + named(k) + " twice on stage " + std::to_string(s) + "; at() must visit every slot once"};
  }
  [[nodiscard]] error stuck() const {
    std::string text = "the schedule dead-locks: ";
    for (u32 s = 0, shown = 0; s != shape_.stages && shown != 4; ++s)
      if (next_[s] != 2 * shape_.chunks * shape_.micros) {
        const slot k = order_.at(shape_, s, next_[s]);
        text += (shown++ == 0 ? "stage " : ", stage ") + std::to_string(s) + (k.what == pass::forward ? " waits for the forward input of " : " waits for the backward input of ") + named(k);
      }
    return error{text + "; at() must order passes so that some stage can always go on"};
  }

  // ---- one slot -------------------------------------------------------------------------------------------------------

  void run_slot(u32 s, slot k) {
    const bool forward = k.what == pass::forward;
    const chunk_layout& l = layout_.of(s, k.chunk);
    const u32 passed = passed_[(s * shape_.chunks + k.chunk) * 2 + (forward ? 0 : 1)]++;
    const bool gated = !gate_.empty() && forward && passed == 0;
    const bool buckets = p_.dp > 1 && p_.overlap_gradients && !forward && passed + 1 == shape_.micros;
    const std::size_t in = enters(s, k) || shape_.stages == 1 ? invalid : key(k) * f_.size();
    const u32 parts = gated || buckets ? l.segments : 1;
    for (u32 i = 0; i != parts; ++i) {
      const u32 g = forward ? i : parts - 1 - i;
      const u32 segment = l.first_segment + g;
      for (u32 t = f_.tp_stage[s]; t != f_.tp_stage[s + 1]; ++t) {
        entry_ = {i == 0 ? in : invalid, gated ? segment : invalid, i == 0};
        if (blocks_ && f_.tp[t].count == 1) {
          const u32 c = f_.members[f_.tp[t].first];
          put(first_block_ + block_of(t, l, k, parts == 1 ? 0 : g + 1), stream_of(c, compute));
          wait_entry(c);
          last_[t] = n_ - 1;
        } else {
          last_comm_ = invalid, fresh_ = true;
          const content c = parts == 1 ? layout_.whole(p_, s, k.chunk, k.what) : layout_.segment(p_, s, k.chunk, g, k.what);
          each_piece(pieces_, c, k.what, [&](const piece& q) { stamp(q, t); });
        }
      }
      if (buckets) reduce(s, segment);
    }
    if (leaves(s, k) || shape_.stages == 1) return;
    const u32 last_stage = shape_.stages - 1;
    const slot then = forward ? slot{k.what, k.micro, s == last_stage ? k.chunk + 1 : k.chunk} : slot{k.what, k.micro, s == 0 ? k.chunk - 1 : k.chunk};
    const std::size_t to = key(then) * f_.size();
    for (u32 c = f_.stage_first[s]; c != f_.stage_first[s + 1]; ++c) {
      const u32 peer = forward ? f_.next[c] : f_.previous[c], x = K_ + calls_.send(c, forward);
      put(x, stream_of(c, forward ? send_forward : send_backward));
      wait(exit_of(c));
      if (p_.behaves.sends_block) sent_[2 * c + (forward ? 0 : 1)] = n_ - 1;
      put(x, stream_of(peer, forward ? receive_forward : receive_backward));
      arrived_[to + peer] = n_ - 1;
    }
  }

  /// Every step of a piece on every class of a tp meeting.
  void stamp(const piece& q, u32 t) {
    const u32 count = f_.tp[t].count, *who = &f_.members[f_.tp[t].first], row = K_ + calls_.tp(t);
    for (const step& st : q) {
      const u32 x = st.on_comm ? row + st.what : st.what, on = st.on_comm ? tp_comm : compute, id = n_;
      const u32 other = st.joins ? (st.on_comm ? last_[t] : last_comm_) : invalid;
      for (u32 j = 0; j != count; ++j) {
        put(x, stream_of(who[j], on));
        if (other != invalid) wait(other + j);
        if (fresh_) wait_entry(who[j]);
      }
      fresh_ = false;
      (st.on_comm ? last_comm_ : last_[t]) = id;
    }
  }

  /// What the first operation of a slot or segment waits for: its input, its parameters, the sends before it.
  void wait_entry(u32 c) {
    if (entry_.input != invalid) wait(arrived_[entry_.input + c]);
    if (entry_.gate != invalid) wait(gate_[std::size_t{entry_.gate} * f_.size() + c]);
    if (entry_.opens)
      for (u32* sent : {&sent_[2 * c], &sent_[2 * c + 1]})
        if (*sent != invalid) wait(*sent), *sent = invalid;
  }
  [[nodiscard]] u32 exit_of(u32 c) const { return last_[f_.tp_of[c]] + position_[c]; }

  // ---- data parallel --------------------------------------------------------------------------------------------------

  void gather_parameters(u32 s) {
    if (p_.dp == 1 || !p_.overlap_parameters || p_.shards == sharding::none) return;
    u32 most = 0;
    for (u32 n : layout_.segments) most = std::max(most, n);
    if (gate_.empty()) gate_.assign(std::size_t{most} * f_.size(), invalid);
    for (u32 g = 0; g != layout_.segments[s]; ++g)
      for (u32 d = f_.dp_stage[s]; d != f_.dp_stage[s + 1]; ++d)
        for (u32 j = 0; j != f_.dp[d].count; ++j) {
          const u32 c = f_.members[f_.dp[d].first + j];
          put(K_ + calls_.parameters(d, g), stream_of(c, dp_comm));
          gate_[std::size_t{g} * f_.size() + c] = n_ - 1;
        }
  }
  void reduce(u32 s, u32 segment) {
    for (u32 d = f_.dp_stage[s]; d != f_.dp_stage[s + 1]; ++d)
      for (u32 j = 0; j != f_.dp[d].count; ++j) {
        const u32 c = f_.members[f_.dp[d].first + j];
        put(K_ + calls_.gradients(d, segment), stream_of(c, dp_comm));
        reduced_[c] = n_ - 1;
        wait(exit_of(c));
      }
  }

  // ---- blocks ---------------------------------------------------------------------------------------------------------

  /// Of each tp meeting: for each chunk and pass the whole chunk, then its segments in model order.
  void add_blocks() {
    struct known {
      pass what;
      content of;
      u32 id;
    };
    std::vector<known> seen;
    for (u32 s = 0; s != shape_.stages; ++s)
      for (u32 t = f_.tp_stage[s]; t != f_.tp_stage[s + 1]; ++t) {
        block_first_.push_back(static_cast<u32>(block_.size()));
        seen.clear();
        for (u32 c = 0; c != shape_.chunks; ++c)
          for (const pass what : {pass::forward, pass::backward})
            for (u32 g = 0; g != layout_.of(s, c).segments + 1; ++g) {
              const content of = g == 0 ? layout_.whole(p_, s, c, what) : layout_.segment(p_, s, c, g - 1, what);
              auto at = std::find_if(seen.begin(), seen.end(), [&](const known& k) { return k.what == what && k.of == of; });
              if (at == seen.end()) at = seen.insert(at, {what, of, add_block(t, of, what)});
              block_.push_back(at->id);
            }
      }
  }
  [[nodiscard]] u32 add_block(u32 t, const content& of, pass what) {
    const auto first = static_cast<u32>(out_.steps.size());
    const u32 row = K_ + calls_.tp(t);
    each_piece(pieces_, of, what, [&](const piece& q) {
      for (step st : q) {
        if (st.on_comm) st.what += row;
        out_.steps.push_back(st);
      }
    });
    out_.blocks.push_back({first, static_cast<u32>(out_.steps.size()) - first});
    return static_cast<u32>(out_.blocks.size() - 1);
  }
  /// `part` 0 is the whole chunk, g + 1 its segment g.
  [[nodiscard]] u32 block_of(u32 t, const chunk_layout& l, slot k, u32 part) const {
    return block_[block_first_[t] + 2 * (l.first_segment + k.chunk) + (k.what == pass::forward ? 0 : l.segments + 1) + part];
  }

  // ---- arrays ---------------------------------------------------------------------------------------------------------

  void put(u32 x, u32 stream) {
    what_[n_] = x;
    stream_[n_] = stream;
    first_[++n_] = waits_;
  }
  void wait(u32 op) {
    preds_[waits_] = op;
    first_[n_] = ++waits_;
  }

  /// Room for every slot; the loop then writes without asking. Errors: more operations than 32 bits number.
  result<bool> reserve() {
    u64 ops = 0, waits = 0;
    for (u32 s = 0; s != shape_.stages; ++s) {
      const u64 classes = f_.stage_first[s + 1] - f_.stage_first[s], dp = f_.dp_stage[s + 1] - f_.dp_stage[s];
      for (u32 c = 0; c != shape_.chunks; ++c)
        for (const pass what : {pass::forward, pass::backward}) {
          const u64 parts = layout_.of(s, c).segments;
          u64 steps = 0, joins = 0;
          each_piece(pieces_, layout_.whole(p_, s, c, what), what, [&](const piece& q) {
            steps += q.size();
            for (const step& st : q) joins += st.joins;
          });
          u64 each = 0, stamped = 0;
          for (u32 t = f_.tp_stage[s]; t != f_.tp_stage[s + 1]; ++t) (blocks_ && f_.tp[t].count == 1 ? each : stamped) += f_.tp[t].count;
          const u64 slots = shape_.micros;
          ops += slots * (each + stamped * steps + 2 * classes) + parts * (2 * classes + dp + each);
          waits += slots * (stamped * joins + 5 * classes) + parts * 5 * classes;
        }
    }
    const u64 need = ops * bytes_per_operation + waits * sizeof(u32);
    if (ops >= invalid || waits >= invalid || need > static_cast<u64>(limit_.count))
      return error{"the plan lowers to " + std::to_string(ops) + " operations that take " + std::to_string(need) + " bytes to run; a program numbers at most 4294967294, and the workspace allows " + std::to_string(limit_.count) + " bytes; fold ranks or blocks, or raise workspace::memory_limit"};
    out_.what.resize(ops), out_.stream.resize(ops), out_.first.resize(ops + 1), out_.preds.resize(waits);
    what_ = out_.what.data(), stream_ = out_.stream.data(), first_ = out_.first.data(), preds_ = out_.preds.data();
    first_[0] = 0;
    return true;
  }
  void shrink() {
    ECHOSIM_EXPECTS(n_ <= out_.what.size() && waits_ <= out_.preds.size(), "lowering counted its operations wrongly; report this plan");
    out_.what.resize(n_), out_.stream.resize(n_), out_.first.resize(std::size_t{n_} + 1), out_.preds.resize(waits_);
  }

  struct entry {
    std::size_t input = invalid;  ///< arrived_[input + class]
    u32 gate = invalid;           ///< gate_[gate · classes + class]
    bool opens = false;
  };

  program& out_;
  const transformer& m_;
  const plan& p_;
  const S& order_;
  const folding& f_;
  shape shape_;
  pieces pieces_;
  stage_layout layout_;
  step_end end_;
  call_table calls_;
  u32 K_, first_block_ = 0;
  bool blocks_, fresh_ = false;
  bytes limit_;
  entry entry_;
  u32 n_ = 0, waits_ = 0, last_comm_ = invalid;
  u32 *what_ = nullptr, *stream_ = nullptr, *first_ = nullptr, *preds_ = nullptr;
  std::vector<u32> arrived_, next_, sent_, last_, reduced_, gate_, passed_, block_, block_first_, position_;
  std::vector<u8> done_;
};

}  // namespace detail

/// How much of a run is stored: one operation per pass of a rank class, every operation of a rank class, or of every rank.
enum class resolution : u8 { blocks, classes, ranks };

/// The program of one training step over the classes of `f`. With `blocks`, each pass of a class is one operation.
/// Errors: a scheduler that leaves its shape, repeats a slot or dead-locks; more than 2^32 − 2 operations, or a run that
/// takes more than `limit`.
/// `reuse`: a program whose arrays may be recycled.
template <orders_slots S>
[[nodiscard]] result<program> lower(const transformer& m, const plan& p, const S& order, const folding& f, bool blocks,
                                    bytes limit = {i64{16} << 30}, program reuse = {}) {
  reuse.kernels.clear(), reuse.calls.clear(), reuse.groups.clear(), reuse.blocks.clear(), reuse.steps.clear();
  detail::lowering<S> l{reuse, m, p, order, f, blocks, limit};
  if (const auto ok = l.run(); !ok) return ok.why();
  return reuse;
}

}  // namespace echosim::inline v0
