// SPDX-License-Identifier: MIT
// The cheapest of several models that offer a call.
#pragma once
#include <tuple>

#include "../core/concepts.hpp"

namespace echosim::inline v0 {

template <collective... Cs>
struct fastest {
  std::tuple<Cs...> among{};

  [[nodiscard]] constexpr bool offers(call k) const {
    return std::apply([&](const Cs&... c) { return (c.offers(k) || ...); }, among);
  }
  /// Ties go to the earlier model.
  [[nodiscard]] constexpr cost time(const levels& l, operation o) const {
    cost best{forever};
    bool found = false;
    std::apply([&](const Cs&... c) { (consider(c, l, o, best, found), ...); }, among);
    ECHOSIM_EXPECTS(found, "fastest: no model offers this call; ask offers() first");
    return best;
  }

 private:
  template <class C>
  static constexpr void consider(const C& c, const levels& l, operation o, cost& best, bool& found) {
    if (!c.offers(o.kind)) return;
    const cost t = c.time(l, o);
    if (!found || t.total() < best.total()) best = t;
    found = true;
  }
};

}  // namespace echosim::inline v0
