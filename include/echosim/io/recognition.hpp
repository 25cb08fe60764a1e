// SPDX-License-Identifier: MIT
// Which format a file has, told from its first bytes: names of files lie, and pipes have none.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "csv.hpp"
#include "nccl_tuner.hpp"
#include "simai.hpp"
#include "text_lines.hpp"

namespace echosim::inline v0 {

enum class file_format : u8 {
  unknown,
  empty,
  kineto,
  pytorch_et,
  chakra,
  hugging_face,
  json,
  yaml,
  aicb,
  simai,
  bus_bandwidth,
  nccl_topology,
  nccl_tuner,
  nccl_tests,
  nvidia_smi_topology,
  megatron,
  goal,
  simgrid_ti,
  table,
  gzip,
  zip,
  zstd,
  xz,
  bzip2,
  tar,
  utf16,
  xspace,
  rocprofiler,
  msccl  ///< known, and not read
};

/// Why a file of a known format is not read; null for formats that are.
[[nodiscard]] constexpr const char* not_read(file_format f) {
  switch (f) {
    case file_format::empty: return "the file is empty; a file of a known format is required; give another";
    case file_format::gzip: return "the file is compressed with gzip; plain text is required; pipe it through zcat";
    case file_format::zip: return "the file is a zip archive; plain text is required; unpack it";
    case file_format::zstd: return "the file is compressed with zstd; plain text is required; pipe it through zstdcat";
    case file_format::xz: return "the file is compressed with xz; plain text is required; pipe it through xzcat";
    case file_format::bzip2: return "the file is compressed with bzip2; plain text is required; pipe it through bzcat";
    case file_format::tar: return "the file is a tar archive; one file is required; unpack it and give its members";
    case file_format::utf16: return "the text is UTF-16; UTF-8 is required; convert it";
    case file_format::xspace:
      return "the file is an XSpace of XLA's profiler (xplane.pb); it is not read; export a Chrome trace from it";
    case file_format::rocprofiler:
      return "the file is the output of rocprofiler-sdk; it is not read; record a trace with PyTorch's profiler";
    case file_format::msccl:
      return "the file is an algorithm of MSCCL; it is not read; give a topology, or a Chakra trace of the algorithm";
    default: return nullptr;
  }
}

namespace detail {

inline bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }
inline bool holds(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

inline file_format binary_format(std::string_view head) {
  if (begins(head, "\x1f\x8b")) return file_format::gzip;
  if (begins(head, "PK\x03\x04")) return file_format::zip;
  if (begins(head, "\x28\xb5\x2f\xfd")) return file_format::zstd;
  if (begins(head,
             "\xfd"
             "7zXZ"))
    return file_format::xz;
  if (begins(head, "BZh")) return file_format::bzip2;
  if (head.size() > 262 && head.substr(257, 5) == "ustar") return file_format::tar;
  if (begins(head, "\xff\xfe") || begins(head, "\xfe\xff")) return file_format::utf16;
  if (begins(head, "\x0a") && holds(head.substr(0, 64), "/host:metadata")) return file_format::xspace;
  return file_format::unknown;
}

/// A table of columns: a first line of at least two fields, and a second with as many.
inline char table_separator(std::string_view text) {
  text_lines lines{text};
  if (!lines.next_filled()) return '\0';
  const std::string_view first = lines.text();
  for (char separator : {',', '\t', ';'}) {
    const auto columns = std::count(first.begin(), first.end(), separator);
    if (columns < 1 || holds(first, "{") || holds(first, ": ")) continue;
    text_lines rest = lines;
    if (!rest.next_filled()) return separator;
    const std::string_view second = rest.text();
    if (std::count(second.begin(), second.end(), separator) == columns || holds(second, "\"")) return separator;
  }
  return '\0';
}

inline file_format first_line_format(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty()) return file_format::unknown;
  if (words[0] == "num_ranks") return file_format::goal;
  if (std::find(simai::detail::policies.begin(), simai::detail::policies.end(), words[0]) !=
      simai::detail::policies.end())
    return file_format::simai;
  const std::string_view call = words[0].substr(0, words[0].find(','));
  if (std::count(line.begin(), line.end(), ',') >= 7 &&
      std::find(nccl_tuner::call_names.begin(), nccl_tuner::call_names.end(), call) != nccl_tuner::call_names.end()) {
    const std::string_view rest = words[0].size() > call.size() ? words[0].substr(call.size() + 1) : std::string_view{};
    if (words.size() > 1 || whole_number(rest.substr(0, rest.find(',')))) return file_format::nccl_tuner;
  }
  if (words.size() > 1 && whole_number(words[0]))
    for (std::string_view action :
         {"init", "compute", "send", "isend", "recv", "irecv", "finalize", "bcast", "barrier"})
      if (words[1] == action) return file_format::simgrid_ti;
  return file_format::unknown;
}

inline file_format text_format(std::string_view head) {
  text_lines lines{head};
  file_format by_line = file_format::unknown;
  bool comments_only = true;
  for (unsigned n = 0; n < 200 && comments_only && lines.next_filled(); ++n) {
    const std::string_view line = csv::trimmed(lines.text());
    comments_only = line[0] == '#' || begins(line, "//");
    if (!comments_only) by_line = first_line_format(line);
  }
  if (by_line != file_format::unknown) return by_line;
  if (holds(head, "algbw") && holds(head, "busbw") && holds(head, "#") && !begins(head, "comm_type"))
    return file_format::nccl_tests;
  if (holds(head, "GPU0") && (holds(head, " X ") || holds(head, "\tX\t"))) return file_format::nvidia_smi_topology;
  if (begins(head, "#!") || holds(head, "--num-layers") || holds(head, "--hidden-size")) return file_format::megatron;
  if (holds(head, "\nTP:") && holds(head, ",:")) return file_format::bus_bandwidth;
  for (std::string_view key : {"npus_count:", "trainer:", "pipe_parallel_size", "pipe-parallel-size"})
    if (holds(head, key)) return file_format::yaml;
  return table_separator(head) != '\0' ? file_format::table : file_format::unknown;
}

}  // namespace detail

/// The format of a file that begins with `head`; `whole`: it holds nothing more. Half a megabyte is ample.
[[nodiscard]] inline file_format format_of(std::string_view head, bool whole) {
  using detail::begins;
  using detail::holds;
  if (head.empty()) return file_format::empty;
  if (const file_format f = detail::binary_format(head); f != file_format::unknown) return f;
  if (begins(head, "\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t at = head.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) return whole ? file_format::empty : file_format::unknown;
  const std::string_view text = head.substr(at);
  const bool binary = std::any_of(
      head.begin(), head.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(head.size(), 4096)), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b';
      });
  if (binary) return file_format::chakra;
  if (text[0] == '<') return holds(text.substr(0, 4096), "<algo ") ? file_format::msccl : file_format::nccl_topology;
  if (text[0] == '[' && holds(text.substr(0, 65536), "comm_type,comm_group")) return file_format::aicb;
  if (text[0] == '[' && holds(text.substr(0, 40), ">:")) return file_format::nccl_tests;  // MPI's "[1,0]<stdout>:"
  if (text[0] == '{' || text[0] == '[') {
    if (holds(text.substr(0, 256), "rocprofiler-sdk-tool")) return file_format::rocprofiler;
    if (holds(text, "\"traceEvents\"") || (text[0] == '[' && holds(text.substr(0, 4096), "\"ph\"")))
      return file_format::kineto;
    if (holds(text, "\"nodes\"") && holds(text, "\"schema\"")) return file_format::pytorch_et;
    return file_format::json;
  }
  return detail::text_format(head);
}

}  // namespace echosim::inline v0
