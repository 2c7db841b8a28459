// The plain accesses of a watched execution, in their order, for reports: what a value depends on. Of the accesses that a thread makes to the same
// bytes between two of its releases, only the first read and the first write are there: the race detector knows the others. Nothing is there of
// what the main thread did before there was a second one. Of a long execution, the last ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"

namespace heddle::rt {

struct LoggedAccess {
  uintptr_t address;
  uint64_t value;   // that a read found
  uint32_t thread, site;
  uint32_t events;  // how many there had been
  uint32_t size : 30;
  uint32_t write : 1;
  uint32_t has_value : 1;
};

class AccessLog {
 public:
  void initialise() { entries_.reserve(kMost); }
  void begin() { count_ = 0; }
  void add(const LoggedAccess& access) { entries_[count_++ % kMost] = access; }
  // A plain access to memory that cannot go away meanwhile.
  template <size_t size, bool write>
  [[gnu::always_inline]] void add_there(uint32_t thread, uintptr_t address, uint32_t site, uint32_t events) {
    LoggedAccess a = {address, 0, thread, site, events, size, write, false};
    if (!write && values_) {
      if constexpr (size == 1) a.value = *reinterpret_cast<const volatile uint8_t*>(address);
      if constexpr (size == 2) a.value = *reinterpret_cast<const volatile uint16_t*>(address);
      if constexpr (size == 4) a.value = *reinterpret_cast<const volatile uint32_t*>(address);
      if constexpr (size == 8) a.value = *reinterpret_cast<const volatile uint64_t*>(address);
      a.has_value = true;
    }
    add(a);
  }
  // For tests that announce accesses which they do not make.
  void without_values() { values_ = false; }
  bool values() const { return values_; }
  size_t size() const { return count_ < kMost ? count_ : kMost; }
  // By their number in the execution. Of `total`, the last `size` are still there.
  size_t total() const { return count_; }
  bool has(size_t number) const { return number < count_ && number + kMost >= count_; }
  const LoggedAccess& at(size_t number) const { return entries_[number % kMost]; }
  // The oldest first.
  const LoggedAccess& operator[](size_t i) const { return entries_[(count_ < kMost ? i : count_ + i) % kMost]; }

 private:
  static constexpr size_t kMost = 1 << 15;
  ReservedArray<LoggedAccess> entries_;
  size_t count_ = 0;
  bool values_ = true;
};

extern constinit AccessLog g_access_log;
inline AccessLog& access_log() { return g_access_log; }

// A plain access of the program that the detector does not know yet, right before it happens. `there`: the memory cannot go away meanwhile, since
// it is of the heap, or the stack of a thread that lives. `events`: how many there have been.
void log_access(uint32_t thread, uintptr_t address, size_t size, bool write, bool there, uint32_t site, uint32_t events);

// A hash of what the thread has written since there were `events` events, as the memory is now; 0: nothing. Of many writes, the last ones. Large
// values do not count, because they may be addresses, and these can differ between processes.
uint32_t written_since(uint32_t thread, uint32_t events);

}  // namespace heddle::rt
