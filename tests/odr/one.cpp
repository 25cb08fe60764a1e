// SPDX-License-Identifier: MIT
#include "everything.hpp"
int second();
int main() { return echosim::seconds(echosim::duration{1}) > 0 ? second() : 1; }
