// SPDX-License-Identifier: MIT
// Execution traces of PyTorch's observer (torch.profiler.ExecutionTraceObserver), JSON of schema 1.0.x and
// 1.1.x-chakra: operators with parents and tensors, without times.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "json.hpp"
#include "json_stream.hpp"
#include "kineto_spellings.hpp"
#include "name_table.hpp"

namespace echosim::inline v0::pytorch_et {

/// `invalid` and −1 stand for "not stated".
struct node {
  i64 id = -1, parent = -1;  ///< `parent`: id of the enclosing node; 1.1 calls it ctrl_deps
  i64 forward = -1;          ///< id of the operator whose gradient this is
  i64 sequence = -1, thread = -1, reference = -1;
  u32 name = invalid, schema = invalid;
  u32 inputs = invalid, input_shapes = invalid, input_types = invalid;  ///< texts, as the producer wrote them
};

struct trace {
  std::string schema;
  i64 process = -1;
  name_table names;
  std::vector<node> nodes;  ///< in the order of the file
};

namespace detail {

template <byte_source Source>
class reader {
 public:
  explicit reader(Source source) : in_{std::move(source)} {}

  result<trace> read() {
    const json_token first = in_.next();
    if (first == json_token::error) return in_.why();
    if (first != json_token::object)
      return refuse("found no object; expected {\"schema\": …, \"nodes\": […]}; give an execution trace");
    for (json_token t = in_.next(); t != json_token::object_end; t = in_.next()) {
      if (t == json_token::error) return in_.why();
      const std::string key{in_.text()};
      const json_token v = in_.next();
      if (key == "schema" && v == json_token::string) out_.schema = in_.text();
      if (key == "pid" && v == json_token::number) out_.process = whole();
      if (key == "traceEvents")
        return refuse("found \"traceEvents\": a Kineto trace; expected \"nodes\"; give it to the reader of traces");
      if (key == "nodes" && v == json_token::array) {
        seen_ = true;
        for (json_token n = in_.next(); n != json_token::array_end; n = in_.next()) {
          if (n == json_token::error) return in_.why();
          if (n != json_token::object)
            return refuse("found a node that is no object; expected {\"id\": …}; correct it");
          if (!one_node()) return in_.why();
        }
      } else if (in_.skip(v) == json_token::error) {
        return in_.why();
      }
    }
    if (in_.next() != json_token::end) return in_.why();
    if (!seen_) return refuse("found no list \"nodes\"; expected one; give an execution trace of PyTorch");
    return checked();
  }

 private:
  error refuse(const std::string& what) {
    (void)in_.fail(what);
    return in_.why();
  }
  i64 whole() const { return kineto::detail::lenient_integer(in_.text()).value_or(-1); }

  bool one_node() {
    node n;
    const place began = in_.at();
    for (json_token t = in_.next(); t != json_token::object_end; t = in_.next()) {
      if (t == json_token::error) return false;
      const std::string key{in_.text()};
      if (key == "attrs") {
        if (!attributes(n)) return false;
        continue;
      }
      if (key == "inputs") {
        if (!inputs(n)) return false;
        continue;
      }
      if (key == "input_shapes" || key == "input_types") {
        if (!flattened(key == "input_shapes" ? n.input_shapes : n.input_types, in_.next())) return false;
        continue;
      }
      const json_token v = in_.next();
      take(n, key, v);
      if (in_.skip(v) == json_token::error) return false;
    }
    if (n.id < 0 || n.name == invalid)
      return (void)in_.fail("found a node (byte " + std::to_string(began.byte) +
                            ") without id or name; expected both; correct it"),
             false;
    out_.nodes.push_back(n);
    return true;
  }
  void take(node& n, std::string_view key, json_token v) {
    if (v == json_token::number) {
      if (key == "id") n.id = whole();
      if (key == "parent" || key == "ctrl_deps") n.parent = whole();
      if (key == "fw_parent") n.forward = whole();
      if (key == "seq_id") n.sequence = whole();
      if (key == "tid") n.thread = whole();
      if (key == "rf_id") n.reference = whole();
    }
    if (v == json_token::string) {
      if (key == "name") n.name = out_.names.index(in_.text());
      if (key == "op_schema") n.schema = out_.names.index(in_.text());
    }
  }
  /// [{"name": …, "type": …, "value": …}, …] of schema 1.1.
  bool attributes(node& n) {
    json_token v = in_.next();
    if (v != json_token::array) return in_.skip(v) != json_token::error;
    for (json_token t = in_.next(); t != json_token::array_end; t = in_.next()) {
      if (t == json_token::error) return false;
      if (t != json_token::object) {
        if (in_.skip(t) == json_token::error) return false;
        continue;
      }
      std::string name;
      for (json_token k = in_.next(); k != json_token::object_end; k = in_.next()) {
        if (k == json_token::error) return false;
        const bool is_name = in_.text() == "name", is_value = in_.text() == "value";
        v = in_.next();
        if (is_name && v == json_token::string) name = in_.text();
        if (is_value && name != "id" && name != "name") take(n, name, v);
        if (in_.skip(v) == json_token::error) return false;
      }
    }
    return true;
  }
  /// A list of values (1.0), or {"values": …, "shapes": …, "types": …} (1.1).
  bool inputs(node& n) {
    const json_token v = in_.next();
    if (v != json_token::object) return flattened(n.inputs, v);
    for (json_token k = in_.next(); k != json_token::object_end; k = in_.next()) {
      if (k == json_token::error) return false;
      u32* const to = in_.text() == "values"   ? &n.inputs
                      : in_.text() == "shapes" ? &n.input_shapes
                      : in_.text() == "types"  ? &n.input_types
                                               : nullptr;
      const json_token inner = in_.next();
      if (to != nullptr ? !flattened(*to, inner) : in_.skip(inner) == json_token::error) return false;
    }
    return true;
  }
  /// A nested list as text, kept once: shapes repeat by the thousand.
  bool flattened(u32& to, json_token v) {
    text_.clear();
    unsigned depth = 0;
    for (json_token t = v;; t = in_.next()) {
      switch (t) {
        case json_token::error: return false;
        case json_token::array:
        case json_token::object: text_ += t == json_token::array ? '[' : '{', ++depth; break;
        case json_token::array_end:
        case json_token::object_end: text_ += t == json_token::array_end ? ']' : '}', --depth; break;
        case json_token::key: text_ += in_.text(), text_ += ':'; continue;
        case json_token::yes: text_ += "true"; break;
        case json_token::no: text_ += "false"; break;
        case json_token::null: text_ += "null"; break;
        default: text_ += in_.text(); break;
      }
      if (depth == 0) break;
      text_ += ' ';
    }
    to = out_.names.index(text_);
    return true;
  }

  result<trace> checked() {
    std::vector<i64> ids;
    ids.reserve(out_.nodes.size());
    for (const node& n : out_.nodes) ids.push_back(n.id);
    std::sort(ids.begin(), ids.end());
    if (const auto twice = std::adjacent_find(ids.begin(), ids.end()); twice != ids.end())
      return error{"node id " + std::to_string(*twice) +
                   " is given to two nodes; ids must be distinct; give one trace a file"};
    u64 orphans = 0;
    for (const node& n : out_.nodes)
      orphans += n.parent >= 0 && n.parent != n.id && !std::binary_search(ids.begin(), ids.end(), n.parent) ? 1 : 0;
    result<trace> r{std::move(out_)};
    if (orphans != 0) r.note(std::to_string(orphans) + " nodes have a parent that the file does not hold");
    if (r->nodes.empty()) r.note("the trace holds no nodes");
    return r;
  }

  json_stream<Source> in_;
  trace out_;
  std::string text_;
  bool seen_ = false;
};

}  // namespace detail

/// Reads a trace as it streams by. Refused: broken JSON, nodes without id or name, an id given twice. Texts of tensors
/// are kept once each.
template <byte_source Source>
[[nodiscard]] result<trace> read_trace(Source source) {
  return detail::reader<Source>{std::move(source)}.read();
}

}  // namespace echosim::inline v0::pytorch_et
