// The components of vector clocks. A thread that has ended, and whose end its creator knew of, leaves its component, its lane, to the new
// thread: the two are one chain of events, and their epochs go on. So the clocks of a program that starts and joins threads all the time are
// as long as its threads at once, not as all threads that it ever had. Nothing is lost: who has seen an epoch of the later thread knows
// all of the earlier one.
#pragma once

#include <cstdint>

#include "order/memory.h"
#include "order/vector_clock.h"

namespace heddle::order {

class Lanes {
 public:
  explicit Lanes(Memory memory) : memory_(memory) {}

  // The thread's lane; a new one if it has none yet.
  [[gnu::always_inline]] uint32_t of(uint32_t thread) {
    const uint32_t lane = by_thread_.at(thread, memory_);
    return __builtin_expect(lane != 0, 1) ? lane - 1 : open(thread);
  }
  // A thread begins, if it has no lane yet. `creator`: what its creation knows of the other lanes. True: it goes on in the lane of an ended one.
  bool begin(uint32_t thread, const VectorClock& creator) { return begin(thread, creator.data(), creator.size()); }
  bool begin(uint32_t thread, const uint32_t* creator, uint32_t size);
  // The thread's last operation had this epoch.
  void end(uint32_t thread, uint32_t epoch);
  // The thread that an epoch of a lane belongs to.
  uint32_t thread_at(uint32_t lane, uint32_t epoch) const;

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  struct Use {
    uint32_t thread;
    uint32_t begin;  // its first epoch
  };
  struct Lane {
    Use* uses = nullptr;
    uint32_t count = 0, capacity = 0;
    bool ended = false;
    uint32_t last = 0;      // if ended: the last epoch
    uint32_t next = kNone;  // in the queue of free lanes
  };

  uint32_t open(uint32_t thread);
  void give(uint32_t lane, uint32_t thread, uint32_t begin);
  void free(uint32_t lane);

  Memory memory_;
  ChunkTable<uint32_t, 6> by_thread_;  // lane + 1
  ChunkTable<Lane> lanes_;
  uint32_t count_ = 0;
  uint32_t first_free_ = kNone, last_free_ = kNone;
};

}  // namespace heddle::order
