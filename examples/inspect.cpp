// SPDX-License-Identifier: MIT
// What is this file? Prints one line about a trace, configuration, topology or log, recognised by its content, or says
// why it is refused. Compressed files go through a pipe: zcat trace.json.gz | inspect -
// Exit status: 0 read, 1 refused, 2 wrong usage.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "echosim/io/inspection.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: inspect FILE, or inspect - for standard input\n");
    return 2;
  }
  const char* const path = arguments[1];
  std::FILE* const file = std::strcmp(path, "-") == 0 ? stdin : std::fopen(path, "rb");
  if (file == nullptr) {
    std::fprintf(stderr, "%s: refused: the file cannot be opened (%s); give the path of a readable file\n", path,
                 std::strerror(errno));
    return 1;
  }
  const auto line = echosim::inspection(file);
  if (file != stdin) std::fclose(file);
  if (!line) {
    std::fprintf(stderr, "%s: refused: %s\n", path, line.why().what.c_str());
    return 1;
  }
  std::printf("%s: %s\n", path, line->c_str());
  for (const std::string& note : line.notes()) std::printf("  note: %s\n", note.c_str());
  return 0;
}
