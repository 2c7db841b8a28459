// Runs in which some threads stand still for ever, while others never stop: the ladder would not come to its last step.
#pragma once

#include <span>

#include "scheduler/pending.h"

namespace heddle::rt {

// Is there a cycle of threads, each of which waits without a time limit for a lock that the next one holds, or for its end? These threads never go on,
// whatever the others do. Longer cycles than 64 threads are not looked for.
bool wait_in_cycle(std::span<Pending* const> live);

// Virtual time has come to the end of this wait. No thread has reached a new place since step `since`.
void time_has_come(const Pending& p, uint32_t since);
// How often that has happened to the thread since then.
uint32_t rounds_of(const Pending& p, uint32_t since);
// Does main wait without a time limit, and are all threads that could wake it, also by way of others, blocked as well? And is each of the others a service,
// whose time has come thousands of times since then? "Could wake": as at the end of a run
// (docs/design/happens-before.md#who-can-still-be-woken).
bool main_waits_beside_services(std::span<Pending* const> live, uint32_t since);
// Main has returned. Are threads blocked, and all others such services?
bool services_are_left(std::span<Pending* const> live, uint32_t since);

}  // namespace heddle::rt
