// SPDX-License-Identifier: MIT
// Text kept once, named by a 32-bit index in the order of first appearance.
#pragma once
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../core/ids.hpp"

namespace echosim::inline v0 {

class name_table {
 public:
  /// The index of `text`, new if it was not there. At most 2^32 − 1 distinct texts.
  u32 index(std::string_view text) {
    if (2 * (names_.size() + 1) > slots_.size()) grow();
    u32& slot = find(text);
    if (slot == invalid) {
      slot = static_cast<u32>(names_.size());
      names_.emplace_back(text);
    }
    return slot;
  }
  [[nodiscard]] const std::string& operator[](u32 i) const { return names_[i]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  /// Eight bytes a step, each mixed by a multiplication and a shift (constants of Steele et al. 2014, SplitMix).
  static u64 hash(std::string_view text) {
    u64 h = text.size();
    const auto mix = [&](u64 word) {
      h = (h ^ word) * 0xbf58476d1ce4e5b9;
      h ^= h >> 29;
    };
    u64 word = 0;
    for (; text.size() >= 8; text.remove_prefix(8)) mix((std::memcpy(&word, text.data(), 8), word));
    word = 0;
    if (!text.empty()) std::memcpy(&word, text.data(), text.size());
    mix(word);
    return h * 0x94d049bb133111eb;
  }
  u32& find(std::string_view text) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash(text) >> 7) & mask;
    while (slots_[at] != invalid && names_[slots_[at]] != text) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), invalid);
    for (u32 i = 0; i < names_.size(); ++i) find(names_[i]) = i;
  }
  std::vector<std::string> names_;
  std::vector<u32> slots_;
};

}  // namespace echosim::inline v0
