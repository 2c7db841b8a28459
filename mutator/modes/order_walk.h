// Simulates the recorded operations of each thread in another order: which of them could go, given the states that locks, channels,
// conditions and counts would have then. An estimate for order_cut.h: what it does not model never blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/knowledge/known_run.h"
#include "mutator/knowledge/relations.h"

namespace heddle::mutator {

class OrderWalk {
 public:
  // Everything that committed before `cut` has happened.
  OrderWalk(const KnownRun& run, uint32_t cut);

  // A held operation does not go, and its thread stops there.
  void hold(uint32_t event) { held_[event] = 1; }
  void release(uint32_t event) { held_[event] = 0; }
  bool done(uint32_t event) const { return done_[event] != 0; }
  // One step towards the thread's next operation: that operation, else one of the thread that blocks it, else any. False: nothing moves.
  // moves.
  bool advance(uint32_t thread);
  bool anyone_held() const;
  // An operation would have another outcome than recorded. From there on, nothing is known.
  bool lost() const { return lost_; }
  // A lock acquisition that blocks a thread, preferably this one, while its owner is held; kNone.
  uint32_t acquisition_in_the_way(uint32_t thread) const;

 private:
  struct Object {
    uint32_t owner = 0;  // thread + 1 of the holder of a lock, or of the thread that runs a once function
    uint32_t acquired = kNone;
    uint32_t readers = 0;
    int32_t count = 0;   // number of values in a channel (negative: receivers were served early), or the count of a wait group
    uint32_t capacity = kNone;
    bool over = false;   // closed, or run once
  };
  enum class Side : uint8_t { none, send, receive };
  enum class Answer : uint8_t { goes, blocked, with_partner };

  static constexpr uint32_t kNobody = kNone;

  uint32_t next(uint32_t thread) const;
  bool is_held(uint32_t thread) const;
  bool step(uint32_t thread);
  Answer ask(uint32_t event);
  Answer ask_lock(const Event& e);
  Answer ask_channel(const Event& e, Side side);
  Answer ask_once(const Event& e);
  void apply(uint32_t event);
  void notify(uint32_t event, bool all);
  Side side(uint32_t event) const;
  // The thread that the thread's next operation waits for, if it is a single one; kNobody.
  uint32_t blocker(uint32_t thread) const;
  Object& object(uint32_t o) { return objects_[o < objects_.size() ? o : 0]; }
  const Object& object(uint32_t o) const { return objects_[o < objects_.size() ? o : 0]; }

  struct Thread {
    std::vector<uint32_t> events;
    size_t at = 0;
    uint32_t waits_on = 0;  // a condition variable; 0: none
    bool notified = false;
  };

  const KnownRun& run_;
  std::vector<Thread> threads_;
  std::vector<Object> objects_;
  std::vector<uint32_t> exit_of_;  // by object of a thread: its last event
  std::vector<int32_t> delta_;     // by event: the change of its wait group's count
  std::vector<uint8_t> held_, done_;
  uint32_t partner_ = kNobody;     // of the last Answer::with_partner
  bool lost_ = false;
};

}  // namespace heddle::mutator
