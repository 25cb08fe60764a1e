// SPDX-License-Identifier: MIT
// A recorded trace as a program that can be run again, or run otherwise: kernels keep their durations, launches and
// synchronisations of the host become its operations, waits between streams become dependencies. Replayed unchanged,
// every device event starts when it was recorded to start.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "../core/result.hpp"
#include "../graph/program.hpp"
#include "kineto.hpp"
#include "trace_analysis.hpp"

namespace echosim::inline v0::kineto {

/// What a replay changes; all ones is the trace itself.
struct changes {
  std::array<double, kernel_classes> kernels{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};  ///< factor on durations, by class
  double host = 1;     ///< factor on the host's time between launches
  double latency = 1;  ///< factor on what lies between a launch, or an awaited end, and the start
};

/// `program` points into the names of the trace, which must outlive it.
struct traced_program {
  program made;
  i64 span = 0;  ///< ns from the first start to the last end, as recorded
  u64 device_events = 0, launches = 0, waits_of_host = 0;
  u64 waits_of_streams = 0;  ///< inferred: see program_of
  u64 without_launch = 0;    ///< device events that no recorded call launched
  i64 latency = 0;           ///< ns kept between causes and starts, summed
};

namespace detail {

[[nodiscard]] inline kernel_kind kind_of(kernel_class c) {
  switch (c) {
    case kernel_class::gemm:
    case kernel_class::convolution: return kernel_kind::gemm;
    case kernel_class::attention: return kernel_kind::attention;
    case kernel_class::norm: return kernel_kind::norm;
    case kernel_class::softmax: return kernel_kind::softmax;
    case kernel_class::embedding: return kernel_kind::embedding;
    case kernel_class::optimizer: return kernel_kind::optimizer;
    case kernel_class::copy: return kernel_kind::copy;
    default: return kernel_kind::elementwise;
  }
}

/// A call of the host that the device or the host itself waits for. `end` counts where it waits.
struct host_mark {
  i64 at = 0, end = 0;
  bool waits = false;
};

[[nodiscard]] inline bool synchronises(std::string_view name) {
  return name.find("Synchronize") != std::string_view::npos || name == "cudaMemcpy" || name == "hipMemcpy" ||
         name == "hipMemcpyWithStream";
}

class program_maker {
 public:
  program_maker(const trace& t, const changes& c, const std::vector<std::string>& words)
      : t_{t}, c_{c}, words_{words}, classes_(t.names.size(), -1) {}

  result<traced_program> make() {
    collect();
    if (device_.empty())
      return error{
          "the trace has no device events; a trace of a device is required; record with the device's activities"};
    if (auto e = choose_lanes(); !e.what.empty()) return e;
    place();
    emit();
    out_.made.ranks = 1;
    return std::move(out_);
  }

 private:
  struct placed {
    u32 event = 0, mark = invalid, behind = 0;
  };
  struct done {
    u32 op = 0;
    i64 end = 0;
  };

  void collect() {
    std::unordered_map<i64, u32> launched;
    for (u32 i = 0; i < t_.events.size(); ++i) {
      const event& e = t_.events[i];
      if (on_device(e.kind)) device_.push_back({i, invalid, 0});
      if ((e.kind == category::runtime || e.kind == category::driver) && e.correlation >= 0)
        launched.emplace(e.correlation, i);
    }
    std::vector<char> launches(t_.events.size(), 0);
    for (const placed& d : device_)
      if (const i64 c = t_.events[d.event].correlation; c >= 0)
        if (const auto by = launched.find(c); by != launched.end()) launches[by->second] = 1;
    i64 free = 0;
    for (u32 i = 0; i < t_.events.size(); ++i) {  // by start, so marks are too
      const event& e = t_.events[i];
      if (e.kind != category::runtime && e.kind != category::driver) continue;
      const bool waits = synchronises(t_.names[e.name]);
      if (launches[i] == 0 && !waits) continue;
      if (waits && !marks_.empty() && e.start < free) continue;  // inside a wait that another thread makes already
      mark_of_.emplace(i, static_cast<u32>(marks_.size()));
      marks_.push_back({e.start, e.start + e.length, waits});
      if (waits) free = std::max(free, e.start + e.length);
      out_.launches += launches[i] != 0 ? 1 : 0;
    }
    for (std::size_t m = 0; m + 1 < marks_.size(); ++m)  // another thread launches while one waits: the host goes on
      marks_[m].end = std::min(marks_[m].end, marks_[m + 1].at);
    if (device_.empty()) return;
    start_ = t_.events[device_[0].event].start;
    i64 last = start_;
    for (placed& d : device_) {
      const event& e = t_.events[d.event];
      last = std::max(last, e.start + e.length);
      const auto by = e.correlation >= 0 ? launched.find(e.correlation) : launched.end();
      if (by != launched.end() && t_.events[by->second].start <= e.start)
        if (const auto m = mark_of_.find(by->second); m != mark_of_.end()) d.mark = m->second;
      if (d.mark == invalid) ++out_.without_launch;
    }
    out_.device_events = device_.size();
    out_.span = last - start_;
  }

  /// The stream with most kernel time computes; those of communication follow.
  error choose_lanes() {
    std::map<u32, std::pair<i64, i64>> times;  // of recorded lanes: kernels, communication
    for (const placed& d : device_) {
      const event& e = t_.events[d.event];
      const bool talks = class_at(e) == kernel_class::communication;
      (talks ? times[e.lane].second : times[e.lane].first) += e.length;
    }
    if (times.size() > lanes - 1)
      return {"the trace has " + std::to_string(times.size()) + " streams; a program has " + std::to_string(lanes - 1) +
              " beside the host; cut the trace to fewer"};
    u32 main = times.begin()->first;
    for (const auto& [l, t] : times)
      if (t.first > times[main].first) main = l;
    lane_of_[main] = compute;
    std::vector<u32> spare;
    for (u32 l : {u32{dp_comm}, u32{tp_comm}, u32{cp_comm}, u32{ep_comm}}) spare.push_back(l);
    for (u32 l = send_forward; l < lanes; ++l) spare.push_back(l);
    std::size_t next = 0;
    for (const bool talks : {true, false})
      for (const auto& [l, t] : times)
        if (l != main && (t.second > t.first) == talks) lane_of_[l] = spare[next++];
    return {};
  }

  /// Which mark each device event is emitted behind: its launch, or the last one before it starts; later ones of a
  /// stream never before earlier ones.
  void place() {
    std::map<u32, u32> behind;
    for (placed& d : device_) {
      const event& e = t_.events[d.event];
      u32 mark = d.mark;
      if (mark == invalid) {
        const auto after = std::upper_bound(marks_.begin(), marks_.end(), e.start,
                                            [](i64 at, const host_mark& m) { return at < (m.waits ? m.end : m.at); });
        mark = static_cast<u32>(after - marks_.begin());  // number of marks before it
      } else {
        ++mark;
      }
      u32& last = behind.try_emplace(e.lane, 0).first->second;
      d.behind = last = std::max(last, mark);
    }
    std::stable_sort(device_.begin(), device_.end(),
                     [](const placed& a, const placed& b) { return a.behind < b.behind; });
  }

  void emit() {
    host_ = start_;
    std::size_t next = 0;
    for (u32 m = 0; m <= marks_.size(); ++m) {
      for (; next < device_.size() && device_[next].behind == m; ++next) emit_device(device_[next]);
      if (m < marks_.size()) emit_mark(marks_[m]);
    }
  }

  void emit_mark(const host_mark& m) {
    if (m.at > host_) {
      add(host, "host", kernel_kind::host, scaled(m.at - host_, c_.host));
      host_ = m.at;
    }
    if (!m.waits || m.end <= host_) return;
    const done* awaited = nullptr;  // the last of the events emitted so far that ends within the call
    for (const auto& [l, d] : last_)
      if (d.end > host_ && d.end <= m.end && (awaited == nullptr || d.end > awaited->end)) awaited = &d;
    const i64 from = awaited != nullptr ? awaited->end : host_;
    add(host, "wait", kernel_kind::host, scaled(m.end - from, c_.latency));
    if (awaited != nullptr) {
      out_.made.after(awaited->op);
      ++out_.waits_of_host;
    }
    host_ = m.end;
  }

  void emit_device(const placed& d) {
    const event& e = t_.events[d.event];
    const u32 lane = lane_of_[e.lane];
    const auto before = last_.find(lane);
    i64 ready = std::max(host_, before != last_.end() ? before->second.end : start_);
    const done* awaited = nullptr;
    for (const auto& [l, other] : last_)
      if (l != lane && other.end > ready && other.end <= e.start && e.start - other.end <= wait_latency_ &&
          (awaited == nullptr || other.end > awaited->end))
        awaited = &other;
    if (awaited != nullptr) ready = awaited->end;
    const u32 waits_for = awaited != nullptr ? awaited->op : invalid;
    out_.waits_of_streams += awaited != nullptr ? 1 : 0;
    const i64 gap = e.start - ready;
    if (gap > 0) {
      add(lane, "latency", kernel_kind::host, scaled(gap, c_.latency));
      out_.latency += gap;
      if (waits_for != invalid) out_.made.after(waits_for);
    }
    const kernel_class c = class_at(e);
    const u32 op =
        add(lane, t_.names[e.name].c_str(), kind_of(c), scaled(e.length, c_.kernels[static_cast<unsigned>(c)]));
    if (gap <= 0 && waits_for != invalid) out_.made.after(waits_for);
    const i64 end = e.start + e.length;
    if (before == last_.end() || end >= before->second.end) last_[lane] = {op, end};
  }

  kernel_class class_at(const event& e) {
    if (e.kind != category::kernel) return kernel_class::copy;
    int& known = classes_[e.name];
    if (known < 0) known = static_cast<int>(class_of(t_.names[e.name], words_));
    return static_cast<kernel_class>(known);
  }
  u32 add(u32 lane, const char* name, kernel_kind kind, duration given) {
    kernel k;
    k.name = name;
    k.kind = kind;
    k.given = given;
    out_.made.kernels.push_back(k);
    return out_.made.add(static_cast<u32>(out_.made.kernels.size() - 1), stream_of(0, lane));
  }
  static duration scaled(i64 ns, double factor) {
    const i64 ps = ns * 1000;
    return {factor == 1 ? ps : static_cast<i64>(static_cast<double>(ps) * factor)};
  }

  static constexpr i64 wait_latency_ = 10'000;  // ns: see program_of

  const trace& t_;
  const changes& c_;
  const std::vector<std::string>& words_;
  std::vector<int> classes_;  // of each name; −1 until asked
  std::vector<placed> device_;
  std::vector<host_mark> marks_;
  std::unordered_map<u32, u32> mark_of_;
  std::map<u32, u32> lane_of_;
  std::map<u32, done> last_;  // of program lanes: the event that ends last
  i64 start_ = 0, host_ = 0;
  traced_program out_;
};

}  // namespace detail

/// Makes a program of one rank. The host is one: calls of all threads in the order of their starts, cut at launches and
/// synchronisations. A kernel starts after its launch and the one before it on its stream. Assumption: a launched
/// kernel on a free stream that starts within 10 µs after the end of another stream's last event waited for that event;
/// traces seldom record such waits. What stays between cause and start is kept as latency and summed. Overlap of events
/// on one stream is laid end to start. Durations of collectives are those recorded, waiting included.
[[nodiscard]] inline result<traced_program> program_of(const trace& t, const changes& c = {},
                                                       const std::vector<std::string>& words = communication_words()) {
  for (const double f : c.kernels)
    if (!(f >= 0 && f <= 1e6))
      return error{"a factor on kernels of " + std::to_string(f) + "; 0 to 1e6 is required; correct it"};
  if (!(c.host >= 0 && c.host <= 1e6) || !(c.latency >= 0 && c.latency <= 1e6))
    return error{"a factor on host or latency outside 0 to 1e6; one inside is required; correct it"};
  auto r = detail::program_maker{t, c, words}.make();
  if (!r) return r;
  if (r->without_launch != 0)
    r.note(std::to_string(r->without_launch) + " of " + std::to_string(r->device_events) +
           " device events have no recorded launch before them; they keep their distance from what ran before");
  return r;
}

}  // namespace echosim::inline v0::kineto
