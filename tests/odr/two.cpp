// SPDX-License-Identifier: MIT
#include "everything.hpp"
int second();
int second() { return echosim::find_model("gpt-175b") != nullptr && echosim::find_node("h800") != nullptr ? 0 : 1; }
