// SPDX-License-Identifier: MIT
// What a collective model answers: terms, never a bare total, so that a report can say where the time goes.
#pragma once
#include "duration.hpp"

namespace echosim::inline v0 {

/// Shares of a device (0 … 1) that a running call takes from computation beside it.
struct footprint {
  double sms = 0, hbm = 0;
};

struct cost {
  duration startup{};   ///< launch and synchronisation of the call's own kernels
  duration latency{};   ///< hops that carry the first byte
  duration wire{};      ///< the buffer's passage through the narrowest link
  duration reduction{}; ///< arithmetic that no transfer hides
  footprint holds{};
  u16 channels = 0;
  const char* algorithm = "";
  const char* protocol = "";

  constexpr cost() = default;
  /// A model that knows only a total gives it as `wire`.
  constexpr cost(duration only) : wire{only} {}
  [[nodiscard]] constexpr duration total() const { return startup + latency + wire + reduction; }
};

}  // namespace echosim::inline v0
