// Why an operation on an atomic did not have to see a store that was there, and which memory orders would have made it see it.
#pragma once

#include <cstdint>

#include "analyses/report/causal_past.h"
#include "analyses/report/report_text.h"

namespace heddle::rt {

struct MissingOrder {
  static constexpr uint32_t kMostHops = 6;  // a longer way explains nothing
  enum What : uint8_t {
    no_message,  // nothing: the operation could also have come before the store
    messages,    // a way of messages leads from the store to the operation. At least one of them orders nothing
    circle,      // together with the order of stores, there is a way. Only sequential consistency would forbid it
    unknown,     // a way that is too long
  } what = no_message;
  Hop hops[kMostHops] = {};
  uint32_t count = 0;
};

// `stale`: a stale operation. `store`: the store that it did not see.
MissingOrder missing_order(const RunSummary& run, uint32_t store, uint32_t stale);
void put_missing_order(Text& out, const RunSummary& run, const MissingOrder& missing, uint32_t store, uint32_t stale);
// Is this operation part of the circle?
bool tells_of(const MissingOrder& circle, uint32_t store, uint32_t stale, uint32_t event);

// For a data race: the messages by which the second access's thread could have learned of the first one, and which orders they lack. `after`: the first
// operation of its thread that does not come before the first access. `until`: the last operation of the other thread. False: there were none.
bool put_unordering_messages(Text& out, const RunSummary& run, uint32_t after, uint32_t until);

// Stores, read-modify-writes, compare-and-swaps that succeeded.
bool stores_atomically(const Event& e);

}  // namespace heddle::rt
