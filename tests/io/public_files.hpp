// SPDX-License-Identifier: MIT
// Files that other projects publish, read by tests where a folder `files` stands in the working directory. They belong
// to their projects and are not copied here; docs/formats.md says where each comes from.
#pragma once
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

/// `files/<name>` where it exists; otherwise empty, after a line that says what was not tested.
inline std::string public_folder(const std::string& name) {
  const std::string folder = "files/" + name;
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return folder;
  std::printf("skipped: no folder %s in the working directory\n", folder.c_str());
  return {};
}
inline std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& e : std::filesystem::recursive_directory_iterator(folder))
    if (e.is_regular_file()) all.push_back(e.path().string());
  std::sort(all.begin(), all.end());
  return all;
}
