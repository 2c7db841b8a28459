// The states of the shared memory that runs have come to, and ways back to each.
//
// A state is what the atomics and the locks contain that several threads use, and at which position the last operation was. The content of an
// atomic is its value. That of a lock is whether it is held, and what its last section has written. For anything else, the last change
// stands. Which thread has done it does not count. So a program has few states, also if it has very many orders. A rare state is news where
// an order is not. Ordinary variables count only if a run shares nothing else: there are often many, and what they contain follows.
//
// A state can be a dead end, because a thread is about to spoil it. So a state has situations: the contents of ordinary variables, too, and
// the positions of all threads, without saying whose they are. From a situation, each thread can make the next step. A step that nobody has
// made from there is tried before any is made again.
//
// The idea is that of Go-Explore (Ecoffet et al., Nature 2021): keep what was reached, return to what was returned to least, and explore from
// there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "mutator/knowledge/known_run.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

class StateBook {
 public:
  // False: its order is known, it cannot be repeated, or it is too long.
  static bool learns_from(const KnownRun& run);
  // `schedule` has made the run.
  void learn(const KnownRun& run, const Schedule& schedule);
  // There is nothing to return to, or too many returns have shown nothing new.
  bool exhausted() const { return in_vain_ >= kTries * situations_.size(); }
  size_t states() const { return states_.size(); }
  size_t situations() const { return situations_.size(); }

  // A schedule that returns to a rare state: the operations of a run up to there, while all others wait. Seed and strategy are for what comes
  // then, and are left open. REQUIRES: !exhausted()
  Schedule return_to_rare(Rng& rng);

 private:
  static constexpr size_t kLongestRun = 256;  // events. Of a longer run, most ways back would not come true
  static constexpr size_t kMost = 1 << 14;    // states, and situations; later ones are not kept. Full, that is 100 to 300 MB
  static constexpr uint32_t kStatesDrawn = 32, kSituationsDrawn = 8;  // of them the one that was returned to least is taken
  static constexpr uint32_t kNoSituation = ~0u;
  static constexpr size_t kTries = 16;        // returns to each situation without anything new

  // Of an object, at one time of a run. For what is no memory and no lock, the last change stands for the content.
  struct Content {
    uint64_t left = 0;      // by the last store; of a lock: by the last section that has written
    uint64_t held = 0;      // the position of the operation that has taken the lock; 0: it is free
    bool variable = false;  // an ordinary one, by the first change
    uint32_t free_from = 0;  // of a lock: the length of the path with which it was given back last
    void change(const Event& e);
    uint64_t hash(uint64_t object) const;
  };
  // The operations of one run. The ways to many situations share it.
  struct Path {
    Schedule base;  // what it says without an order, and which plain accesses are operations
    std::vector<Element> operations;
    std::vector<uint32_t> waiters;  // of each operation: see waiter_of()
    std::vector<uint32_t> ready;    // of each operation: the length from which on it need not wait, as far as the run tells
    struct Choice {
      uint32_t operation;
      SelectPreference taken;
    };
    std::vector<Choice> choices;

    // The first operation of each thread that is not made.
    std::vector<uint32_t> next_of_threads(const std::vector<bool>& made) const;
  };
  // See Path::ready. Of what waits for no lock, nothing is known but where the run has made it.
  static uint32_t ready(const Event& e, const Content& lock, uint32_t number);
  // The first `length` operations of a path.
  struct Way {
    std::shared_ptr<const Path> path;
    uint32_t length = 0;
    uint32_t shortest = 0;  // of all ways to there
    bool used = false;      // somebody has returned by this one
    uint32_t returned = 0;  // how often somebody has returned by any of them

    void offer(const std::shared_ptr<const Path>& other, uint32_t other_length);
    // `step`: another operation of the path, its thread's next one, which comes after the first `length`; or none.
    Schedule take(std::optional<uint32_t> step);
  };
  struct Situation {
    Way way;
    uint64_t tried = 0;  // bit_of() each next step that a run has made, or was asked to make

    // The threads' next operations in the path that are not tried and need not wait.
    std::vector<uint32_t> untried() const;
  };
  struct State {
    Way way;
    std::vector<uint32_t> situations;  // in situations_
  };
  // The situation's number; kNoSituation: there is no room for it.
  uint32_t came_to(uint64_t state, uint64_t situation, const std::shared_ptr<const Path>& path);
  template <typename T>
  T* find_or_add(std::unordered_map<uint64_t, uint32_t>& index, std::vector<T>& all, uint64_t key);

  std::vector<State> states_;
  std::vector<Situation> situations_;
  std::unordered_map<uint64_t, uint32_t> state_index_, situation_index_;
  size_t in_vain_ = 0;             // returns since the last new state or situation
  std::vector<Content> contents_;  // of learn(), by object; kept for its capacity
};

}  // namespace heddle::mutator
