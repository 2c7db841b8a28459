// The beginning of a run, as the constraints that repeat it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "mutator/knowledge/known_run.h"
#include "schema/schedule.h"

namespace heddle::mutator {

// The operation that had begun before this one, and waited in its call until this one came: the two ends of a message that no channel
// keeps. kNoEvent: none did.
inline uint32_t waiter_of(const KnownRun& run, uint32_t event) {
  const Event& e = run.events[event];
  if (e.partner >= run.events.size() || e.partner <= event) return kNoEvent;
  const Event& other = run.events[e.partner];
  return other.partner == event && kind_info(e.kind).has(kBlocks) && kind_info(other.kind).has(kBlocks) ? e.partner : kNoEvent;
}

// These operations, in the order in which they began. Events are in the order in which they ended. An operation that is to come only after
// its partner would leave the partner alone, and what comes next would wait for both. `waiter`: of an operation; kNoEvent.
template <typename Waiter>
std::vector<uint32_t> as_they_began(std::span<const uint32_t> prefix, Waiter waiter) {
  std::vector<uint32_t> begun, early;
  begun.reserve(prefix.size());
  for (const uint32_t e : prefix) {
    if (std::find(early.begin(), early.end(), e) != early.end()) continue;
    if (const uint32_t w = waiter(e); w != kNoEvent) early.push_back(w), begun.push_back(w);
    begun.push_back(e);
  }
  return begun;
}

// The schedule makes these operations first, in this order. `left_out`: the next operation of each thread that goes on, which waits for the last
// of them. REQUIRES: !prefix.empty()
inline void put_prefix(Schedule& schedule, std::span<const Element> prefix, std::span<const Element> left_out) {
  schedule.elements.assign(prefix.begin(), prefix.end());
  schedule.delays.clear();
  for (const Element& operation : left_out) schedule.delays.push_back({operation, prefix.back()});
}

}  // namespace heddle::mutator
