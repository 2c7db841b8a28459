// Race detection the slow way: every access to every byte is kept, with its thread's full vector clock, and each new one is compared with all.
//
// For ranges too large for that, only the watched bytes. The caller guarantees that all bytes between two of them are treated alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::rt {

class SlowReference {
 public:
  using Clock = std::vector<uint32_t>;  // by thread: how many of its accesses
  enum class Sort : uint8_t { read, write, atomic_read, atomic_write };

  // (byte, position, position): nothing else may be reported. The smaller position first.
  using Race = std::tuple<uintptr_t, uintptr_t, uintptr_t>;
  using Pair = std::pair<uintptr_t, uintptr_t>;
  std::set<Race> real;
  // A race that must be reported, as one of these pairs: the pairs of sites that represent its two accesses. For each byte FastTrack keeps the last
  // write, and the last reads and atomic operations since then. In this,
  //   a later access represents those that are ordered before it and conflict with nothing else, and
  //   one access of an epoch represents all of its kind: until its thread publishes something, a thread that knows one knows all.
  std::vector<std::set<Pair>> owed;

  struct UseAfterFree {
    uintptr_t address, block;
    uint32_t thread;
    bool write;
    bool operator==(const UseAfterFree&) const = default;
  };
  std::vector<UseAfterFree> uses_after_free;
  std::multiset<std::pair<uintptr_t, bool>> ended_objects;  // and whether by a write

  void watch(uintptr_t byte) { bytes_[byte]; }
  // The watched byte that represents this one.
  uintptr_t watched(uintptr_t byte) const { return std::prev(bytes_.upper_bound(byte))->first; }

  // What orders: a publication is what others may acquire later.
  Clock publish(uint32_t thread);
  void acquire(uint32_t thread, const Clock& from) { join(thread_at(thread).clock, from); }
  static void join(Clock& to, const Clock& from);

  void access(uint32_t thread, uintptr_t low, uintptr_t high, Sort sort, uintptr_t pc, bool over_objects = true);
  void end_of_memory(uint32_t thread, uintptr_t low, uintptr_t high, uintptr_t pc);
  // The end of a block; `held`: the allocator is not given it until it is let go. Only the first one counts.
  void ended(uintptr_t block, bool held);
  void let_go(uintptr_t block) { held_blocks_.erase(block); }
  // Its bytes, from now on.
  void freed(uint32_t thread, uintptr_t low, uintptr_t high, uintptr_t pc);
  void reborn(uintptr_t block) { freed_blocks_.erase(block), held_blocks_.erase(block); }
  // Code outside of control got a block, and it is not known which.
  void given_away();
  void discarded(uintptr_t low, uintptr_t high);
  // Words change hands as a whole.
  void forget(uintptr_t low, uintptr_t high);
  void object(uintptr_t address) { objects_.insert(address); }
  static bool survives_a_write(uintptr_t object) { return object % 3 == 0; }

 private:
  struct Access {
    uint32_t thread, tick, epoch;
    Sort sort;
    uintptr_t pc;
    Clock clock;  // of its thread then
    bool write() const { return sort == Sort::write || sort == Sort::atomic_write; }
    bool atomic() const { return sort == Sort::atomic_read || sort == Sort::atomic_write; }
  };
  struct Byte {
    std::vector<Access> history;
    uintptr_t freed = 0;  // the block that it belonged to, until it is accessed
  };
  struct ThreadState {
    Clock clock;
    uint32_t tick = 0, epoch = 0;
  };
  ThreadState& thread_at(uint32_t thread);
  Access make(uint32_t thread, Sort sort, uintptr_t pc);
  static bool ordered(const Access& a, const Access& b);
  void meet(uintptr_t at, Byte& byte, const Access& now);
  void after_the_end(uintptr_t at, uintptr_t block, const Access& now);
  template <typename Use>
  void each(uintptr_t low, uintptr_t high, Use use);

  std::map<uintptr_t, Byte> bytes_;
  std::vector<ThreadState> threads_;
  std::set<uintptr_t> freed_blocks_, held_blocks_, objects_;
};

}  // namespace heddle::rt
