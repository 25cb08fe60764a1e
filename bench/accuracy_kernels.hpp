// SPDX-License-Identifier: MIT
// Kernels: measured against predicted, row by row and by source, for any table that kernel_rows.hpp knows.
#pragma once
#include <cmath>
#include <cstdio>
#include <map>

#include "echosim/device/roofline.hpp"
#include "echosim/io/json_write.hpp"
#include "echosim/io/text_table.hpp"
#include "kernel_rows.hpp"

namespace bench {

/// The interval that a prediction carries: predicted·[1/spread, spread] holds four of five measurements. Spreads are
/// the 80th percentile of max(ratio, 1/ratio) on bench/data, by kind of kernel.
[[nodiscard]] inline double spread(const kernel_row& r) {
  if (r.first.kind == kernel_kind::gemm) return bits(r.first.type) < 16 ? 1.21 : 1.11;
  return r.first.kind == kernel_kind::attention ? 1.14 : 1.09;
}

struct kernel_result {
  const kernel_row* row = nullptr;
  double predicted = 0, baseline = 0;
};

/// Figures of a set of rows. Errors are predicted/measured − 1.
struct error_figures {
  std::vector<double> errors, baseline;
  std::size_t refused = 0, covered = 0;
  void add(const kernel_result& k) {
    const double ratio = k.predicted / k.row->measured;
    errors.push_back(ratio - 1), baseline.push_back(k.baseline / k.row->measured - 1);
    covered += std::fabs(std::log(ratio)) <= std::log(spread(*k.row)) ? 1 : 0;
  }
  static double mean(const std::vector<double>& v, bool absolute) {
    double sum = 0;
    for (const double x : v) sum += absolute ? std::fabs(x) : x;
    return v.empty() ? 0 : sum / static_cast<double>(v.size());
  }
  [[nodiscard]] double quantile(double q) const {
    std::vector<double> v;
    for (const double x : errors) v.push_back(std::fabs(x));
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[std::min(v.size() - 1, static_cast<std::size_t>(q * static_cast<double>(v.size())))];
  }
  [[nodiscard]] double coverage() const {
    return errors.empty() ? 0 : static_cast<double>(covered) / static_cast<double>(errors.size());
  }
};

/// Rows with less work stand apart: they time launches. Kernels without products count as large.
[[nodiscard]] inline bool is_large(const kernel_row& r) { return work(r) <= 0 || work(r) >= 1e9; }
[[nodiscard]] inline std::string group_of(const kernel_row& r) {
  const kernel_kind k = r.first.kind;
  return std::string{r.part->name} + " " + name(r.first.type) +
         (k == kernel_kind::gemm        ? " gemm"
          : k == kernel_kind::attention ? " attention"
                                        : " norm");
}

/// Predictions of the rows that can be expressed. The baseline runs everything at 0.7 of the dense peak and of the
/// bandwidth.
[[nodiscard]] inline std::vector<kernel_result> predict(const std::vector<kernel_row>& rows) {
  struct key {
    const named_gpu* part;
    fused_library library;
    bool sustained;
    auto operator<=>(const key&) const = default;
  };
  std::map<key, tiled> devices;
  std::vector<kernel_result> out;
  for (const kernel_row& r : rows) {
    if (!r.refused.empty()) continue;
    const key k{r.part, r.library, r.sustained};
    auto d = devices.find(k);
    if (d == devices.end()) {
      const tiled device{r.part->part, rates_for(r)};
      d = devices.emplace(k, r.sustained ? sustained(device) : device).first;
    }
    const roofline constant{r.part->part, 0.7, 0.7};
    out.push_back({&r, predicted(r, d->second, wrapper_costs[static_cast<std::size_t>(r.around)]),
                   seconds(constant.time(r.first)) + seconds(constant.time(r.second))});
  }
  return out;
}

struct kernel_report {
  std::map<std::string, error_figures> sources, groups;
  error_figures large, all;
};
[[nodiscard]] inline kernel_report summarize(const std::vector<kernel_row>& rows,
                                             const std::vector<kernel_result>& results) {
  kernel_report s;
  for (const kernel_result& k : results) {
    s.sources[k.row->source + (is_large(*k.row) ? "" : " below 1e9 FLOP")].add(k);
    s.groups[group_of(*k.row) + (is_large(*k.row) ? "" : " below 1e9 FLOP")].add(k);
    s.all.add(k);
    if (is_large(*k.row)) s.large.add(k);
  }
  for (const kernel_row& r : rows)
    if (!r.refused.empty()) ++s.sources[r.source.empty() ? r.citation : r.source].refused;
  return s;
}

/// One object: sources[], groups[], rows[], refused[]; median_abs_error and p90_abs_error over rows of at least 1e9
/// FLOP.
[[nodiscard]] inline std::string kernels_as_json(const std::vector<kernel_row>& rows,
                                                 const std::vector<kernel_result>& results) {
  const kernel_report s = summarize(rows, results);
  std::string out;
  json_writer json{out, 1};
  const auto figures = [&](const char* label, const std::map<std::string, error_figures>& sets, const char* list) {
    json.key(list).array();
    for (const auto& [key, f] : sets) {
      json.object().member(label, key).member("rows", f.errors.size()).member("refused", f.refused);
      json.member("mean_abs_error", error_figures::mean(f.errors, true)).member("median_abs_error", f.quantile(0.5));
      json.member("p90_abs_error", f.quantile(0.9)).member("bias", error_figures::mean(f.errors, false));
      json.member("baseline_mean_abs_error", error_figures::mean(f.baseline, true))
          .member("coverage", f.coverage())
          .end();
    }
    json.end();
  };
  json.object().member("kind", "kernels").member("baseline", "0.7 of dense peak and of memory bandwidth");
  json.member("rows_total", rows.size()).member("rows_compared", results.size());
  json.member("median_abs_error", s.large.quantile(0.5)).member("p90_abs_error", s.large.quantile(0.9));
  json.member("median_abs_error_all_sizes", s.all.quantile(0.5)).member("p90_abs_error_all_sizes", s.all.quantile(0.9));
  json.member("coverage", s.all.coverage());
  figures("source", s.sources, "sources");
  figures("group", s.groups, "groups");
  json.key("rows").array();
  for (const kernel_result& k : results) {
    json.object()
        .member("row_id", "line " + std::to_string(k.row->line))
        .member("source", k.row->source)
        .member("measured_s", k.row->measured);
    json.member("predicted_s", k.predicted).member("error", k.predicted / k.row->measured - 1);
    json.member("p10_s", k.predicted / spread(*k.row)).member("p90_s", k.predicted * spread(*k.row)).end();
  }
  json.end().key("refused").array();
  for (const kernel_row& r : rows)
    if (!r.refused.empty())
      json.object().member("row_id", "line " + std::to_string(r.line)).member("reason", r.refused).end();
  json.end().end();
  return out + "\n";
}

/// Rows, then sources worst first, then the reasons of refused rows with their counts.
[[nodiscard]] inline std::string kernels_as_text(const std::vector<kernel_row>& rows,
                                                 const std::vector<kernel_result>& results) {
  const auto number = [](const char* format, double x) {
    char text[48];
    std::snprintf(text, sizeof text, format, x);
    return std::string{text};
  };
  std::string out;
  for (const kernel_result& k : results)
    out += "line " + std::to_string(k.row->line) + "  " + k.row->source + "  measured " +
           number("%.2f us", k.row->measured * 1e6) + "  predicted " + number("%.2f us", k.predicted * 1e6) +
           "  error " + number("%+.1f %%", 100 * (k.predicted / k.row->measured - 1)) + "\n";
  const kernel_report s = summarize(rows, results);
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, f] : s.sources) order.emplace_back(-error_figures::mean(f.errors, true), name);
  std::sort(order.begin(), order.end());
  text_table table{
      {"<source", "rows", "refused", "mean", "median", "p90", "bias", "within 80 % interval", "baseline mean"}};
  const auto percent = [&](double x) { return number("%.1f %%", 100 * x); };
  const auto line = [&](const std::string& name, const error_figures& f) {
    table.row({name, std::to_string(f.errors.size()), std::to_string(f.refused),
               percent(error_figures::mean(f.errors, true)), percent(f.quantile(0.5)), percent(f.quantile(0.9)),
               number("%+.1f %%", 100 * error_figures::mean(f.errors, false)), percent(f.coverage()),
               percent(error_figures::mean(f.baseline, true))});
  };
  for (const auto& [error, name] : order) line(name, s.sources.at(name));
  table.rule();
  line("rows of at least 1e9 FLOP", s.large);
  line("all rows", s.all);
  out += "\n" + table.text();
  std::map<std::string, std::size_t> reasons;
  for (const kernel_row& r : rows)
    if (!r.refused.empty()) ++reasons[r.refused];
  for (const auto& [why, n] : reasons) out += "refused " + std::to_string(n) + ": " + why + "\n";
  return out;
}

/// `accuracy kernels FILE.csv [--json]` from a table that is read.
[[nodiscard]] inline std::string kernel_accuracy(const csv& table, bool json) {
  const std::vector<kernel_row> rows = kernel_rows(table);
  const std::vector<kernel_result> results = predict(rows);
  return json ? kernels_as_json(rows, results) : kernels_as_text(rows, results);
}

}  // namespace bench
