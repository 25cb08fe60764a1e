// SPDX-License-Identifier: MIT
// Runs ASTRA-sim's own inputs and prints its nanoseconds:
//   astra --workload PREFIX --system FILE --network FILE [--comm-group FILE] [--backend unaware|aware]
// Exit status: 0 done, 1 refused with the reason, 2 wrong usage.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "echosim/io/astra_run.hpp"
#include "echosim/io/byte_source.hpp"
#include "echosim/io/chakra_reader.hpp"
#include "echosim/io/yaml.hpp"

namespace {

using namespace echosim;

int refused(const std::string& file, const error& why) {
  std::fprintf(stderr, "%s: refused: %s\n", file.c_str(), why.what.c_str());
  return 1;
}
/// JSON is YAML enough: both kinds of file go through one reader.
result<json> tree(const std::string& path) {
  const auto text = read_file(path.c_str());
  if (!text) return text.why();
  return parse_yaml(*text);
}

}  // namespace

int main(int count, char** arguments) {
  std::map<std::string, std::string> given{{"--backend", "unaware"}};
  for (int i = 1; i < count; i += 2) given[arguments[i]] = i + 1 < count ? arguments[i + 1] : "";
  const bool known = given.size() == 4 + given.count("--comm-group") &&
                     (given["--backend"] == "aware" || given["--backend"] == "unaware");
  if (!known || given["--workload"].empty() || given["--system"].empty() || given["--network"].empty()) {
    std::fprintf(
        stderr,
        "usage: astra --workload PREFIX --system FILE --network FILE [--comm-group FILE] [--backend unaware|aware]\n");
    return 2;
  }
  const auto net_tree = tree(given["--network"]), sys_tree = tree(given["--system"]);
  if (!net_tree) return refused(given["--network"], net_tree.why());
  if (!sys_tree) return refused(given["--system"], sys_tree.why());
  const auto net = astra::read_network(*net_tree);
  if (!net) return refused(given["--network"], net.why());
  const auto sys = astra::read_system(*sys_tree);
  if (!sys) return refused(given["--system"], sys.why());
  std::map<i64, std::vector<i64>> groups;
  if (const std::string& file = given["--comm-group"]; !file.empty()) {
    const auto group_tree = tree(file);
    if (!group_tree) return refused(file, group_tree.why());
    const auto read = astra::read_groups(*group_tree);
    if (!read) return refused(file, read.why());
    groups = *read;
  }
  i64 npus = 1;
  for (const astra::dimension& d : *net) npus *= d.npus < 100'000 && npus < 100'000 ? d.npus : 1;
  std::vector<chakra::trace> traces;
  for (i64 r = 0; r < npus; ++r) {
    const std::string file = given["--workload"] + "." + std::to_string(r) + ".et";
    const auto bytes = read_file(file.c_str());
    if (!bytes) return refused(file, bytes.why());
    auto t = chakra::read_trace(*bytes);
    if (!t) return refused(file, t.why());
    traces.push_back(std::move(*t));
  }
  const auto out = astra::run(traces, *net, *sys, groups,
                              given["--backend"] == "aware" ? astra::backend::aware : astra::backend::unaware);
  if (!out) return refused(given["--workload"], out.why());
  std::printf("finish %lld ns\n", static_cast<long long>(out->finish));
  std::printf("compute %lld ns, exposed communication %lld ns on NPU 0\n", static_cast<long long>(out->npus[0].compute),
              static_cast<long long>(out->npus[0].finish - out->npus[0].compute));
  for (const std::string& note : out.notes()) std::printf("note: %s\n", note.c_str());
  return 0;
}
