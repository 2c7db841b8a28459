// Pairs of operations whose other order may make the program go another way (docs/design/flow.md#pairs): if the first is
// held until the second has gone, something comes out differently.
//
//   class 1   the first took effect, so the second did not: the one that ran the once function and one that came too late;
//             who held a lock (had the semaphore's last token) and a try that failed or a timed wait that ran out; the latest
//             receive, send, lock or wait of another thread and one that never finished
//   class 2   both took effect, in this order: send-send, receive-receive, lock-lock, write-write and write-read of an atomic,
//             notification and the beginning of a wait
//
// The two belong to different threads and are `orderable`, which goes by the clocks of the attempts: the loser of a once joins the
// winner's end, and a load the store it reads, so that by the clocks of completion neither pair would ever be concurrent. The
// relation is the strong one, with one exception: locks. Who had another lock after the first one's release comes, in the strong
// relation, after the first one's whole critical section, and yet the two sections may go in either order. So lock-lock
// pairs are judged by the weak relation (program order, creation and join, what atomics read), in which critical sections do not order each other.
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/knowledge/relations.h"

namespace heddle::mutator {

// Best first.
enum class FlowRank : uint8_t {
  outcome,  // class 1
  value,    // class 2, and the values differ: what is read or received changes
  order,    // class 2, and nothing tells the values apart
};

struct FlowPair {
  uint32_t first, second;  // events, in the order of the run
  FlowRank rank;
  uint32_t repeat;         // how many pairs of these two sites come before it in the run
};

// By rank, then pairs of new sites before repetitions, then as in the run. At most the latest operation of each other thread
// is paired with a given one, so their number is linear in the run's length.
std::vector<FlowPair> flow_pairs(const Relations& run);

}  // namespace heddle::mutator
