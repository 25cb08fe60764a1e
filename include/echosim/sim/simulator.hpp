// SPDX-License-Identifier: MIT
// The facade: four policies in, a report out. A simulator is a value and const in use; what changes lives in a workspace.
#pragma once
#include <string>
#include <utility>

#include "../collective/nccl.hpp"
#include "../graph/lower.hpp"
#include "../plan/check_text.hpp"
#include "../plan/fit.hpp"
#include "../schedule/one_f_one_b.hpp"
#include "price.hpp"
#include "replay.hpp"
#include "report.hpp"

namespace echosim::inline v0 {

/// Unconstrained, with an assertion an axis: a wrong argument then costs 15 lines of diagnosis instead of 35.
template <class Device, class Interconnect, class Collective = nccl, class Scheduler = one_f_one_b>
class simulator {
  static_assert(device<Device>, "simulator: the 1st argument is no device: it lacks `duration time(const kernel&) const`");
  static_assert(interconnect<Interconnect>, "simulator: the 2nd argument is no interconnect: it lacks `levels levels_of(const group&) const`");
  static_assert(collective<Collective>, "simulator: the 3rd argument is no collective: it lacks `bool offers(call) const` or `cost time(const levels&, operation) const`");
  static_assert(!varies_by_rank<Device>, "simulator: the 1st argument is a device that varies by rank; kernels are priced for one variant");
  static_assert(scheduler<Scheduler>, "simulator: the 4th argument is no scheduler: it lacks `slot at(shape, u32 stage, u32 i) const`");

 public:
  constexpr simulator(Device d, Interconnect n, Collective c = {}, Scheduler s = {})
      : device_{std::move(d)}, net_{std::move(n)}, collective_{std::move(c)}, order_{std::move(s)} {}

  /// One training step of `m` under `p`. Errors: a plan that check() or the scheduler refuses, a call that the collective
  /// does not offer, a run larger than workspace::memory_limit.
  [[nodiscard]] result<report> run(const transformer& m, const plan& p, workspace& w, resolution fine = resolution::blocks) const
    requires orders_slots<Scheduler>
  {
    auto program = lowered(m, p, w, fine);
    if (!program) return program.why();
    if (const auto step = run(*program, w); !step) return step.why();
    report r = report_of(m, p, order_, *program, w);
    w.spare = std::move(*program).release();
    return r;
  }

  /// The program of that step, in order.
  [[nodiscard]] result<ordered> lowered(const transformer& m, const plan& p, workspace& w, resolution fine = resolution::blocks) const
    requires orders_slots<Scheduler>
  {
    if (const verdict v = check(m, p, order_, limits{}); !v.ok()) return error{text(v)};
    if (p.shards == sharding::parameters)
      return error{"the plan shards parameters (ZeRO-3), which every pass would gather anew; lowering gathers once a step; shard gradients or the optimizer"};
    const folding f = fine == resolution::ranks ? unfolded(p) : fold(p, device_, net_);
    auto program = lower(m, p, order_, f, fine == resolution::blocks, w.memory_limit, std::move(w.spare));
    if (!program) return program.why();
    return order(std::move(*program));
  }

  /// Any program: a lowered step, a trace, a loop of the user's own. Returns the makespan; times stand in `w`.
  [[nodiscard]] result<duration> run(const ordered& p, workspace& w) const {
    if (const auto priced = price(p.get(), w); !priced) return priced.why();
    replay(p, w);
    return w.makespan;
  }

  /// Asks every axis once for each entry of the program's tables.
  result<bool> price(const program& p, workspace& w) const {
    price_kernels(device_, p, w);
    find_levels(net_, p, w);
    if (auto ok = price_calls(collective_, p, w); !ok) return ok;
    map_blocks(p, w);
    return check_prices(p, w);
  }

 private:
  [[no_unique_address]] Device device_;
  [[no_unique_address]] Interconnect net_;
  [[no_unique_address]] Collective collective_;
  [[no_unique_address]] Scheduler order_;
};

}  // namespace echosim::inline v0
