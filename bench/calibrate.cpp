// SPDX-License-Identifier: MIT
// Makes the constants of device/rates.hpp and benchmark_wrapper.hpp from tables of kernels and prints them as they
// stand there. `calibrate [--without GPU]… [--rows] [--check] FILE.csv…`: leaves a part out and judges the constants on
// it; names the rows used; fails where the headers differ. The headers' constants come from bench/data/*.csv.
// Build: g++ -std=c++20 -O2 -Iinclude bench/calibrate.cpp -o calibrate
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "kernel_rows.hpp"

namespace {
using namespace bench;

struct fused {
  double products = 0.7, block = 5000, products_backward = 0.6, block_backward = 20000;
};
/// One value of everything that is calibrated, at the start of the search: peaks and bandwidths at nine tenths or so,
/// one exponential unit of 16 lanes (1/16 cycle a score), launches of 2 or 3 us.
struct constants {
  double pipe = 0.95, per_joule = 1e12, launch = 2e-6, split = 3e-6, path = 48, path_growth = 0.7;
  double older_cycles = 4000, older_epilogue = 1, quantisation = 0.1, newer_cycles = 400, newer_epilogue = 2;
  double traffic_ampere = 0.9, traffic_hopper = 0.9, traffic_blackwell = 0.9, narrow_hopper = 0.9,
         narrow_blackwell = 0.9;
  double score = 0.0625, score_backward = 0.0625, tail = 0.5, fused_launch = 3e-6;
  fused flash2_ampere{}, own_ampere{}, flash2_hopper{}, flash3_hopper{}, own_hopper{}, own_2024{}, own_blackwell{};
  double rows = 0.9, rows_backward = 0.9, columns = 3e-6, rows_launch = 3e-6;
  std::array<wrapper_cost, wrappers> around{};
};

kernel_rates rates_of(const constants& c, architecture a, fused_library library) {
  kernel_rates r = kernel_rates_of(a);
  const bool older = a < architecture::hopper;
  gemm_rates& g = r.gemm;
  g.pipe = c.pipe, g.per_joule = c.per_joule, g.launch = c.launch, g.split = c.split;
  g.quantisation = older ? 1 : c.quantisation;
  g.tile_cycles = older ? c.older_cycles : c.newer_cycles, g.epilogue = older ? c.older_epilogue : c.newer_epilogue;
  const double width = a < architecture::hopper ? 2048 : a == architecture::hopper ? 4096 : 8192;
  g.operand_path = c.path * std::pow(width / 2048, c.path_growth);
  g.traffic = older ? c.traffic_ampere : a == architecture::hopper ? c.traffic_hopper : c.traffic_blackwell;
  g.narrow = a == architecture::hopper ? c.narrow_hopper : c.narrow_blackwell;
  const auto set = [&](attention_backend b, const fused& f) {
    r.attention[static_cast<u32>(b)] = {f.products,       c.score,          f.block, f.products_backward,
                                        c.score_backward, f.block_backward, c.tail,  c.fused_launch};
  };
  set(attention_backend::flash2, older ? c.flash2_ampere : c.flash2_hopper);
  set(attention_backend::flash3, older ? c.flash2_ampere : c.flash3_hopper);
  const bool newest = library == fused_library::as_backend;
  set(attention_backend::cudnn, older                       ? c.own_ampere
                                : a != architecture::hopper ? c.own_blackwell
                                : newest                    ? c.own_hopper
                                                            : c.own_2024);
  r.stream.rows = c.rows, r.stream.rows_backward = c.rows_backward, r.stream.columns = c.columns,
  r.stream.launch = c.rows_launch;
  return r;
}

using row_list = std::vector<const kernel_row*>;
using sources_of_rows = std::map<std::string, row_list>;

/// ln(predicted / measured) of each row.
std::vector<double> residuals(const constants& c, const row_list& rows) {
  std::map<std::pair<const named_gpu*, fused_library>, tiled> devices;
  std::vector<double> out;
  out.reserve(rows.size());
  for (const kernel_row* r : rows) {
    auto d = devices.find({r->part, r->library});
    if (d == devices.end())
      d = devices
              .emplace(std::pair{r->part, r->library},
                       tiled{r->part->part, rates_of(c, r->part->part.arch, r->library)})
              .first;
    out.push_back(std::log(predicted(*r, d->second, c.around[static_cast<std::size_t>(r->around)]) / r->measured));
  }
  return out;
}
double quantile(std::vector<double> v, double q) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, static_cast<std::size_t>(q * static_cast<double>(v.size())))];
}

/// By source, so that a long table has no more say than a short one: mean of |ln ratio|, capped at 0.5, plus 0.3 of its
/// 90th percentile.
double loss(const constants& c, const sources_of_rows& sources) {
  double sum = 0;
  for (const auto& [name, rows] : sources) {
    std::vector<double> e = residuals(c, rows);
    double mean = 0;
    for (double& x : e) x = std::fabs(x), mean += std::fmin(x, 0.5);
    sum += mean / static_cast<double>(e.size()) + 0.3 * quantile(e, 0.9);
  }
  return sources.empty() ? 0 : sum / static_cast<double>(sources.size());
}

struct dial {
  std::function<double*(constants&)> at;
  double most = 1e30;
};
/// Numbers from 0 to 1 that depend on nothing but how many were asked for (splitmix64).
struct sequence {
  u64 state = 1;
  double operator()() {
    u64 z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
};

/// Turns one to three constants at a time by random factors and keeps what helps. The factors shrink after failures and
/// grow after successes, so that about one step in five succeeds (Rechenberg 1973); when they are small, they start
/// anew. A pull of 1e-4 per unit of logarithm keeps constants that no row determines where they are.
void search(constants& c, const sources_of_rows& sources, const std::vector<dial>& dials) {
  if (sources.empty()) return;
  constants start = c;
  const auto cost = [&](constants& x) {
    double pull = 0;
    for (const dial& d : dials) pull += std::fabs(std::log(*d.at(x) / *d.at(start)));
    return loss(x, sources) + 1e-4 * pull;
  };
  sequence random;
  double best = cost(c), width = 0.3;
  for (int i = 0; i != 30'000; ++i) {
    constants next = c;
    const int turned = 1 + static_cast<int>(3 * random());
    for (int t = 0; t != turned; ++t) {
      const dial& d = dials[static_cast<std::size_t>(random() * static_cast<double>(dials.size()))];
      double* x = d.at(next);
      *x = std::fmin(*x * std::exp(width * (random() + random() + random() + random() - 2)), d.most);
    }
    const double now = cost(next);
    width = std::fmin(0.5, width * (now < best ? 1.3 : 0.96));
    if (now < best) best = now, c = next;
    if (width < 2e-3) width = 0.3;
  }
  std::printf("// loss %.4f\n", best);
}

template <class F>
sources_of_rows select(const std::vector<kernel_row>& rows, F&& wanted) {
  sources_of_rows out;
  for (const kernel_row& r : rows)
    if (r.refused.empty() && wanted(r)) out[r.source].push_back(&r);
  return out;
}

void print_errors(const char* title, const constants& c, const sources_of_rows& sources) {
  std::printf("// %s\n", title);
  for (const auto& [name, rows] : sources) {
    std::vector<double> e = residuals(c, rows), absolute;
    for (const double x : e) absolute.push_back(std::fabs(std::exp(x) - 1));
    std::printf("//   %-64s %6zu rows  median %5.1f %%  p90 %5.1f %%  bias %+5.1f %%\n", name.c_str(), rows.size(),
                100 * quantile(absolute, 0.5), 100 * quantile(absolute, 0.9), 100 * (std::exp(quantile(e, 0.5)) - 1));
  }
}
void print_fused(const char* name, const constants& c, const fused& f) {
  std::printf(
      "%s: {.products = %.3g, .score = %.3g, .block = %.3g, .products_backward = %.3g, .score_backward = %.3g, "
      ".block_backward = %.3g, .tail = %.3g, .launch = %.3g}\n",
      name, f.products, c.score, f.block, f.products_backward, c.score_backward, f.block_backward, c.tail,
      c.fused_launch);
}

/// The rows that constants are made from.
struct selection {
  sources_of_rows products, narrow, attention, norms;
};
template <class F>
selection selected(const std::vector<kernel_row>& all, F&& plain) {
  const auto products = [&](const kernel_row& r) {
    return plain(r) && r.first.kind == kernel_kind::gemm && r.first.type == dtype::bf16 && r.first.work.count >= 1e9;
  };
  const auto narrow = [&](const kernel_row& r) {
    return plain(r) && (r.around == wrapper::vllm_fp8 || r.around == wrapper::vllm_fp8_block);
  };
  const auto attention = [&](const kernel_row& r) {
    return plain(r) && r.first.kind == kernel_kind::attention && r.first.type == dtype::bf16;
  };
  const auto norms = [&](const kernel_row& r) {
    return plain(r) && r.first.kind == kernel_kind::norm && r.source.find("cudnn") != std::string::npos;
  };
  return {select(all, products), select(all, narrow), select(all, attention), select(all, norms)};
}

constants calibrated(const selection& use) {
  constants c;
  c.around[static_cast<std::size_t>(wrapper::vllm_fp8)] = {1, 1e-5, 0, 0, 1.1, 0, 0, 1};
  c.around[static_cast<std::size_t>(wrapper::vllm_fp8_block)] = {1, 1e-5, 0, 0, 1.1, 1e-4, 1e-4, 1.1};
  for (const wrapper w : {wrapper::vllm_attention, wrapper::sglang_attention, wrapper::trtllm_attention})
    c.around[static_cast<std::size_t>(w)] = {0, 1e-5, 1, 1, 1, 0, 0, 1};
  const auto on = [](auto member) { return dial{[member](constants& x) { return &(x.*member); }}; };
  const auto share = [](auto member) { return dial{[member](constants& x) { return &(x.*member); }, 1}; };
  const auto inside = [](auto member, auto field, double most = 1e30) {
    return dial{[member, field](constants& x) { return &((x.*member).*field); }, most};
  };
  const auto wrapped = [](wrapper w, double wrapper_cost::*field) {
    return dial{[w, field](constants& x) { return &(x.around[static_cast<std::size_t>(w)].*field); }};
  };
  using k = constants;
  search(c, use.products,
         {share(&k::pipe), on(&k::per_joule), on(&k::launch), on(&k::split), on(&k::path), on(&k::path_growth),
          on(&k::older_cycles), on(&k::older_epilogue), share(&k::quantisation), on(&k::newer_cycles),
          on(&k::newer_epilogue), share(&k::traffic_ampere), share(&k::traffic_hopper), share(&k::traffic_blackwell)});
  // An architecture without rows takes what its neighbours have.
  const auto seen = [&](architecture a) {
    return std::any_of(use.products.begin(), use.products.end(),
                       [&](const auto& source) { return source.second.front()->part->part.arch == a; });
  };
  const bool ampere = seen(architecture::ampere), hopper = seen(architecture::hopper),
             blackwell = seen(architecture::blackwell);
  if (!blackwell) c.traffic_blackwell = (c.traffic_ampere + c.traffic_hopper) / 2;
  if (!hopper) c.traffic_hopper = (c.traffic_ampere + c.traffic_blackwell) / 2;
  if (!ampere)
    c.traffic_ampere = c.traffic_hopper, c.older_cycles = c.newer_cycles, c.older_epilogue = c.newer_epilogue;
  search(
      c, use.narrow,
      {share(&k::narrow_hopper), share(&k::narrow_blackwell), wrapped(wrapper::vllm_fp8, &wrapper_cost::cast),
       wrapped(wrapper::vllm_fp8, &wrapper_cost::launch), wrapped(wrapper::vllm_fp8, &wrapper_cost::odd),
       wrapped(wrapper::vllm_fp8_block, &wrapper_cost::cast), wrapped(wrapper::vllm_fp8_block, &wrapper_cost::launch),
       wrapped(wrapper::vllm_fp8_block, &wrapper_cost::odd), wrapped(wrapper::vllm_fp8_block, &wrapper_cost::host),
       wrapped(wrapper::vllm_fp8_block, &wrapper_cost::host_blackwell),
       wrapped(wrapper::vllm_fp8_block, &wrapper_cost::host_odd)});
  std::vector<dial> dials{on(&k::score), on(&k::score_backward), on(&k::tail), on(&k::fused_launch)};
  for (fused k::*const f : {&k::flash2_ampere, &k::own_ampere, &k::flash2_hopper, &k::flash3_hopper, &k::own_hopper,
                            &k::own_2024, &k::own_blackwell})
    for (double fused::*const m : {&fused::products, &fused::block, &fused::products_backward, &fused::block_backward})
      dials.push_back(inside(f, m, m == &fused::products || m == &fused::products_backward ? 1.0 : 1e30));
  for (const wrapper w : {wrapper::vllm_attention, wrapper::sglang_attention, wrapper::trtllm_attention})
    for (double wrapper_cost::*const m : {&wrapper_cost::launch, &wrapper_cost::queries, &wrapper_cost::keys})
      dials.push_back(wrapped(w, m));
  search(c, use.attention, dials);
  if (!blackwell) c.narrow_blackwell = c.narrow_hopper, c.own_blackwell = c.own_2024;
  if (!hopper)
    c.narrow_hopper = c.narrow_blackwell, c.flash3_hopper = c.own_hopper = c.own_2024 = c.own_blackwell,
    c.flash2_hopper = c.flash2_ampere;
  if (!ampere) c.flash2_ampere = c.flash3_hopper, c.own_ampere = c.own_2024;
  search(c, use.norms, {share(&k::rows), share(&k::rows_backward), on(&k::columns), on(&k::rows_launch)});

  return c;
}

void print_constants(const constants& c) {
  std::printf("// gemm_rates\n");
  for (const auto& [name, a] : {std::pair{"ampere", architecture::ampere}, std::pair{"hopper", architecture::hopper},
                                std::pair{"blackwell", architecture::blackwell}}) {
    const gemm_rates g = rates_of(c, a, fused_library::as_backend).gemm;
    std::printf(
        "%s: {.pipe = %.3g, .narrow = %.3g, .per_joule = %.3g, .quantisation = %.3g, .tile_cycles = %.3g, .epilogue = "
        "%.3g, .operand_path = %.3g, .traffic = %.3g, .launch = %.3g, .split = %.3g}\n",
        name, g.pipe, g.narrow, g.per_joule, g.quantisation, g.tile_cycles, g.epilogue, g.operand_path, g.traffic,
        g.launch, g.split);
  }
  std::printf("// operand_path = %.3g * (FLOP per cycle and multiprocessor / 2048)^%.3g\n// attention_rates\n", c.path,
              c.path_growth);
  print_fused("ampere flash2", c, c.flash2_ampere), print_fused("ampere tensorrt_llm", c, c.own_ampere),
      print_fused("hopper flash2", c, c.flash2_hopper);
  print_fused("hopper flash3", c, c.flash3_hopper), print_fused("hopper cudnn", c, c.own_hopper),
      print_fused("hopper cudnn_2024 and tensorrt_llm", c, c.own_2024);
  print_fused("blackwell tensorrt_llm", c, c.own_blackwell);
  std::printf(
      "// stream_rates\n{.rows = %.3g, .rows_backward = %.3g, .columns = %.3g, .launch = %.3g}\n// wrapper_costs\n",
      c.rows, c.rows_backward, c.columns, c.rows_launch);
  for (const wrapper_cost& w : c.around)
    std::printf("{%.3g, %.3g, %.3g, %.3g, %.3g, %.3g, %.3g, %.3g},\n", w.cast, w.launch, w.queries, w.keys, w.odd,
                w.host, w.host_blackwell, w.host_odd);
}

/// Whether the headers hold these constants; those that differ by more than 2 % are named.
bool same_as_headers(const constants& c) {
  bool same = true;
  const auto compare = [&](const char* what, double header, double made) {
    if (std::fabs(header - made) <= 0.02 * std::fabs(made)) return;
    same = false;
    std::printf("// differs: %s is %.3g in the headers, %.3g here\n", what, header, made);
  };
  for (const architecture a : {architecture::ampere, architecture::hopper, architecture::blackwell}) {
    const gemm_rates h = gemm_rates_of(a), m = rates_of(c, a, fused_library::as_backend).gemm;
    compare("pipe", h.pipe, m.pipe), compare("per_joule", h.per_joule, m.per_joule), compare("split", h.split, m.split);
    compare("quantisation", h.quantisation, m.quantisation), compare("tile_cycles", h.tile_cycles, m.tile_cycles);
    compare("epilogue", h.epilogue, m.epilogue), compare("operand_path", h.operand_path, m.operand_path);
    compare("traffic", h.traffic, m.traffic), compare("launch", h.launch, m.launch);
    if (a != architecture::ampere) compare("narrow", h.narrow, m.narrow);
  }
  const auto fused_in = [&](const char* what, const attention_rates& h, const fused& m, bool backward) {
    compare(what, h.products, m.products), compare(what, h.block, m.block), compare(what, h.score, c.score);
    compare(what, h.tail, c.tail), compare(what, h.launch, c.fused_launch);
    if (!backward) return;
    compare(what, h.products_backward, m.products_backward), compare(what, h.block_backward, m.block_backward);
    compare(what, h.score_backward, c.score_backward);
  };
  using b = attention_backend;
  fused_in("ampere flash2", attention_rates_of(architecture::ampere, b::flash2), c.flash2_ampere, true);
  fused_in("hopper flash2", attention_rates_of(architecture::hopper, b::flash2), c.flash2_hopper, true);
  fused_in("hopper flash3", attention_rates_of(architecture::hopper, b::flash3), c.flash3_hopper, true);
  fused_in("hopper cudnn", attention_rates_of(architecture::hopper, b::cudnn), c.own_hopper, true);
  fused_in("hopper cudnn_2024", cudnn_2024(), c.own_2024, true);
  fused_in("ampere tensorrt_llm", tensorrt_llm(architecture::ampere), c.own_ampere, false);
  fused_in("blackwell tensorrt_llm", tensorrt_llm(architecture::blackwell), c.own_blackwell, false);
  const stream_rates h = stream_rates_of(architecture::hopper);
  compare("rows", h.rows, c.rows), compare("rows_backward", h.rows_backward, c.rows_backward);
  compare("columns", h.columns, c.columns), compare("stream launch", h.launch, c.rows_launch);
  for (std::size_t i = 0; i != wrappers; ++i) {
    const wrapper_cost &x = wrapper_costs[i], &y = c.around[i];
    compare("wrapper cast", x.cast, y.cast), compare("wrapper launch", x.launch, y.launch);
    compare("wrapper queries", x.queries, y.queries), compare("wrapper keys", x.keys, y.keys);
    compare("wrapper odd", x.odd, y.odd), compare("wrapper host", x.host, y.host);
    compare("wrapper host_blackwell", x.host_blackwell, y.host_blackwell),
        compare("wrapper host_odd", x.host_odd, y.host_odd);
  }
  return same;
}

void print_rows(const sources_of_rows& sources) {
  for (const auto& [name, rows] : sources) {
    std::printf("// uses %s (%s), lines", name.c_str(), rows.front()->citation.c_str());
    for (const kernel_row* r : rows) std::printf(" %llu", static_cast<unsigned long long>(r->line));
    std::printf("\n");
  }
}
}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> without, files;
  bool lists_rows = false, checks = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word{argv[i]};
    if (word == "--without" && i + 1 < argc) {
      without.emplace_back(argv[++i]);
      if (find_gpu(without.back()) != nullptr) continue;
      std::fprintf(stderr, "calibrate: --without %s; a part of the catalog is required; see device/catalog.hpp\n",
                   argv[i]);
      return 2;
    }
    if (word == "--rows")
      lists_rows = true;
    else if (word == "--check")
      checks = true;
    else
      files.push_back(word);
  }
  if (files.empty()) {
    std::fputs("calibrate: no table was given; at least one is required; give bench/data/*.csv\n", stderr);
    return 2;
  }
  std::vector<kernel_row> all;
  for (const std::string_view file : files) {
    std::ifstream in{std::string{file}, std::ios::binary};
    std::stringstream text;
    text << in.rdbuf();
    const result<csv> table = parse_csv(text.str());
    if (!in || !table) {
      std::fprintf(stderr, "calibrate: %s: %s\n", std::string{file}.c_str(),
                   in ? table.why().what.c_str() : "cannot be read; a readable file is required; check the path");
      return 2;
    }
    if (kernel_table_of(*table) == kernel_table::none) {
      std::fprintf(stderr, "calibrate: %s: no table of kernels has this header; see bench/kernel_rows.hpp\n",
                   std::string{file}.c_str());
      return 2;
    }
    for (kernel_row& r : kernel_rows(*table)) all.push_back(std::move(r));
  }
  const auto left_out = [&](const kernel_row& r) {
    return r.part != nullptr && std::any_of(without.begin(), without.end(),
                                            [&](std::string_view w) { return find_gpu(w)->part == r.part->part; });
  };
  const selection use = selected(all, [&](const kernel_row& r) { return !left_out(r) && !r.sustained; });
  if (lists_rows) print_rows(use.products), print_rows(use.narrow), print_rows(use.attention), print_rows(use.norms);
  const constants c = calibrated(use);
  print_constants(c);
  print_errors("products, calibrated", c, use.products), print_errors("narrow products, calibrated", c, use.narrow);
  print_errors("attention, calibrated", c, use.attention), print_errors("norms, calibrated", c, use.norms);
  if (!without.empty())
    print_errors("left out", c, select(all, [&](const kernel_row& r) { return left_out(r) && !r.sustained; }));
  return checks && !same_as_headers(c) ? 1 : 0;
}
