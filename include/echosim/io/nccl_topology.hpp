// SPDX-License-Identifier: MIT
// NCCL's topology files (NCCL_TOPO_FILE, NCCL_TOPO_DUMP_FILE) with the numbers that NCCL itself takes from them
// (NVIDIA/nccl v2.23.4, src/graph/topo.cc, topo.h, xml.h).
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text_lines.hpp"
#include "xml.hpp"

namespace echosim::inline v0::nccl_topology {

/// Rates are GB/s, one direction, as NCCL's search uses them.
struct link {
  std::string target;  ///< bus id as the file writes it
  i64 count = 0;
  bool to_switch = false;  ///< NVSwitch, in the tree or not
};
struct pci {
  std::string bus;
  i64 parent = -1;  ///< index into system::devices; −1: directly at the CPU
  u32 cpu = 0;      ///< index into system::cpus
  u32 kind = 0;     ///< PCI class, 0x030200 …
  double rate = 0;  ///< width·speed/80
  u64 line = 0;
};
struct gpu {
  u32 device = 0;  ///< index into system::devices
  i64 dev = -1, rank = -1, sm = -1;
  std::string gcn;  ///< AMD only
  bool gdr = false;
  bool xgmi = false;
  std::vector<link> links;
};
struct net {
  i64 device = -1;  ///< index into system::devices; −1: directly at a CPU
  std::string name;
  i64 dev = -1, port = 0;
  double rate = 0;  ///< speed/8000
  bool gdr = false, sharp = false;
};
struct cpu {
  i64 numa = -1;
  std::string arch, vendor;
  i64 family = -1, model = -1;
};
struct system {
  std::vector<cpu> cpus;
  std::vector<pci> devices;
  std::vector<gpu> gpus;
  std::vector<net> nets;
};

/// What a PCI lane carries by its text, in 100 Mb/s: the first entry that the text begins with (topo.cc, kvDictPciGen).
[[nodiscard]] inline std::optional<int> lane_speed(std::string_view text) {
  struct entry {
    std::string_view prefix;
    int speed;
  };
  constexpr std::array<entry, 11> table{entry{"2.5 GT/s", 15},   {"5 GT/s", 30},         {"8 GT/s", 60},
                                        {"16 GT/s", 120},        {"32 GT/s", 240},       {"2.5 GT/s PCIe", 15},
                                        {"5.0 GT/s PCIe", 30},   {"8.0 GT/s PCIe", 60},  {"16.0 GT/s PCIe", 120},
                                        {"32.0 GT/s PCIe", 240}, {"64.0 GT/s PCIe", 480}};
  for (const entry& e : table)
    if (text.substr(0, e.prefix.size()) == e.prefix) return e.speed;
  return std::nullopt;
}

/// One NVLink of a GPU of compute capability `sm`, GB/s (topo.h, ncclTopoNVLinkBw); 0 where NCCL knows none.
[[nodiscard]] constexpr double nvlink_rate(i64 sm) {
  return sm >= 100 ? 40.1 : sm >= 90 ? 20.6 : sm == 86 ? 12.0 : sm >= 80 ? 20.0 : sm >= 70 ? 20.0 : sm >= 60 ? 18.0 : 0;
}
/// All NVLinks of a GPU, GB/s.
[[nodiscard]] inline double nvlink_rate(const gpu& g) {
  double all = 0;
  for (const link& l : g.links) all += g.xgmi ? 0 : static_cast<double>(l.count) * nvlink_rate(g.sm);
  return all;
}

namespace detail {

inline std::string place(const xml_element& e) { return "line " + std::to_string(e.line) + ", <" + e.name + ">"; }

class reader {
 public:
  result<system> read(const xml_element& root) {
    if (root.name == "graphs")
      return error{
          "the root is <graphs>: the rings and trees that NCCL chose, not a topology; a <system> is required; give the "
          "file that NCCL_TOPO_DUMP_FILE wrote"};
    if (root.name != "system")
      return error{place(root) +
                   ": the root is no <system>; a topology of NCCL is required; give a file of NCCL_TOPO_FILE"};
    for (const xml_element& c : root.children) {
      if (c.name != "cpu") {
        note(place(c) + " is not read: only <cpu> is known inside <system>");
        continue;
      }
      cpu u;
      u.numa = number(c, "numaid", -1);
      if (const std::string* s = c.find("arch")) u.arch = *s;
      if (const std::string* s = c.find("vendor")) u.vendor = *s;
      u.family = number(c, "familyid", -1);
      u.model = number(c, "modelid", -1);
      out_.cpus.push_back(std::move(u));
      walk(c);
    }
    if (!why_.empty()) return error{why_};
    check();
    if (!why_.empty()) return error{why_};
    result<system> r{std::move(out_)};
    for (std::string& n : notes_) r.note(std::move(n));
    return r;
  }

 private:
  void fail(std::string what) {
    if (why_.empty()) why_ = std::move(what);
  }
  void note(std::string text) {
    if (notes_.size() < 100) notes_.push_back(std::move(text));
  }
  i64 number(const xml_element& e, std::string_view key, i64 otherwise) {
    const std::string* const text = e.find(key);
    if (text == nullptr || text->empty()) return otherwise;
    if (const std::optional<i64> v = whole_number(*text)) return *v;
    fail(place(e) + ": found " + std::string{key} + " = " + shown(*text) + "; expected a whole number; correct it");
    return otherwise;
  }
  /// A hexadecimal class such as 0x030200.
  u32 hexadecimal(const xml_element& e, std::string_view key) {
    const std::string* const text = e.find(key);
    if (text == nullptr) return 0;
    u32 v = 0;
    const char* const from = text->data() + (text->substr(0, 2) == "0x" ? 2 : 0);
    const auto [end, ec] = std::from_chars(from, text->data() + text->size(), v, 16);
    if (ec != std::errc{} || end != text->data() + text->size())
      fail(place(e) + ": found " + std::string{key} + " = " + shown(*text) +
           "; expected a hexadecimal number; correct it");
    return v;
  }

  /// Depth first, with the PCI device above each element.
  void walk(const xml_element& c) {
    struct visit {
      const xml_element* element;
      i64 above;
    };
    std::vector<visit> todo{{&c, -1}};
    while (!todo.empty() && why_.empty()) {
      const visit v = todo.back();
      todo.pop_back();
      i64 here = v.above;
      const xml_element& e = *v.element;
      if (e.name == "pci") here = add_pci(e, v.above);
      if (e.name == "gpu") add_gpu(e, v.above);
      if (e.name == "net") add_net(e, v.above);
      if (e.name == "gpu") continue;
      for (auto child = e.children.rbegin(); child != e.children.rend(); ++child) todo.push_back({&*child, here});
    }
  }
  i64 add_pci(const xml_element& e, i64 above) {
    pci p;
    const std::string* const bus = e.find("busid");
    if (bus == nullptr || bus->empty())
      return fail(place(e) + ": found no busid; expected the address of the device; add it"), -1;
    p.bus = *bus;
    p.line = e.line;
    p.parent = above;
    p.cpu = static_cast<u32>(out_.cpus.size() - 1);
    p.kind = hexadecimal(e, "class");
    i64 width = number(e, "link_width", 0);
    if (width < 0 || width > 64)
      fail(place(e) + ": found link_width " + std::to_string(width) + "; expected 0 to 64 lanes; correct it");
    const std::string* const text = e.find("link_speed");
    const std::optional<int> speed = text != nullptr ? lane_speed(*text) : std::nullopt;
    if (!speed || width == 0) {
      ++fallbacks_;
      if (fallback_.empty())
        fallback_ = *bus + " (link_speed " + (text != nullptr ? shown(*text) : "absent") + ", link_width " +
                    std::to_string(width) + ")";
    }
    if (width == 0) width = 16;
    p.rate = static_cast<double>(width) * speed.value_or(60) / 80;
    out_.devices.push_back(std::move(p));
    return static_cast<i64>(out_.devices.size() - 1);
  }
  void add_gpu(const xml_element& e, i64 above) {
    if (above < 0) return fail(place(e) + ": found a GPU outside a <pci>; expected one inside; correct the tree");
    gpu g;
    g.device = static_cast<u32>(above);
    g.dev = number(e, "dev", -1), g.rank = number(e, "rank", -1), g.sm = number(e, "sm", -1);
    g.gdr = number(e, "gdr", 0) != 0;
    if (const std::string* s = e.find("gcn")) g.gcn = *s;
    for (const xml_element& c : e.children) {
      if (c.name != "nvlink" && c.name != "xgmi") continue;  // c2c leads to the CPU
      link l;
      if (const std::string* s = c.find("target")) l.target = *s;
      l.count = number(c, "count", 0);
      l.to_switch = hexadecimal(c, "tclass") == 0x068000;
      if (l.count < 1 || l.count > 1000)
        fail(place(c) + ": found count " + std::to_string(l.count) + "; expected 1 to 1000 links; correct it");
      g.xgmi = g.xgmi || c.name == "xgmi";
      g.links.push_back(std::move(l));
    }
    out_.gpus.push_back(std::move(g));
  }
  void add_net(const xml_element& e, i64 above) {
    net n;
    n.device = above;
    if (const std::string* s = e.find("name")) n.name = *s;
    n.dev = number(e, "dev", -1), n.port = number(e, "port", 0);
    n.gdr = number(e, "gdr", 0) != 0, n.sharp = number(e, "coll", 0) != 0;
    const i64 speed = number(e, "speed", 0);
    if (speed < 0) fail(place(e) + ": found speed " + std::to_string(speed) + "; expected Mb/s; correct it");
    n.rate = speed == 0 ? 12.0 : static_cast<double>(speed) / 8000;
    if (speed == 0) note(place(e) + " has no speed; 12 GB/s are taken as NCCL does");
    constexpr std::array<i64, 12> usual{1000,  10000,  20000,  25000,  40000,  50000,
                                        56000, 100000, 200000, 400000, 800000, 1600000};
    if (speed != 0 && std::find(usual.begin(), usual.end(), speed) == usual.end())
      note(place(e) + ": speed " + std::to_string(speed) +
           " Mb/s is that of no network adapter known here; taken as it stands");
    out_.nets.push_back(std::move(n));
  }

  void check() {
    std::vector<std::string_view> buses;
    for (const pci& p : out_.devices) buses.push_back(p.bus);
    std::sort(buses.begin(), buses.end());
    if (const auto twice = std::adjacent_find(buses.begin(), buses.end()); twice != buses.end())
      return fail(
          "bus id " + shown(*twice) +
          " is given to two devices; addresses must be distinct, or links lead nowhere certain; correct one of them");
    if (fallbacks_ != 0)
      note(std::to_string(fallbacks_) + " PCI devices have no usable link speed or width, the first " + fallback_ +
           "; 8 GT/s a lane and 16 lanes stand in for what is missing, as in NCCL");
    u64 self = 0, lost = 0;
    for (gpu& g : out_.gpus)
      for (const link& l : g.links) {
        self += l.target == out_.devices[g.device].bus ? 1 : 0;
        lost += !l.to_switch && !std::binary_search(buses.begin(), buses.end(), std::string_view{l.target}) ? 1 : 0;
      }
    if (self != 0)
      note(std::to_string(self) + " NVLinks lead to the GPU that they start from; NCCL finds no peer behind them");
    if (lost != 0) note(std::to_string(lost) + " links lead to devices that are not in the tree");
    if (out_.gpus.empty()) {
      u64 slots = 0;
      for (const pci& p : out_.devices)
        slots += p.kind >> 8 == 0x0302 || p.kind >> 8 == 0x0300 || p.kind >> 8 == 0x1200 ? 1 : 0;
      note("the file names no GPU: it is a template that NCCL completes at run time (" + std::to_string(slots) +
           " PCI devices of a GPU's class)");
    }
  }

  system out_;
  std::vector<std::string> notes_;
  std::string why_, fallback_;
  u64 fallbacks_ = 0;
};

}  // namespace detail

/// Reads a topology. Refused: bus ids given twice, GPUs outside a PCI device, numbers that are none, and <graphs>
/// files. Noted: what NCCL replaces by a default, links without an end, templates, and implausible network speeds.
[[nodiscard]] inline result<system> read_system(std::string_view text) {
  const result<xml_element> root = parse_xml(text);
  if (!root) return root.why();
  return detail::reader{}.read(*root);
}

}  // namespace echosim::inline v0::nccl_topology
