// SPDX-License-Identifier: MIT
// A value with notes (what was assumed, what is doubtful), or an error. No exceptions: the library builds without them.
#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "contract.hpp"

namespace echosim::inline v0 {

/// Grammar of `what`: what was given; what is required; what to do.
struct error {
  std::string what;
};

template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : state_{std::in_place_index<0>, std::move(value)} {}
  result(error why) : state_{std::in_place_index<1>, std::move(why)} {}

  [[nodiscard]] explicit operator bool() const { return state_.index() == 0; }
  [[nodiscard]] T& operator*() & { return *checked(); }
  [[nodiscard]] const T& operator*() const& { return *std::as_const(*this).checked(); }
  [[nodiscard]] T&& operator*() && { return std::move(*checked()); }
  [[nodiscard]] T* operator->() { return checked(); }
  [[nodiscard]] const T* operator->() const { return checked(); }
  [[nodiscard]] const error& why() const {
    const error* e = std::get_if<1>(&state_);
    ECHOSIM_EXPECTS(e != nullptr, "why() of a result that holds a value; test it first");
    return *e;
  }

  /// What was assumed or looks doubtful; carried beside the value.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  result& note(std::string text) & {
    notes_.push_back(std::move(text));
    return *this;
  }

 private:
  T* checked() {
    ECHOSIM_EXPECTS(state_.index() == 0, "value of a result that holds an error; test it first");
    return std::get_if<0>(&state_);
  }
  const T* checked() const {
    ECHOSIM_EXPECTS(state_.index() == 0, "value of a result that holds an error; test it first");
    return std::get_if<0>(&state_);
  }
  std::variant<T, error> state_;
  std::vector<std::string> notes_;
};

}  // namespace echosim::inline v0
