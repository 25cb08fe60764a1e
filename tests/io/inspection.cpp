// SPDX-License-Identifier: MIT
#include "echosim/io/inspection.hpp"

#include <cstdio>
#include <string>

#include "catch.hpp"
#include "public_files.hpp"

using namespace echosim;

namespace {
result<std::string> inspect(const std::string& text) {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fwrite(text.data(), 1, text.size(), file);
  std::rewind(file);
  auto line = inspection(file);
  std::fclose(file);
  return line;
}
}  // namespace

TEST_CASE("a file is one line, and a refusal a reason") {
  CHECK(*inspect("{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, "
                 "\"ts\": 1, \"dur\": 2}]}") ==
        "Kineto trace, 1 event kept, 1 device event on 1 stream over 2.00 us: compute 100.0 %, exposed communication "
        "0.0 %, exposed copies 0.0 %, idle 0.0 %");
  CHECK(*inspect("num_ranks 2\nrank 0 {\ncalc 5\n}\n") == "GOAL schedule, 2 ranks, 1 task");
  CHECK(*inspect("a,b\n1,2\n") == "table, 1 row, 2 columns from 'a' to 'b'");
  CHECK(inspect("").why().what.find("the file is empty") == 0);
  CHECK(inspect("hello\n").why().what.find("the format is none of those known here (the first line is 'hello')") == 0);
  CHECK(inspect("{\"x\": 1}").why().what.find("the file is JSON, an object with 'x', of no format known here") == 0);
  CHECK(inspect("{\"x\": 1").why().what.find("line 1, column 8") == 0);
}

TEST_CASE("a trace longer than what is read ahead streams by") {
  std::string text = "{\"traceEvents\": [";
  const std::string event =
      "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": 1, \"dur\": 2}";
  for (int i = 0; i < 20'000; ++i) text += (i == 0 ? "" : ",") + event;
  const auto line = inspect(text + "]}");
  REQUIRE(line);
  CHECK(line->find("20000 device events") != std::string::npos);
  CHECK_FALSE(inspect(text));
}

TEST_CASE("every public file is read or refused with what was given, what is required and what to do") {
  std::error_code ignored;
  if (!std::filesystem::is_directory("files", ignored)) {
    std::printf("skipped: no folder files in the working directory\n");
    return;
  }
  std::size_t read = 0, refused = 0;
  for (const std::string& path : files_in("files")) {
    const bool packed = path.size() > 3 && path.substr(path.size() - 3) == ".gz";
    std::FILE* file = packed ? popen(("zcat '" + path + "'").c_str(), "r") : std::fopen(path.c_str(), "rb");
    REQUIRE(file != nullptr);
    const auto line = inspection(file);
    packed ? pclose(file) : std::fclose(file);
    CAPTURE(path);
    if (line) {
      ++read;
      CHECK(line->find('\n') == std::string::npos);
    } else {
      ++refused;
      CHECK(line.why().what.find(';') != std::string::npos);
    }
  }
  CHECK(read >= 270);
  CHECK(refused <= 57);
}
