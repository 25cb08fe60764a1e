// SPDX-License-Identifier: MIT
// The simulator compiles against types that answer what their concept asks and nothing more.
#include "echosim/core/archetypes.hpp"

#include "echosim/collective/fastest.hpp"
#include "echosim/sim/simulator.hpp"

using namespace echosim;

using least = simulator<archetype::a_device, archetype::an_interconnect, archetype::a_collective, archetype::a_scheduler>;
template class echosim::simulator<archetype::a_device, archetype::an_interconnect, archetype::a_collective, archetype::a_scheduler>;
static_assert(sizeof(least) <= 8);
static_assert(collective<fastest<archetype::a_collective, archetype::a_collective>>);
