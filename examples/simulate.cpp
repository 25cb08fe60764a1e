// SPDX-License-Identifier: MIT
// The main job: how one training step runs. Without arguments, GPT-175B on 12 nodes of 8 H800; --help lists what a scenario
// may say.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "echosim/device/catalog.hpp"
#include "echosim/device/tiled.hpp"
#include "echosim/interconnect/catalog.hpp"
#include "echosim/io/hugging_face.hpp"
#include "echosim/io/report_json.hpp"
#include "echosim/io/report_text.hpp"
#include "echosim/io/timeline_trace.hpp"
#include "echosim/model/catalog.hpp"
#include "echosim/schedule/gpipe.hpp"
#include "echosim/schedule/interleaved.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

namespace {

constexpr const char* usage =
    "simulate [--model NAME | --config FILE] [--cluster NAME] [--nodes N] [--gpu NAME]\n"
    "  --tp N --pp N --vpp N --dp N             degrees (dp: what the nodes leave)\n"
    "  --sequence N --micro-batch N --micro-batches N | --global-batch N\n"
    "  --dtype fp32|fp16|bf16|fp8               format of GEMMs\n"
    "  --sequence-parallel on|off --recompute none|selective|full --zero 0|1|2|3\n"
    "  --overlap-gradients on|off --overlap-parameters on|off\n"
    "  --layout 8,8,7,7                         layers of each virtual stage, in model order\n"
    "  --schedule 1f1b|gpipe                    1f1b interleaves where vpp > 1\n"
    "  --attention unfused|flash2|flash3|cudnn\n"
    "  --json  --unfolded  --trace FILE         one JSON object; every rank; a timeline for Perfetto\n"
    "  --memory-limit GIB                       of the simulation itself (16)\n";

struct scenario {
  std::string model_name = "gpt-175b", config, cluster = "h800", gpu, trace, schedule = "1f1b";
  i64 nodes = 0, micro_batches = 0;
  bool json = false, unfolded = false, dp_given = false;
  transformer model{};
  plan by{};
  std::vector<u32> layout;
  bytes memory_limit{i64{16} << 30};
};

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "simulate: %s\n", why.c_str());
  std::exit(1);
}

i64 whole(std::string_view option, std::string_view text) {
  i64 n = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (wrong != std::errc{} || end != text.data() + text.size() || n < 0) fail(std::string{option} + " was given " + std::string{text} + "; it takes a whole number that is not negative; see --help");
  return n;
}
u32 degree(std::string_view option, std::string_view text) {
  const i64 n = whole(option, text);
  if (n > 0xffff'ffff) fail(std::string{option} + " was given " + std::string{text} + "; degrees are below 2^32; give a smaller one");
  return static_cast<u32>(n);
}
template <class T>
T choice(std::string_view option, std::string_view text, std::initializer_list<std::pair<std::string_view, T>> of) {
  std::string known;
  for (const auto& [name, value] : of) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string{name};
  }
  fail(std::string{option} + " was given " + std::string{text} + "; it takes one of " + known);
}

scenario parse(int count, char** words) {
  scenario s;
  plan& p = s.by;
  p.tp = 8, p.pp = 12, p.global_batch = 96;
  p.sequence_parallel = true, p.recomputes = recompute::selective, p.shards = sharding::optimizer;
  bool batch_given = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view o = words[i];
    if (o == "--help") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    if (o == "--json") { s.json = true; continue; }
    if (o == "--unfolded") { s.unfolded = true; continue; }
    if (i + 1 == count) fail("the last argument is " + std::string{o} + "; an option takes a value, or there is none of that name; see --help");
    const std::string_view v = words[++i];
    const auto on = [&] { return choice<bool>(o, v, {{"on", true}, {"off", false}}); };
    if (o == "--model") s.model_name = v;
    else if (o == "--config") s.config = v;
    else if (o == "--cluster") s.cluster = v;
    else if (o == "--gpu") s.gpu = v;
    else if (o == "--nodes") s.nodes = whole(o, v), s.nodes == 0 ? fail("--nodes was given 0; a cluster has at least 1; give a count") : void();
    else if (o == "--tp") p.tp = degree(o, v);
    else if (o == "--pp") p.pp = degree(o, v);
    else if (o == "--vpp") p.vpp = degree(o, v);
    else if (o == "--dp") p.dp = degree(o, v), s.dp_given = true;
    else if (o == "--sequence") p.sequence = whole(o, v);
    else if (o == "--micro-batch") p.micro_batch = whole(o, v);
    else if (o == "--micro-batches") s.micro_batches = whole(o, v), s.micro_batches == 0 ? fail("--micro-batches was given 0; a step runs at least 1; give a count") : void();
    else if (o == "--global-batch") p.global_batch = whole(o, v), batch_given = true;
    else if (o == "--dtype") p.type = choice<dtype>(o, v, {{"fp32", dtype::fp32}, {"tf32", dtype::tf32}, {"fp16", dtype::fp16}, {"bf16", dtype::bf16}, {"fp8", dtype::fp8}});
    else if (o == "--sequence-parallel") p.sequence_parallel = on();
    else if (o == "--recompute") p.recomputes = choice<recompute>(o, v, {{"none", recompute::none}, {"selective", recompute::selective}, {"full", recompute::full}});
    else if (o == "--zero") p.shards = choice<sharding>(o, v, {{"0", sharding::none}, {"1", sharding::optimizer}, {"2", sharding::gradients}, {"3", sharding::parameters}});
    else if (o == "--overlap-gradients") p.overlap_gradients = on();
    else if (o == "--overlap-parameters") p.overlap_parameters = on();
    else if (o == "--schedule") s.schedule = choice<const char*>(o, v, {{"1f1b", "1f1b"}, {"gpipe", "gpipe"}});
    else if (o == "--attention") p.behaves.attention = choice<attention_backend>(o, v, {{"unfused", attention_backend::unfused}, {"flash2", attention_backend::flash2}, {"flash3", attention_backend::flash3}, {"cudnn", attention_backend::cudnn}});
    else if (o == "--trace") s.trace = v;
    else if (o == "--memory-limit") s.memory_limit = {std::min<i64>(whole(o, v), 1 << 20) << 30};
    else if (o == "--layout") {
      for (std::size_t at = 0; at <= v.size();) {
        const std::size_t end = std::min(v.find(',', at), v.size());
        s.layout.push_back(degree(o, v.substr(at, end - at)));
        at = end + 1;
      }
    } else fail(std::string{o} + " is no option; see --help");
  }
  p.layout = s.layout;

  if (!s.config.empty()) {
    std::ifstream in{s.config, std::ios::binary};
    if (!in) fail("cannot open " + s.config + "; --config takes the config.json of a Hugging Face model");
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    auto m = hugging_face::read_config(text);
    if (!m) fail(s.config + ": " + m.why().what);
    for (const std::string& n : m.notes()) std::fprintf(stderr, "simulate: %s\n", n.c_str());
    s.model = *m, s.model_name = s.config;
  } else if (const named_model* m = find_model(s.model_name)) {
    s.model = m->is;
    p.behaves.dropout = m->dropout;
  } else {
    fail("the model " + s.model_name + " is not in the catalog; known are " + model_names() + "; name one, or give --config");
  }
  const named_node* node = find_node(s.cluster);
  if (node == nullptr) {
    std::string known;
    for (const named_node& n : nodes) known += (known.empty() ? "" : ", ") + std::string{n.name};
    fail("the cluster " + s.cluster + " is not in the catalog; known are " + known);
  }
  if (s.gpu.empty()) s.gpu = node->gpu;
  if (p.tp == 0 || p.pp == 0 || p.vpp == 0 || p.dp == 0 || p.micro_batch == 0) return s;  // check() names it
  const u64 model_ranks = u64{p.tp} * p.pp;
  if (!s.dp_given && s.nodes > 0) p.dp = static_cast<u32>(std::clamp<u64>(static_cast<u64>(s.nodes) * node->gpus / model_ranks, 1, 0xffff'ffff));
  if (s.nodes == 0) s.nodes = static_cast<i64>((model_ranks * p.dp + node->gpus - 1) / node->gpus);
  const i64 micros = s.micro_batches > 0 ? s.micro_batches : 96;
  if (!batch_given) {
    const i64 each = detail::capped_product(p.micro_batch, p.dp);
    p.global_batch = detail::capped_product(micros, each);
  }
  return s;
}

nccl collective_of(const gpu& g) {
  nccl c;
  switch (g.arch) {
    case architecture::volta: c.generation = nccl_volta; break;
    case architecture::ampere: case architecture::ada: c.generation = nccl_ampere; break;
    case architecture::blackwell: case architecture::blackwell_ultra: c.generation = nccl_blackwell; break;
    case architecture::cdna2: case architecture::cdna3: case architecture::cdna4:
      std::fputs("simulate: RCCL is priced by NCCL's form and Ampere's rates\n", stderr);
      c.generation = nccl_ampere;
      break;
    case architecture::hopper: case architecture::blackwell_workstation: break;
  }
  return c;
}

template <class Schedule>
int simulate(const scenario& s, const named_node& node, const gpu& g, Schedule schedule) {
  const plan& p = s.by;
  const verdict v = check(s.model, p, schedule, limits{s.nodes * node.gpus, node.net.per_domain, g.memory});
  for (const finding& f : v) {
    if (f.level == severity::error && f.what != rule::memory) fail(text(f));
    std::fprintf(stderr, "simulate: %s\n", text(f).c_str());
  }
  if (!computes(g, p.type)) fail("the plan computes in " + std::string{name(p.type)} + "; " + s.gpu + " has no unit for it; choose another --dtype");

  const simulator sim{sustained(tiled{g}), node.net, collective_of(g), schedule};
  workspace w;
  w.memory_limit = s.memory_limit;
  const resolution fine = s.unfolded ? resolution::ranks : resolution::blocks;
  const auto timed = [&](double& seconds_taken) {
    const auto begin = std::chrono::steady_clock::now();
    auto r = sim.run(s.model, p, w, fine);
    seconds_taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return r;
  };
  // The first run of a process pays for its memory pages; a search over plans reuses the workspace, as the others do.
  double first = 0, took = 0;
  auto r = timed(first);
  if (!r) fail(r.why().what);
  took = first;
  for (int again = 0; again != (s.unfolded ? 0 : 4); ++again) {
    double t = 0;
    r = timed(t);
    took = std::min(took, t);
  }
  const flop_rate dense = peak(g, p.type);

  if (s.json) {
    std::string out;
    json_writer j{out, 1};
    j.object();
    j.member("model", std::string_view{s.model_name}).member("cluster", std::string_view{s.cluster}).member("gpu", std::string_view{s.gpu}).member("nodes", s.nodes);
    j.member("tp", p.tp).member("pp", p.pp).member("vpp", p.vpp).member("dp", p.dp).member("global_batch", p.global_batch).member("micro_batches", micro_batches(p));
    j.member("fits", v.find(rule::memory) == nullptr).member("simulation_s", took).member("first_simulation_s", first);
    write_members(j, *r, dense);
    j.end();
    std::puts(out.c_str());
  } else {
    std::printf("%s on %lld nodes of %u %s (%s): TP %u, PP %u, VPP %u, DP %u; %lld micro-batches of %lld x %lld tokens, %s\n\n", s.model_name.c_str(),
                static_cast<long long>(s.nodes), node.gpus, s.gpu.c_str(), s.cluster.c_str(), p.tp, p.pp, p.vpp, p.dp, static_cast<long long>(micro_batches(p)),
                static_cast<long long>(p.micro_batch), static_cast<long long>(p.sequence), name(p.type));
    std::fputs(text(*r, dense, g.memory).c_str(), stdout);
    std::fprintf(stderr, "simulate: built, priced and run in %.3f ms (the first time in %.3f ms)\n", took * 1e3, first * 1e3);
  }
  if (!s.trace.empty()) {
    auto program = sim.lowered(s.model, p, w, s.unfolded ? resolution::ranks : resolution::classes);
    if (!program) fail(program.why().what);
    if (const auto ran = sim.run(*program, w); !ran) fail(ran.why().what);
    std::FILE* file = std::fopen(s.trace.c_str(), "wb");
    if (file == nullptr) fail("cannot write " + s.trace + "; --trace takes a path in a folder that exists");
    trace_writer out{file};
    write_timeline(out, *program, w);
    const bool written = out.close();
    if (std::fclose(file) != 0 || !written) fail("writing " + s.trace + " failed; the disk may be full");
    std::fprintf(stderr, "simulate: timeline written to %s; open it in ui.perfetto.dev\n", s.trace.c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const scenario s = parse(count, words);
  const named_node* node = find_node(s.cluster);
  const named_gpu* g = find_gpu(s.gpu);
  if (g == nullptr) {
    std::string known;
    for (const named_gpu& k : gpus) known += (known.empty() ? "" : ", ") + std::string{k.name};
    fail("the GPU " + s.gpu + " is not in the catalog; known are " + known);
  }
  return s.schedule == "gpipe" ? simulate(s, *node, g->part, gpipe{}) : simulate(s, *node, g->part, interleaved{});
}
