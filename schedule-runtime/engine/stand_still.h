// Runs in which some threads stand still for ever, while others never stop: the ladder would not come to its last step.
#pragma once

#include <span>

#include "scheduler/pending.h"

namespace heddle::rt {

// Only another thread can let it go on.
bool is_blocked(const Pending& p);
// Is there a cycle of threads, each of which waits without a time limit for a lock that the next one holds, or for its end? These threads never go on,
// whatever the others do. Longer cycles than 64 threads are not looked for.
bool wait_in_cycle(std::span<Pending* const> live);

// Virtual time has come to the end of this wait. No thread has reached a new place since step `since`.
void time_has_come(const Pending& p, uint32_t since);
// How often that has happened to the thread since then.
uint32_t rounds_of(const Pending& p, uint32_t since);
// Are all threads blocked without a time limit, or services, whose time has come thousands of times since then?
bool only_services_go_on(std::span<Pending* const> live, uint32_t since);
// Only services go on. Is main one of them, and has it learnt nothing new for as long?
bool main_polls_in_vain(std::span<Pending* const> live);
// Only services go on. Is main one of them, or can one of them wake it, also by way of other threads? The rule is that for the end of a run
// (docs/design/happens-before.md#who-can-still-be-woken). True also if it is not known, because not all of the run was recorded.
bool main_may_go_on(std::span<Pending* const> live);
// Main has returned. Are threads blocked, and all others services?
bool services_are_left(std::span<Pending* const> live, uint32_t since);

}  // namespace heddle::rt
