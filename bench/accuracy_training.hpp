// SPDX-License-Identifier: MIT
// Training steps: measured against predicted, beside a constant efficiency of 0.45 of dense peak in hardware FLOPs.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "echosim/device/tiled.hpp"
#include "echosim/io/json_write.hpp"
#include "echosim/io/report_text.hpp"
#include "echosim/io/text_table.hpp"
#include "echosim/sim/simulator.hpp"
#include "training_rows.hpp"

namespace bench {

inline constexpr double baseline_efficiency = 0.45;

struct training_result {
  training_row row;
  double predicted = 0, baseline = 0;  ///< s
  [[nodiscard]] double error() const { return predicted / row.measured - 1; }
  [[nodiscard]] double baseline_error() const { return baseline / row.measured - 1; }
};

[[nodiscard]] inline nccl nccl_of(const gpu& g) {
  nccl c;
  if (g.arch == architecture::volta) c.generation = nccl_volta;
  if (g.arch == architecture::ampere || g.arch == architecture::ada) c.generation = nccl_ampere;
  if (g.arch == architecture::blackwell || g.arch == architecture::blackwell_ultra) c.generation = nccl_blackwell;
  return c;
}

[[nodiscard]] inline training_result predict_training(training_row row, workspace& w) {
  training_result r{std::move(row), 0, 0};
  if (!r.row.refused.empty()) return r;
  const simulator sim{sustained(tiled{r.row.part->part}), r.row.net, nccl_of(r.row.part->part), interleaved{}};
  const auto ran = sim.run(r.row.model, r.row.by, w);
  if (!ran) {
    r.row.refused = ran.why().what;
    return r;
  }
  r.predicted = seconds(ran->step);
  r.baseline = ran->hardware.count / (baseline_efficiency * peak(r.row.part->part, r.row.by.type).per_second * static_cast<double>(ran->ranks));
  return r;
}

struct training_figures {
  std::vector<double> errors, baseline;
  std::size_t refused = 0;
  void add(const training_result& r) { errors.push_back(r.error()), baseline.push_back(r.baseline_error()); }
  [[nodiscard]] static double mean_of(const std::vector<double>& v, bool absolute) {
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
};

/// The whole answer, as text or as one JSON object.
[[nodiscard]] inline std::string training_accuracy(const csv& table, bool json) {
  workspace w;
  std::vector<training_result> all;
  std::map<std::string, training_figures> sources;
  training_figures total;
  for (std::size_t i = 0; i != table.rows.size(); ++i) {
    all.push_back(predict_training(training_row_of(table, i), w));
    training_figures& s = sources[all.back().row.source];
    if (!all.back().row.refused.empty()) {
      ++s.refused, ++total.refused;
      continue;
    }
    s.add(all.back()), total.add(all.back());
  }
  std::vector<std::pair<std::string, training_figures>> worst_first{sources.begin(), sources.end()};
  std::stable_sort(worst_first.begin(), worst_first.end(), [](const auto& a, const auto& b) {
    return training_figures::mean_of(a.second.errors, true) > training_figures::mean_of(b.second.errors, true);
  });
  std::string out;
  if (json) {
    json_writer j{out, 1};
    j.object().key("sources").array();
    for (const auto& [source, f] : worst_first) {
      j.object().member("source", std::string_view{source}).member("rows", f.errors.size()).member("refused", f.refused);
      // A source without a row that can be expressed has no error, rather than one of zero.
      const auto figure = [&, any = !f.errors.empty()](const char* called, double x) { any ? j.member(called, x) : j.key(called).null(); };
      figure("mean_abs_error", training_figures::mean_of(f.errors, true));
      figure("p90_abs_error", f.quantile(0.9));
      figure("bias", training_figures::mean_of(f.errors, false));
      figure("baseline_mean_abs_error", training_figures::mean_of(f.baseline, true));
      j.end();
    }
    j.end();
    const auto over_all = [&](const char* called, double q) { total.errors.empty() ? j.key(called).null() : j.member(called, total.quantile(q)); };
    over_all("median_abs_error", 0.5);
    over_all("p90_abs_error", 0.9);
    j.key("rows").array();
    for (const training_result& r : all)
      if (r.row.refused.empty())
        j.object().member("row_id", std::string_view{r.row.id}).member("source", std::string_view{r.row.source}).member("measured_s", r.row.measured).member("predicted_s", r.predicted).member("error", r.error()).end();
    j.end().key("refused").array();
    for (const training_result& r : all)
      if (!r.row.refused.empty()) j.object().member("row_id", std::string_view{r.row.id}).member("reason", std::string_view{r.row.refused}).end();
    j.end().end();
    return out + "\n";
  }
  const auto percent = [](double x, std::size_t of = 1) { return of == 0 ? std::string{"-"} : fixed(100 * x, 1) + " %"; };
  text_table rows{{"<row", "<source", "measured s", "predicted s", "error", "constant"}};
  for (const training_result& r : all)
    if (r.row.refused.empty()) rows.row({r.row.id, r.row.source, fixed(r.row.measured, 3), fixed(r.predicted, 3), percent(r.error()), percent(r.baseline_error())});
  out += rows.text();
  std::map<std::string, std::size_t> reasons;
  for (const training_result& r : all)
    if (!r.row.refused.empty()) ++reasons[r.row.source + ": " + r.row.refused];
  if (!reasons.empty()) out += "\nrefused\n";
  for (const auto& [why, n] : reasons) out += std::to_string(n) + " x " + why + "\n";
  out += "\nby source, worst first\n";
  text_table s{{"<source", "rows", "refused", "mean |error|", "p90 |error|", "bias", "constant 0.45"}};
  for (const auto& [source, f] : worst_first)
    s.row({source, std::to_string(f.errors.size()), std::to_string(f.refused), percent(training_figures::mean_of(f.errors, true), f.errors.size()), percent(f.quantile(0.9), f.errors.size()),
           percent(training_figures::mean_of(f.errors, false), f.errors.size()), percent(training_figures::mean_of(f.baseline, true), f.errors.size())});
  const std::size_t n = total.errors.size();
  s.rule().row({"all", std::to_string(n), std::to_string(total.refused), percent(training_figures::mean_of(total.errors, true), n), percent(total.quantile(0.9), n),
                percent(training_figures::mean_of(total.errors, false), n), percent(training_figures::mean_of(total.baseline, true), n)});
  return out + s.text();
}

}  // namespace bench
