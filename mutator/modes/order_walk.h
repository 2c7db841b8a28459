// The recorded operations of each thread once more, in another order: which of them could go, in the states that locks,
// channels, conditions and counts would then have. An estimate, for order_cut.h: what it does not model never blocks.
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

  // A held operation does not go, and its thread not past it.
  void hold(uint32_t event) { held_[event] = 1; }
  void release(uint32_t event) { held_[event] = 0; }
  bool done(uint32_t event) const { return done_[event] != 0; }
  // One step towards the thread's next operation: itself, or else who stands in its way, or else anyone. False: nothing
  // moves.
  bool advance(uint32_t thread);
  bool anyone_held() const;
  // An operation would have gone otherwise than recorded: from there on, nothing is known.
  bool lost() const { return lost_; }
  // The acquisition of a lock that blocks somebody, best this thread, while its owner is held; kNone.
  uint32_t acquisition_in_the_way(uint32_t thread) const;

 private:
  struct Object {
    uint32_t owner = 0;  // thread + 1: of a lock, or of a function that runs once
    uint32_t acquired = kNone;
    uint32_t readers = 0;
    int32_t count = 0;   // values in a channel (below 0: receivers served early), of a wait group
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
  // The thread that the thread's next operation waits for, as far as that is one; kNobody.
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
  std::vector<int32_t> delta_;     // by event: what it changes its wait group's count by
  std::vector<uint8_t> held_, done_;
  uint32_t partner_ = kNobody;     // of the last Answer::with_partner
  bool lost_ = false;
};

}  // namespace heddle::mutator
