// SPDX-License-Identifier: MIT
// One line about a file of any format that is read here: what it is and how much it holds; or why it is refused.
#pragma once
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "../model/parameters.hpp"
#include "aicb.hpp"
#include "astra.hpp"
#include "bus_bandwidth.hpp"
#include "byte_source.hpp"
#include "calculon.hpp"
#include "chakra_check.hpp"
#include "chakra_reader.hpp"
#include "csv.hpp"
#include "deepspeed.hpp"
#include "goal.hpp"
#include "gpt_neox.hpp"
#include "hugging_face.hpp"
#include "kineto_reader.hpp"
#include "megatron.hpp"
#include "nccl_tests.hpp"
#include "nccl_topology.hpp"
#include "nemo.hpp"
#include "nvidia_smi_topology.hpp"
#include "pytorch_et.hpp"
#include "recognition.hpp"
#include "simgrid_ti.hpp"
#include "trace_analysis.hpp"
#include "yaml.hpp"

namespace echosim::inline v0 {

/// What was read ahead of a file to recognise it, then the rest of the file.
struct joined_source {
  std::string_view head;
  std::FILE* rest;
  std::ptrdiff_t read(char* into, std::size_t room) {
    if (head.empty()) return rest != nullptr ? file_source{rest}.read(into, room) : 0;
    const std::size_t n = std::min(room, head.size());
    std::memcpy(into, head.data(), n);
    head.remove_prefix(n);
    return static_cast<std::ptrdiff_t>(n);
  }
};
static_assert(byte_source<joined_source>);

namespace detail {

/// A number with a unit: 12.5 ms, 3.2 GB.
[[nodiscard]] inline std::string with_unit(double v, std::initializer_list<const char*> units, double step = 1000) {
  auto unit = units.begin();
  while (v >= step && unit + 1 != units.end()) v /= step, ++unit;
  char text[48];
  std::snprintf(text, sizeof text, v < 10 && unit != units.begin() ? "%.2f %s" : "%.4g %s", v, *unit);
  return text;
}
[[nodiscard]] inline std::string time_text(i64 ns) {
  return with_unit(static_cast<double>(ns), {"ns", "us", "ms", "s"});
}
[[nodiscard]] inline std::string size_text(i64 bytes) {
  return with_unit(static_cast<double>(bytes), {"B", "kB", "MB", "GB", "TB"});
}
[[nodiscard]] inline std::string counted(u64 n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}
[[nodiscard]] inline std::string share(i64 part, i64 of) {
  char text[24];
  std::snprintf(text, sizeof text, "%.1f %%", of > 0 ? 100 * static_cast<double>(part) / static_cast<double>(of) : 0.0);
  return text;
}

/// The line, with the notes of what it was made from.
template <class T>
[[nodiscard]] result<std::string> line_of(const result<T>& from, std::string text) {
  result<std::string> r{std::move(text)};
  for (const std::string& n : from.notes()) r.note(n);
  return r;
}

[[nodiscard]] inline result<std::string> inspect_setup(const char* what, const result<training_setup>& s) {
  if (!s) return s.why();
  std::string text = what;
  const auto add = [&](const char* name, const std::optional<i64>& v) {
    if (v) text += std::string{", "} + name + " " + std::to_string(*v);
  };
  add("layers", s->layers), add("hidden", s->hidden), add("heads", s->heads), add("vocabulary", s->vocab),
      add("experts", s->experts), add("sequence", s->sequence);
  add("tp", s->tp), add("pp", s->pp), add("cp", s->cp), add("dp", s->dp), add("ranks", s->ranks()),
      add("micro-batch", s->micro_batch), add("global batch", s->global_batch);
  if (s->shards) text += ", ZeRO " + std::to_string(static_cast<int>(*s->shards));
  if (s->type) text += std::string{", "} + name(*s->type);
  result<std::string> r = line_of(s, std::move(text));
  if (const auto m = model_of(*s); m)
    r.note(std::to_string(parameters(*m)) + " parameters");
  else if (s->layers)
    r.note("no model from this file alone: " + m.why().what);
  return r;
}

[[nodiscard]] inline result<std::string> inspect_kineto(joined_source source) {
  const auto t = kineto::read_trace(source);
  if (!t) return t.why();
  const auto a = kineto::analyse(*t);
  if (!a) return a.why();
  std::string text =
      "Kineto trace, " + counted(t->events.size(), "event") + " kept, " + counted(a->device_events, "device event");
  if (t->rank) text += ", rank " + std::to_string(*t->rank) + (t->world ? " of " + std::to_string(*t->world) : "");
  if (a->device_events != 0)
    text += " on " + counted(a->streams, "stream") + " over " + time_text(a->span) + ": compute " +
            share(a->compute, a->span) + ", exposed communication " + share(a->exposed_communication, a->span) +
            ", exposed copies " + share(a->exposed_copy, a->span) + ", idle " + share(a->idle, a->span);
  result<std::string> r = line_of(t, std::move(text));
  for (const std::string& n : a.notes()) r.note(n);
  return r;
}

[[nodiscard]] inline result<std::string> inspect_tree(const json& root, const char* syntax) {
  if (gpt_neox::looks_like_config(root)) return inspect_setup("gpt-neox configuration", gpt_neox::read_config(root));
  if (nemo::looks_like_config(root)) return inspect_setup("NeMo configuration", nemo::read_config(root));
  if (calculon::is_model(root)) return inspect_setup("Calculon model", calculon::read_model(root));
  if (calculon::is_execution(root)) return inspect_setup("Calculon execution", calculon::read_execution(root));
  if (calculon::is_system(root)) {
    const auto s = calculon::read_system(root);
    if (!s) return s.why();
    return line_of(s, "Calculon system, " + with_unit(s->near.gib, {"GiB", "TiB", "PiB", "EiB"}, 1024) + " at " +
                          with_unit(s->near.gbps, {"GB/s", "TB/s"}) + ", " +
                          counted(s->matrix.size(), "matrix format") + ", " + counted(s->networks.size(), "network"));
  }
  if (astra::is_network(root)) {
    const auto n = astra::read_network(root);
    if (!n) return n.why();
    i64 npus = 1;
    for (const astra::dimension& d : *n) npus = d.npus > (i64{1} << 40) / npus ? i64{1} << 40 : npus * d.npus;
    return line_of(n, "ASTRA-sim network, " + counted(n->size(), "dimension") + ", " + std::to_string(npus) + " NPUs");
  }
  if (astra::is_system(root)) {
    const auto s = astra::read_system(root);
    if (!s) return s.why();
    return line_of(s, "ASTRA-sim system, " + std::to_string(s->splits) + " splits, " +
                          std::to_string(s->active_chunks) + " active chunks, all-reduce by " +
                          (s->all_reduce.empty() ? "custom or default" : s->all_reduce[0]));
  }
  if (root.find("logical-dims") != nullptr) {
    const auto d = astra::read_dimensions(root);
    if (!d) return d.why();
    return line_of(d, "ASTRA-sim logical topology, " + counted(d->size(), "dimension"));
  }
  if (deepspeed::looks_like_config(root)) return inspect_setup("DeepSpeed configuration", deepspeed::read_config(root));
  for (const char* key : {"model_type", "architectures", "n_layers", "num_hidden_layers", "text_config"})
    if (root.find(key) != nullptr) {
      const auto m = hugging_face::read_config(root);
      if (!m) return m.why();
      return line_of(m, "Hugging Face configuration, " + std::to_string(m->layers) + " layers, hidden " +
                            std::to_string(m->hidden) + ", " + std::to_string(m->heads) + " heads, " +
                            std::to_string(parameters(*m)) + " parameters");
    }
  if (const json::object* all = root.members();
      all != nullptr && !all->empty() && std::all_of(all->begin(), all->end(), [](const json::member& m) {
        return whole_number(m.name) && m.value.items() != nullptr;
      })) {
    const auto g = astra::read_groups(root);
    if (!g) return g.why();
    return line_of(g, "ASTRA-sim communicator groups, " + counted(g->size(), "group"));
  }
  std::string names;
  if (const json::object* all = root.members())
    for (std::size_t i = 0; i < all->size() && i < 4; ++i)
      names += (i == 0 ? " with " : ", ") + shown((*all)[i].name, 40);
  return error{std::string{"the file is "} + syntax + ", " + root.kind() + names +
               ", of no format known here; docs/formats.md lists what is read; give a file of one of them"};
}

[[nodiscard]] inline result<std::string> inspect_json(std::string_view text) {
  const auto root = parse_json(text);
  if (root) return inspect_tree(*root, "JSON");
  if (const auto relaxed = parse_yaml(text);
      relaxed && (gpt_neox::looks_like_config(*relaxed) || astra::is_network(*relaxed)))
    return inspect_tree(*relaxed, "YAML");
  return root.why();
}

/// Formats whose text is read whole.
[[nodiscard]] inline result<std::string> inspect_text(file_format format, std::string_view text) {
  switch (format) {
    case file_format::json: return inspect_json(text);
    case file_format::yaml: {
      const auto root = parse_yaml(text);
      if (!root) return root.why();
      return inspect_tree(*root, "YAML");
    }
    case file_format::megatron: return inspect_setup("Megatron-LM arguments", megatron::read_arguments(text));
    case file_format::chakra: {
      const auto t = chakra::read_trace(text);
      if (!t) return t.why();
      if (const auto cycle = chakra::cycle_of(*t); !cycle.empty())
        return error{"node " + std::to_string(cycle[0]) + " depends on itself through " + std::to_string(cycle.size()) +
                     " nodes; dependencies must end; remove one of them"};
      const chakra::summary s = chakra::summary_of(*t);
      return line_of(t, "Chakra execution trace, " + counted(s.nodes, "node") + ": " + std::to_string(s.compute) +
                            " compute, " + std::to_string(s.sends) + " send, " + std::to_string(s.receives) +
                            " receive, " + std::to_string(s.collectives) + " collective; " +
                            std::to_string(s.dependencies) + " dependencies");
    }
    case file_format::aicb: {
      const auto c = aicb::read_calls(text);
      if (!c) return c.why();
      u64 items = 0;
      for (const aicb::section& s : *c) items += s.items.size();
      return line_of(c, "AICB call list, " + counted(c->size(), "section") + ", " + counted(items, "row"));
    }
    case file_format::simai: {
      const auto w = simai::read_workload(text);
      if (!w) return w.why();
      return line_of(w, "SimAI workload, " + w->policy + ", " + counted(w->layers.size(), "layer") +
                            (w->gpus ? ", " + std::to_string(*w->gpus) + " GPUs" : ""));
    }
    case file_format::bus_bandwidth: {
      const auto b = simai::read_bus_bandwidths(text);
      if (!b) return b.why();
      return line_of(b, "SimAI bus bandwidths, " + std::to_string(b->size()) + " of them");
    }
    case file_format::nccl_topology: {
      const auto s = nccl_topology::read_system(text);
      if (!s) return s.why();
      std::string line = "NCCL topology, " + counted(s->cpus.size(), "CPU") + ", " + counted(s->gpus.size(), "GPU") +
                         ", " + counted(s->devices.size(), "PCI device") + ", " +
                         counted(s->nets.size(), "network port");
      if (!s->gpus.empty() && nccl_topology::nvlink_rate(s->gpus[0]) > 0)
        line += ", NVLink " + with_unit(nccl_topology::nvlink_rate(s->gpus[0]), {"GB/s"});
      return line_of(s, std::move(line));
    }
    case file_format::nccl_tuner: {
      const auto r = nccl_tuner::read_rules(text);
      if (!r) return r.why();
      return line_of(r, "NCCL tuner configuration, " + counted(r->size(), "rule"));
    }
    case file_format::nccl_tests: {
      const auto l = nccl_tests::read_log(text);
      if (!l) return l.why();
      std::string calls;
      for (call k : nccl_tests::possible_calls(*l, static_cast<u32>(l->devices.size())))
        calls += (calls.empty() ? ", by its bandwidths " : " or ") + std::string{name(k)};
      return line_of(l, "nccl-tests log, " + counted(l->devices.size(), "rank") + ", " +
                            counted(l->rows.size(), "size") + " up to " + size_text(l->rows.back().bytes) + calls);
    }
    case file_format::nvidia_smi_topology: {
      const auto m = nvidia_smi_topology::read_matrix(text);
      if (!m) return m.why();
      return line_of(m, "nvidia-smi topology, " + counted(m->devices.size(), "device"));
    }
    case file_format::goal: {
      const auto s = goal::read_schedule(text);
      if (!s) return s.why();
      u64 tasks = 0;
      for (const auto& rank : *s) tasks += rank.size();
      return line_of(s, "GOAL schedule, " + counted(s->size(), "rank") + ", " + counted(tasks, "task"));
    }
    case file_format::simgrid_ti: {
      const auto t = simgrid_ti::read_trace(text);
      if (!t) return t.why();
      u64 actions = 0;
      for (const auto& [rank, all] : t->ranks) actions += all.size();
      return line_of(
          t, "SimGrid time-independent trace, " + counted(t->ranks.size(), "rank") + ", " + counted(actions, "action"));
    }
    case file_format::table: {
      csv_style style;
      style.separator = table_separator(text);
      const auto t = parse_csv(text, style);
      if (!t) return t.why();
      return line_of(t, "table, " + counted(t->rows.size(), "row") + ", " + counted(t->header.size(), "column") +
                            " from " + shown(t->header.front(), 40) + " to " + shown(t->header.back(), 40));
    }
    default: break;
  }
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
  return error{"the format is none of those known here (the first line is " + shown(line) +
               "); docs/formats.md lists what is read; give a file of one of them"};
}

}  // namespace detail

/// Recognises and reads an open file. Traces stream by; everything else is read whole, up to 1 GiB.
[[nodiscard]] inline result<std::string> inspection(std::FILE* file) {
  std::string head(std::size_t{1} << 19, '\0');
  const std::size_t n = std::fread(head.data(), 1, head.size(), file);
  if (n == 0 && std::ferror(file) != 0)
    return error{std::string{"the file cannot be read ("} + std::strerror(errno) +
                 "); a readable file is required; give its path"};
  const bool whole = n < head.size();
  head.resize(n);
  file_format format = format_of(head, whole);
  if (const char* why = not_read(format)) return error{why};
  joined_source source{head, whole ? nullptr : file};
  if (format == file_format::kineto) return detail::inspect_kineto(source);
  if (format == file_format::pytorch_et) {
    const auto t = pytorch_et::read_trace(source);
    if (!t) return t.why();
    return detail::line_of(
        t, "PyTorch execution trace, schema " + shown(t->schema, 40) + ", " + detail::counted(t->nodes.size(), "node"));
  }
  const auto text = read_all(source);
  if (!text) return text.why();
  return detail::inspect_text(format, *text);
}

}  // namespace echosim::inline v0
