// Simulates the recorded operations of each thread in another order: which of them could go, given
// the states that locks, channels, conditions and counts would have then. An estimate: what it does
// not model never blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mutator/knowledge/branch_book.h"
#include "mutator/knowledge/known_run.h"
#include "mutator/knowledge/relations.h"
#include "mutator/rng.h"

namespace heddle::mutator {

class OrderWalk {
 public:
  // Everything that committed before `cut` has happened. `branches` may be null.
  OrderWalk(const KnownRun& run, uint32_t cut, const BranchBook* branches = nullptr);

  // A held operation does not go, and its thread stops there.
  void hold(uint32_t event) { flags_[event] |= kHeld; }
  void release(uint32_t event) { flags_[event] &= static_cast<uint8_t>(~kHeld); }
  // This operation shall have another outcome than recorded.
  void divert(uint32_t event) { diverted_ = event; }
  bool done(uint32_t event) const { return (flags_[event] & kDone) != 0; }
  // One step towards the thread's next operation: that operation, else one of the thread that
  // blocks it, else any. False: nothing moves.
  bool advance(uint32_t thread);
  // One step of any thread. False: nothing moves.
  bool wander(Rng& rng);
  bool anyone_held() const;
  // An operation of some thread, or of this one, had another outcome than recorded. Nothing is
  // known of what that thread does then.
  bool lost() const { return lost_; }
  bool lost(uint32_t thread) const { return threads_[thread].lost; }
  // The operations of the last step: one, or a sender and its receiver.
  std::span<const uint32_t> went() const { return {went_, went_count_}; }
  uint32_t threads() const { return static_cast<uint32_t>(threads_.size()); }
  // The thread's next operation; kNone: it has none, or nothing is known of it any more.
  uint32_t at(uint32_t thread) const { return threads_[thread].lost ? kNone : next(thread); }
  bool held(uint32_t event) const { return (flags_[event] & kHeld) != 0; }
  bool blocked(uint32_t event) { return ask(event) == Answer::blocked; }
  // A lock acquisition that blocks a thread, preferably this one, while its owner is held; kNone.
  uint32_t acquisition_in_the_way(uint32_t thread) const;

 private:
  struct Object {
    uint32_t owner =
        0;  // thread + 1 of the holder of a lock, or of the thread that runs a once function
    uint32_t acquired = kNone;
    uint32_t readers = 0;
    int32_t count = 0;  // number of values in a channel (negative: receivers were served early), or
                        // the count of a wait group
    uint32_t capacity = kNone;
    bool over = false;   // closed, or run once
    uint32_t last = kNone;  // the operation that changed it last; of a lock: that released it
    std::vector<uint32_t> sent;        // into a channel
    uint32_t received = 0;
  };
  enum class Side : uint8_t { none, send, receive };
  enum class Answer : uint8_t {
    goes,
    blocked,
    with_partner,
    otherwise,  // it goes, with another outcome than recorded
  };

  static constexpr uint32_t kNobody = kNone;

  uint32_t next(uint32_t thread) const { return threads_[thread].next; }
  void go_on(uint32_t thread);
  bool is_held(uint32_t thread) const;
  // Has it a lock that others wait for? Of a lost thread it is assumed that it gives back what it
  // has.
  bool owned(const Object& o) const { return o.owner != 0 && !threads_[o.owner - 1].lost; }
  bool another_case_ready(uint32_t event) const;
  bool ready(uint32_t thread, uint32_t object, Side side) const;
  bool step(uint32_t thread);
  uint32_t source(uint32_t event) const;
  void note_change(uint32_t event);
  void note_source(uint32_t event);
  void note_deltas();
  void judge(uint32_t event, uint32_t source);
  void lose(uint32_t event);
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
    uint32_t next = kNone;  // its next operation
    uint32_t waits_on = 0;  // a condition variable; 0: none
    bool notified = false;
    bool lost = false;
    bool doubtful = false;  // it has read something else than recorded
  };

  const KnownRun& run_;
  const Relations& relations_;
  const BranchBook* branches_;
  std::vector<Thread> threads_;
  std::vector<Object> objects_;
  std::vector<uint32_t> exit_of_;  // by object of a thread: its last event
  std::vector<int32_t>
      delta_;  // by event: the change of its wait group's count; empty: no such event
  enum : uint8_t { kHeld = 1, kDone = 2, kDoubtful = 4, kSends = 8, kReceives = 16 };
  std::vector<uint8_t> flags_;      // by event
  std::vector<uint32_t> recorded_;  // by event: its source in the run
  uint32_t partner_ = kNobody;     // of the last Answer::with_partner
  uint32_t diverted_ = kNone;
  uint32_t went_[2] = {};
  uint32_t went_count_ = 0;
  bool lost_ = false;
};

}  // namespace heddle::mutator
