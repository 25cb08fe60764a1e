// SPDX-License-Identifier: MIT
// The four axes of a simulator. A model of an axis is any type that answers at least one of its questions; a refinement
// is one more question. Syntax is the compiler's to check; the sentence marked "Contract" is yours to keep.
#pragma once
#include <concepts>

#include "cost.hpp"
#include "flow.hpp"
#include "group.hpp"
#include "kernel.hpp"
#include "level.hpp"
#include "operation.hpp"
#include "slot.hpp"

namespace echosim::inline v0 {

// ---- device: how long a kernel runs ----------------------------------------------------------------------------------

/// Answers how long a kernel takes alone. Contract: pure; more work or more bytes never take less time; not negative.
template <class D>
concept times_kernels = requires(const D& d, const kernel& k) { { d.time(k) } -> std::same_as<duration>; };

/// Answers how much slower a kernel runs beside calls that hold `beside` of the device. Contract: pure, >= 1.
template <class D>
concept slows_beside = requires(const D& d, const kernel& k, footprint beside) {
  { d.slowdown(k, beside) } -> std::same_as<double>;
};

/// Tells ranks apart: variant(r) names the kind of device at r. Contract: pure; time(k, variant) keeps time's contract.
template <class D>
concept varies_by_rank = requires(const D& d, rank r, const kernel& k, u32 variant) {
  { d.variant(r) } -> std::same_as<u32>;
  { d.time(k, variant) } -> std::same_as<duration>;
};

/// Knows the memory that one device has.
template <class D>
concept has_memory = requires(const D& d) { { d.memory() } -> std::same_as<bytes>; };

template <class D>
concept device = times_kernels<D>;

// ---- interconnect: what lies between the members of a group ---------------------------------------------------------

/// Describes a group as a ladder of levels. Contract: pure; rates > 0; the fanouts of a regular group multiply to ranks.
template <class I>
concept has_levels = requires(const I& n, const group& g) { { n.levels_of(g) } -> std::same_as<levels>; };

/// Names the links between two ranks. Contract: route() is pure and gives at least one link where a != b.
template <class I>
concept has_links = requires(const I& n, rank a, rank b, link_sink& out, u32 link) {
  n.route(a, b, out);
  { n.capacity(link) } -> std::same_as<bandwidth>;
  { n.delay(a, b) } -> std::same_as<duration>;
};

/// Looks the same from every `period()` ranks on. Contract: levels_of(g) does not change when g.base moves by a period.
template <class I>
concept repeats = requires(const I& n) { { n.period() } -> std::same_as<u32>; };

template <class I>
concept interconnect = has_levels<I> || has_links<I>;

// ---- collective: how long a call takes over given levels ------------------------------------------------------------

/// Prices a call. Contract: pure; asked only for kinds it offers; at least the bandwidth bound; monotone in the size.
template <class C>
concept prices_calls = requires(const C& c, const levels& l, operation o) {
  { c.offers(o.kind) } -> std::same_as<bool>;
  { c.time(l, o) } -> std::convertible_to<cost>;
};

/// Takes a call apart into flows. Contract: the flows carry what the algorithm carries; phases are dense from 0.
template <class C>
concept expands_calls = requires(const C& c, const group& g, operation o, flow_sink& out) { c.expand(g, o, out); };

template <class C>
concept collective = prices_calls<C>;

// ---- scheduler: in which order ---------------------------------------------------------------------------------------

/// Orders the passes of a pipeline stage; asked when a model is lowered. Contract: pure; i = 0 … 2·micros·chunks−1 visits
/// every pass of every micro-batch and chunk once; no two stages wait for each other for ever.
template <class S>
concept orders_slots = requires(const S& s, shape p, u32 stage, u32 i) { { s.at(p, stage, i) } -> std::same_as<slot>; };

/// Picks between operations that are ready on an unordered stream; asked while running. Contract: a strict weak order.
template <class S>
concept picks_ready = requires(const S& s, ready_op a, ready_op b) { { s.before(a, b) } -> std::same_as<bool>; };

/// Refuses shapes that it cannot order. Contract: null where it can; otherwise what is required, in one phrase.
template <class S>
concept refuses_shapes = requires(const S& s, shape p) { { s.refuses(p) } -> std::same_as<const char*>; };

/// Knows the peak of chunks whose forward pass ran and whose backward pass did not. Contract: what walking at() finds, and
/// the first in_flight() slots are forward passes.
template <class S>
concept counts_in_flight = requires(const S& s, shape p, u32 stage) { { s.in_flight(p, stage) } -> std::same_as<u32>; };

template <class S>
concept scheduler = orders_slots<S> || picks_ready<S>;

}  // namespace echosim::inline v0
