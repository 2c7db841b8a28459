// Pairs of operations of a run whose order could be the other way round, although other conflicting operations stand between them. A run with
// that order differs in more than one race: all that the second operation's thread does up to it comes before the first operation.
//
// Why: reversing one race at a time, a search comes to such an order only by a run for each race between
// (docs/design/measurements-search.md#pairs-that-lie-far-apart).
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/orders/run_reversals.h"

namespace heddle::mutator {

struct FarReversal {
  uint32_t first, second;        // events; `first`, or the operation that took a lock for it, is held until `second` has come
  uint32_t between;              // conflicting operations of the first one's thread between them
  std::vector<uint32_t> prefix;  // what comes until then, `second` last
};

enum class FarPairs : uint8_t { all, plain };  // plain: of accesses to ordinary variables

// The nearest ones first, at most 64. Races of `near` are left out, and pairs whose order follows from more than locks. Whether an order can be
// made is judged by the recorded operations. REQUIRES: run.can_be_repeated()
std::vector<FarReversal> far_reversals(const KnownRun& run, const RunReversals& near, FarPairs which);

}  // namespace heddle::mutator
