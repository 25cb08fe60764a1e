// SPDX-License-Identifier: MIT
// Trace Event JSON for Perfetto and chrome://tracing (Google, "Trace Event Format"), written as it is produced. Times
// are whole picoseconds and come out as microseconds with six decimals: no digit is lost at any length of run.
#pragma once
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "../core/duration.hpp"
#include "json_write.hpp"

namespace echosim::inline v0 {

/// One line of a viewer's detail pane.
struct trace_argument {
  std::string_view name;
  std::variant<i64, double, std::string_view> value;
  trace_argument(std::string_view n, i64 v) : name{n}, value{v} {}
  trace_argument(std::string_view n, double v) : name{n}, value{v} {}
  trace_argument(std::string_view n, std::string_view v) : name{n}, value{v} {}
  trace_argument(std::string_view n, const char* v) : name{n}, value{std::string_view{v}} {}
};

/// An instant on a thread of a process.
struct trace_point {
  i64 pid = 0, tid = 0;
  duration at{};
};

/// One process a rank and one thread a stream read well: viewers draw slices of one thread nested, so slices of one
/// (pid, tid) must nest or be disjoint; overlap belongs on another thread. Order of calls is free.
class trace_writer {
 public:
  /// `file` stays open and belongs to the caller.
  explicit trace_writer(std::FILE* file) : file_{file}, out_{&own_} { begin(); }
  explicit trace_writer(std::string& text) : out_{&text} { begin(); }
  trace_writer(const trace_writer&) = delete;
  trace_writer& operator=(const trace_writer&) = delete;
  ~trace_writer() { close(); }

  /// Names a process; viewers list processes by `order`.
  void process(i64 pid, std::string_view name, i64 order) {
    metadata("process_name", pid, nullptr, name);
    sort_index("process_sort_index", pid, nullptr, order);
  }
  void process(i64 pid, std::string_view name) { process(pid, name, pid); }
  void thread(i64 pid, i64 tid, std::string_view name, i64 order) {
    metadata("thread_name", pid, &tid, name);
    sort_index("thread_sort_index", pid, &tid, order);
  }
  void thread(i64 pid, i64 tid, std::string_view name) { thread(pid, tid, name, tid); }

  /// A slice [start, start + length) of a thread.
  void slice(i64 pid, i64 tid, std::string_view name, std::string_view category, duration start, duration length,
             std::initializer_list<trace_argument> args = {}) {
    head("X", name, category, {pid, tid, start});
    out_->append(",\"dur\":");
    append_microseconds(*out_, length);
    if (args.size() != 0) {
      arguments(args);
    }
    tail();
  }
  /// An arrow from the slice around `from` to the slice around `to`. One id an arrow.
  void arrow(i64 id, std::string_view name, std::string_view category, trace_point from, trace_point to) {
    for (const bool start : {true, false}) {
      head(start ? "s" : "f", name, category, start ? from : to);
      out_->append(",\"id\":");
      append_json_number(*out_, id);
      if (!start) out_->append(",\"bp\":\"e\"");
      tail();
    }
  }
  /// A value that holds from `at` on, drawn as a staircase.
  void counter(i64 pid, std::string_view name, duration at, std::string_view series, double value) {
    head("C", name, "counter", {pid, 0, at});
    arguments({{series, value}});
    tail();
  }

  /// Ends the text. False where the file took not every byte. Called by the destructor.
  bool close() {
    if (!open_) return good_;
    open_ = false;
    out_->append("\n],\"displayTimeUnit\":\"ns\"}\n");
    flush(0);
    if (file_ != nullptr && std::fflush(file_) != 0) good_ = false;
    return good_;
  }

  /// Picoseconds as microseconds, "-0.000001" … ; every picosecond has its own text.
  static void append_microseconds(std::string& out, duration t) {
    const u64 magnitude = t.ps < 0 ? 0 - static_cast<u64>(t.ps) : static_cast<u64>(t.ps);
    if (t.ps < 0) out += '-';
    append_json_number(out, magnitude / 1'000'000);
    char digits[8] = ".000000";
    for (u64 rest = magnitude % 1'000'000, i = 6; i != 0; --i, rest /= 10)
      digits[i] = static_cast<char>('0' + rest % 10);
    out.append(digits, 7);
  }

 private:
  void begin() { out_->append("{\"traceEvents\":["); }
  void head(std::string_view phase, std::string_view name, std::string_view category, trace_point p) {
    separate();
    out_->append("{\"ph\":\"").append(phase).append("\",\"name\":");
    append_json_string(*out_, name);
    out_->append(",\"cat\":");
    append_json_string(*out_, category);
    identify(p.pid, &p.tid);
    out_->append(",\"ts\":");
    append_microseconds(*out_, p.at);
  }
  void metadata_head(const char* what, i64 pid, const i64* tid) {
    separate();
    out_->append("{\"ph\":\"M\",\"name\":\"").append(what).append("\"");
    identify(pid, tid);
  }
  void metadata(const char* what, i64 pid, const i64* tid, std::string_view name) {
    metadata_head(what, pid, tid);
    arguments({{"name", name}});
    tail();
  }
  void sort_index(const char* what, i64 pid, const i64* tid, i64 order) {
    metadata_head(what, pid, tid);
    arguments({{"sort_index", order}});
    tail();
  }
  void identify(i64 pid, const i64* tid) {
    out_->append(",\"pid\":");
    append_json_number(*out_, pid);
    if (tid == nullptr) return;
    out_->append(",\"tid\":");
    append_json_number(*out_, *tid);
  }
  void arguments(std::initializer_list<trace_argument> args) {
    char before = '{';
    out_->append(",\"args\":");
    for (const trace_argument& a : args) {
      out_->push_back(before);
      before = ',';
      append_json_string(*out_, a.name);
      out_->push_back(':');
      if (const i64* i = std::get_if<i64>(&a.value)) append_json_number(*out_, *i);
      if (const double* d = std::get_if<double>(&a.value)) append_json_number(*out_, *d);
      if (const std::string_view* s = std::get_if<std::string_view>(&a.value)) append_json_string(*out_, *s);
    }
    out_->push_back('}');
  }
  void separate() {
    ECHOSIM_EXPECTS(open_, "a closed trace takes no more events");
    out_->append(first_ ? "\n" : ",\n");
    first_ = false;
  }
  void tail() {
    out_->push_back('}');
    flush(std::size_t{1} << 16);
  }
  void flush(std::size_t keep) {
    if (file_ == nullptr || out_->size() < keep) return;
    if (std::fwrite(out_->data(), 1, out_->size(), file_) != out_->size()) good_ = false;
    out_->clear();
  }

  std::FILE* file_ = nullptr;
  std::string own_;
  std::string* out_;
  bool open_ = true, first_ = true, good_ = true;
};

}  // namespace echosim::inline v0
