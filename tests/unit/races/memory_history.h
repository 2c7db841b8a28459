// Histories of memory: what threads do to a few addresses. The race detector and the slow reference get the same history.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "detector_lab.h"
#include "heap/bad_free.h"
#include "slow_reference.h"

namespace heddle::rt {

// Numbers, read as: what, by whom and how, where, up to where. What is not possible at that point is left out.
using Step = std::tuple<uint16_t, uint16_t, uint16_t, uint16_t>;

// How a whole history is.
struct Manner {
  bool ordered;       // nearly everything is ordered, so that few bytes race
  bool own_position;  // each access has a position of its own; else a thread uses few, as a loop does
};

class MemoryHistory {
 public:
  explicit MemoryHistory(Manner manner);
  ~MemoryHistory();
  void step(const Step& step);
  // What is remembered about each byte: a thread without any order writes to all.
  void probe();
  // Where detector and reference disagree; empty: nowhere.
  std::string disagreement() const;
  bool races() const { return !reference_.owed.empty(); }

 private:
  static constexpr uint32_t kLive = 5, kMutexes = 2;
  static constexpr size_t kNoStack = ~size_t{0};
  using Sort = SlowReference::Sort;
  struct Mutex {
    int owner = -1;
    uintptr_t address = 0;
    SlowReference::Clock released;
  };
  struct Live {
    uint32_t index;
    size_t stack;
  };

  // No other thread has existed yet.
  bool alone() const { return next_thread_ == 1; }
  uintptr_t pc(uint32_t thread);
  void act(uint32_t t, size_t who, uint32_t what, uint32_t detail, uint32_t where, uint32_t to);
  void pass_baton(uint32_t t);
  void plain(uint32_t t, uintptr_t low, uintptr_t high, bool write, uintptr_t pc, bool sampled);
  void loop(uint32_t t, uintptr_t low, uint32_t how);
  void copy(uint32_t t, uintptr_t from, uintptr_t to, size_t size);
  void atomic(uint32_t t, uintptr_t address, uint32_t how);
  void mutex(uint32_t t, uint32_t which, uint32_t how, uintptr_t address);
  void create(uint32_t t, size_t stack);
  void finish(size_t who, uint32_t how);
  void free(uint32_t t, uintptr_t low, uintptr_t high, bool by_program, bool held);
  void last_write(uint32_t t, uintptr_t low, uintptr_t high, uintptr_t position);
  void let_go(uintptr_t block);
  void given_away();
  void born(uintptr_t low, uintptr_t high);
  void unmap(uint32_t t, uintptr_t low, uintptr_t high);
  void discard(uintptr_t low, uintptr_t high);
  void object(uintptr_t address);

  const Manner manner_;
  SlowReference reference_;
  std::vector<Live> live_;
  uint32_t next_thread_ = 1, positions_ = 0, last_ = 0, prober_ = 0;
  Mutex mutexes_[kMutexes];
  SlowReference::Clock baton_;
  std::map<uintptr_t, std::pair<uint32_t, SlowReference::Clock>> atomics_;  // object, and what a read acquires
};

}  // namespace heddle::rt
