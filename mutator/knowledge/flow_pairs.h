// Pairs of operations whose reversal can change the control flow of the program (docs/design/flow.md#pairs). If the first is
// held until the second has run, the result is different.
//
//   class 1   the first took effect, so the second did not. Examples: the thread that ran a once function and one that came too
//             late; the holder of a lock (of a semaphore's last token) and a failed try or a timed wait that timed out; the latest
//             receive, send, lock or wait of another thread and one that never finished
//   class 2   both took effect, in this order: send-send, receive-receive, lock-lock, write-write and write-read of an atomic,
//             notification and the beginning of a wait
//
// The two operations belong to different threads and are `orderable`. That uses the clocks of the attempts: the loser of a once
// joins the end of the winner, and a load joins the store that it reads. By the clocks of completion, neither pair would be
// concurrent. The relation is the strong one, except for locks. In the strong relation, a later holder of the lock comes after
// the whole critical section of the first holder, and yet the two sections can run in either order. So lock-lock pairs use the
// weak relation (program order, creation and join, values that atomics read), in which critical sections do not order each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mutator/knowledge/relations.h"

namespace heddle::mutator {

// Best first.
enum class FlowRank : uint8_t {
  outcome,  // class 1
  value,    // class 2, and the values differ: what is read or received changes
  order,    // class 2, and the values are equal
};

struct FlowPair {
  uint32_t first, second;  // events, in the order of the run
  FlowRank rank;
  uint32_t repeat;         // how many earlier pairs of the run have the same two sites
};

// By rank, then pairs of new sites before repetitions, then in the order of the run. A given operation is paired with at most the latest
// operation of each other thread. So the number of pairs is linear in the run's length.
class FlowPairs {
 public:
  // Valid until the next call. The memory is used again.
  std::span<const FlowPair> find(const Relations& run);

 private:
  friend class FlowPairFinder;
  std::vector<FlowPair> pairs_, sorted_;
  std::vector<uint32_t> begin_;
};

}  // namespace heddle::mutator
