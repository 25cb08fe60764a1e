// SPDX-License-Identifier: MIT
// Reads Kineto and Chrome "Trace Event" JSON as it streams by: memory is what is kept plus one token. Times are taken
// from their decimal text in microseconds into whole nanoseconds.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "json_stream.hpp"
#include "kineto_spellings.hpp"

namespace echosim::inline v0::kineto {

/// Which host events are kept beside those of the device.
struct wanted {
  bool runtime = true;    ///< launches and synchronisations
  bool operators = true;  ///< PyTorch operators and annotations
  bool python = false;    ///< Python frames
  bool other = false;     ///< categories that this library gives no meaning
};

namespace detail {

template <byte_source Source>
class reader {
 public:
  reader(Source source, wanted keep) : in_{std::move(source)}, keep_{keep} {}

  result<trace> read() {
    const json_token first = in_.next();
    bool good = first == json_token::object ? top() : first == json_token::array ? events() : false;
    if (good) good = in_.next() == json_token::end;
    if (!good) {
      if (in_.next() != json_token::error)
        (void)in_.fail(
            "found no trace; expected an object with \"traceEvents\" or a list of events; give a Chrome or Kineto "
            "trace");
      return in_.why();
    }
    if (!seen_) {
      (void)in_.fail(nodes_
                         ? "found \"nodes\" and no \"traceEvents\": an execution trace of PyTorch, not a Kineto trace; "
                           "expected a trace with times; give the profiler's trace file"
                         : "found no \"traceEvents\"; expected the events of a trace; give a Chrome or Kineto trace");
      return in_.why();
    }
    out_.bytes = in_.consumed();
    sort();
    if (out_.base && !shift()) {
      (void)in_.fail(
          "found a base of " + std::to_string(*out_.base) +
          " ns that carries a time beyond 64 bits; expected times within 292 years; correct baseTimeNanoseconds");
      return in_.why();
    }
    result<trace> r{std::move(out_)};
    if (r->rounded != 0) r.note(std::to_string(r->rounded) + " times have digits below a nanosecond; they are rounded");
    if (durations_begun_ != 0)
      r.note(std::to_string(durations_begun_) +
             " events are begin/end pairs (ph B, E), which are not read; only complete events (ph X) are");
    return r;
  }

 private:
  /// The members of an event, in whatever order they come.
  struct scratch {
    std::string name, kind, process, thread;
    char phase = '\0';
    bool timed = false, lasted = false;
    event e;
    call_detail call;
    wait_detail wait;
    bool has_call = false, has_wait = false;
  };

  bool top() {
    for (json_token t = in_.next(); t != json_token::object_end; t = in_.next()) {
      if (t == json_token::error) return false;
      const std::string_view key = in_.text();
      if (key == "traceEvents") {
        if (seen_) return refuse("found \"traceEvents\" twice; expected one list; remove one");
        if (in_.next() != json_token::array)
          return refuse("found \"traceEvents\" that is no list; expected a list of events; correct it");
        if (!events()) return false;
      } else if (key == "baseTimeNanoseconds") {
        (void)in_.next();
        out_.base = lenient_integer(in_.text());
        if (!out_.base)
          return refuse("found a baseTimeNanoseconds that is no whole number; expected nanoseconds; correct it");
      } else if (key == "distributedInfo") {
        if (!members([&](std::string_view k, json_token v) {
              if (v == json_token::number && k == "rank") out_.rank = lenient_integer(in_.text());
              if (v == json_token::number && k == "world_size") out_.world = lenient_integer(in_.text());
            }))
          return false;
      } else if (key == "deviceProperties") {
        if (!properties()) return false;
      } else {
        nodes_ = nodes_ || key == "nodes";
        if (in_.skip_value() == json_token::error) return false;
      }
    }
    return true;
  }

  /// Visits the members of the object that comes next; values that are objects or lists are passed over.
  template <class Visit>
  bool members(Visit&& visit) {
    const json_token first = in_.next();
    if (first != json_token::object) return in_.skip(first) != json_token::error;
    std::string key;
    for (json_token t = in_.next(); t != json_token::object_end; t = in_.next()) {
      if (t == json_token::error) return false;
      key = in_.text();
      const json_token v = in_.next();
      if (v == json_token::object || v == json_token::array) {
        if (in_.skip(v) == json_token::error) return false;
      } else if (v == json_token::error) {
        return false;
      } else {
        visit(std::string_view{key}, v);
      }
    }
    return true;
  }

  bool properties() {
    const json_token first = in_.next();
    if (first != json_token::array) return in_.skip(first) != json_token::error;
    for (json_token t = in_.next(); t != json_token::array_end; t = in_.next()) {
      if (t == json_token::error) return false;
      if (t != json_token::object) {
        if (in_.skip(t) == json_token::error) return false;
        continue;
      }
      device_property p;
      for (json_token k = in_.next(); k != json_token::object_end; k = in_.next()) {
        if (k == json_token::error) return false;
        const std::string key{in_.text()};
        const json_token v = in_.next();
        if (key == "name" && v == json_token::string) p.name = in_.text();
        if (key == "id") p.id = number_or_none(v);
        if (key == "numSms") p.multiprocessors = number_or_none(v);
        if (key == "totalGlobalMem") p.memory = number_or_none(v);
        if (in_.skip(v) == json_token::error) return false;
      }
      out_.devices.push_back(std::move(p));
    }
    return true;
  }

  bool events() {
    seen_ = true;
    for (json_token t = in_.next(); t != json_token::array_end; t = in_.next()) {
      if (t == json_token::error) return false;
      if (t != json_token::object) return refuse("found an event that is no object; expected {\"ph\": …}; correct it");
      if (!one_event()) return false;
    }
    return true;
  }

  bool one_event() {
    now_.name.clear(), now_.kind.clear(), now_.process.clear(), now_.thread.clear();
    now_.phase = '\0';
    now_.timed = now_.lasted = now_.has_call = now_.has_wait = false;
    now_.e = {};
    now_.call = {};
    now_.wait = {};
    const place began = in_.at();
    for (json_token t = in_.next(); t != json_token::object_end; t = in_.next()) {
      if (t == json_token::error) return false;
      if (!event_member()) return false;
    }
    switch (now_.phase) {
      case 'X': return keep(began);
      case 'M': return ++out_.skipped.metadata, true;
      case 'i':
      case 'I': return ++out_.skipped.instants, true;
      case 's':
      case 't':
      case 'f': return ++out_.skipped.flows, true;
      case 'C': return ++out_.skipped.counters, true;
      case 'B':
      case 'E': ++durations_begun_; return ++out_.skipped.other, true;
      case '\0':
        return refuse("found an event (byte " + std::to_string(began.byte) +
                      ") without \"ph\"; expected its phase; this is no trace event");
      default: return ++out_.skipped.other, true;
    }
  }

  bool event_member() {
    const std::string_view key = in_.text();
    const auto is = [&](std::string_view k) { return key == k; };
    if (is("args")) {
      const json_token v = in_.next();
      return v == json_token::object ? arguments() : in_.skip(v) != json_token::error;
    }
    std::string* const text = is("name")  ? &now_.name
                              : is("cat") ? &now_.kind
                              : is("pid") ? &now_.process
                              : is("tid") ? &now_.thread
                                          : nullptr;
    const bool ts = is("ts"), dur = is("dur"), ph = is("ph");
    const json_token v = in_.next();
    if (text != nullptr && (v == json_token::string || v == json_token::number)) text->assign(in_.text());
    if (ph && v == json_token::string && in_.text().size() == 1) now_.phase = in_.text()[0];
    if (ts || dur) {
      const std::optional<decimal> d = v == json_token::number ? to_decimal(in_.text()) : std::nullopt;
      const std::optional<scaled> ns = d ? scale(*d, 3) : std::nullopt;
      if (!ns)
        return v != json_token::error && refuse("found a time " + shown(in_.text()) +
                                                "; expected microseconds that fit 64 bits of nanoseconds; correct it");
      if (!ns->exact) ++out_.rounded;
      (ts ? now_.e.start : now_.e.length) = ns->value;
      (ts ? now_.timed : now_.lasted) = true;
      return true;
    }
    return in_.skip(v) != json_token::error;
  }

  i64 number_or_none(json_token v) const {
    if (v != json_token::number && v != json_token::string) return -1;
    const i64 n = lenient_integer(in_.text()).value_or(-1);
    return n == 4294967295 ? -1 : n;  // an unsigned −1 of 32 bits
  }

  bool arguments() {
    for (json_token t = in_.next(); t != json_token::object_end; t = in_.next()) {
      if (t == json_token::error) return false;
      const std::string_view key = in_.text();
      i64* number = nullptr;
      u32* text = nullptr;
      bool of_call = false, of_wait = false;
      switch (key.empty() ? '\0' : key[0]) {
        case 'c':
          if (key == "correlation") number = &now_.e.correlation;
          break;
        case 's':
          if (key == "stream") number = &now_.e.stream;
          break;
        case 'E':
        case 'e':
          if (key == "External id" || key == "external id") number = &now_.e.external;
          break;
        case 'w':
          if (key == "wait_on_stream") number = &now_.wait.stream, of_wait = true;
          if (key == "wait_on_cuda_event_record_corr_id") number = &now_.wait.recorded_by, of_wait = true;
          break;
        case 'C':
          if (key == "Collective name") text = &now_.call.name, of_call = true;
          break;
        case 'd':
          if (key == "dtype") text = &now_.call.type;
          break;
        case 'I':
          if (key == "In msg nelems") number = &now_.call.in_elements;
          if (key == "In split size") text = &now_.call.in_split;
          break;
        case 'O':
          if (key == "Out msg nelems") number = &now_.call.out_elements;
          if (key == "Out split size") text = &now_.call.out_split;
          break;
        case 'G':
          if (key == "Group size") number = &now_.call.group_size;
          if (key == "Global rank start") number = &now_.call.rank_start;
          if (key == "Global rank stride") number = &now_.call.rank_stride;
          break;
        case 'P':
          if (key == "Process Group Name") text = &now_.call.group;
          if (key == "Process Group Ranks") text = &now_.call.group_ranks;
          break;
        case 'S':
          if (key == "Seq") number = &now_.call.sequence;
          if (key == "Src Rank") number = &now_.call.source;
          break;
        case 'D':
          if (key == "Dst Rank") number = &now_.call.target;
          break;
        default: break;
      }
      now_.has_call = now_.has_call || of_call;
      now_.has_wait = now_.has_wait || of_wait;
      const json_token v = in_.next();
      if (number != nullptr) *number = number_or_none(v);
      if (text != nullptr && v == json_token::string) *text = out_.names.index(in_.text());
      if (in_.skip(v) == json_token::error) return false;
    }
    return true;
  }

  bool keep(place began) {
    if (!now_.timed || !now_.lasted)
      return refuse("found a complete event (byte " + std::to_string(began.byte) + ") without " +
                    (now_.timed ? "\"dur\"" : "\"ts\"") + "; expected both times; correct it");
    if (now_.e.length < 0)
      return refuse("found an event (byte " + std::to_string(began.byte) +
                    ") of negative duration; expected 0 or more; correct it");
    if (now_.e.start > (i64{1} << 62) - now_.e.length || now_.e.start < -(i64{1} << 62))
      return refuse("found an event (byte " + std::to_string(began.byte) +
                    ") beyond 146 years; expected microseconds; correct its times");
    event& e = now_.e;
    e.kind = category_of(now_.kind);
    const bool want =
        on_device(e.kind) || e.kind == category::device_annotation ||
        ((e.kind == category::runtime || e.kind == category::driver || e.kind == category::sync) && keep_.runtime) ||
        ((e.kind == category::cpu_op || e.kind == category::annotation) && keep_.operators) ||
        (e.kind == category::python && keep_.python) || (e.kind == category::other && keep_.other);
    if (!want) return ++out_.skipped.unwanted, true;
    e.name = out_.names.index(now_.name);
    e.lane = lane_of(on_device(e.kind) || e.kind == category::device_annotation || e.kind == category::sync);
    if (on_device(e.kind) && e.stream < 0) e.stream = lenient_integer(now_.thread).value_or(-1);
    if (now_.has_call) {
      e.detail = static_cast<u32>(out_.calls.size());
      out_.calls.push_back(now_.call);
    } else if (now_.has_wait) {
      e.detail = static_cast<u32>(out_.waits.size());
      out_.waits.push_back(now_.wait);
    }
    if (out_.events.size() >= invalid)
      return refuse("found more than 4,294,967,294 events to keep; expected fewer; cut the trace");
    out_.events.push_back(e);
    return true;
  }

  u32 lane_of(bool device) {
    if (last_lane_ != invalid) {  // most events follow one of their own lane
      const lane& l = out_.lanes[last_lane_];
      if (l.device == device && out_.names[l.thread] == now_.thread && out_.names[l.process] == now_.process)
        return last_lane_;
    }
    return last_lane_ = find_lane(device);
  }
  u32 find_lane(bool device) {
    const u32 process = out_.names.index(now_.process), thread = out_.names.index(now_.thread);
    for (u32 i = 0; i < out_.lanes.size(); ++i)  // a trace has tens of lanes
      if (const lane& l = out_.lanes[i]; l.thread == thread && l.process == process && l.device == device) return i;
    out_.lanes.push_back({process, thread, device});
    return static_cast<u32>(out_.lanes.size() - 1);
  }

  /// By start, stably: keys are sorted and the events follow them in place.
  void sort() {
    std::deque<event>& all = out_.events;
    std::vector<std::pair<i64, u32>> keys;
    const auto before = [](const event& a, const event& b) { return a.start < b.start; };
    if (std::is_sorted(all.begin(), all.end(), before)) return;
    keys.reserve(all.size());
    for (const event& e : all) keys.emplace_back(e.start, static_cast<u32>(keys.size()));
    std::sort(keys.begin(), keys.end());
    for (u32 i = 0; i < keys.size(); ++i) {
      u32 to = i;
      const event first = all[i];
      for (u32 from = keys[to].second; from != i && from != invalid; from = keys[to].second) {
        all[to] = all[from];
        keys[to].second = invalid;
        to = from;
      }
      if (keys[to].second != invalid) all[to] = first;
      keys[to].second = invalid;
    }
  }

  bool shift() {
    const i64 limit = i64{1} << 62;
    if (*out_.base > limit || *out_.base < -limit) return false;
    for (event& e : out_.events) {
      if (e.start > limit - 1 - std::max<i64>(*out_.base, 0) || e.start < -limit - std::min<i64>(*out_.base, 0))
        return false;
      e.start += *out_.base;
    }
    return true;
  }

  bool refuse(const std::string& found_expected) { return (void)in_.fail(found_expected), false; }

  json_stream<Source> in_;
  wanted keep_;
  trace out_;
  scratch now_;
  u64 durations_begun_ = 0;
  u32 last_lane_ = invalid;
  bool seen_ = false, nodes_ = false;
};

}  // namespace detail

/// Reads a trace. A bare list of events is one too. Complete events (ph X) of the wanted categories are kept, in order
/// of start; all others are counted. Refused, with the byte: broken JSON, a complete event without both times, or with
/// a negative duration; and execution traces, by name.
template <byte_source Source>
[[nodiscard]] result<trace> read_trace(Source source, wanted keep = {}) {
  return detail::reader<Source>{std::move(source), keep}.read();
}

}  // namespace echosim::inline v0::kineto
