// A cache in front of known_access, with accesses for which the answer was just "yes". The answer can change with each event, because
// another thread may have run, and clocks move. So each event forgets the whole cache. If memory gets another owner, or an object begins,
// only the entries there are forgotten.
//
// Direct-mapped, with one table for reads and one for writes, and one entry per granule: its number, the bytes, and a time stamp. A thread
// that is not controlled has stamp 0, which no entry has. While the cache is hidden, all threads have stamp 0.
//
// Ranges have tables of their own, because a loop mostly copies the same one again. They also know long ranges. If a part of any memory is
// forgotten, all of them are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

class RecentAccesses {
 public:
  // On any thread, for any address. `size` is a compile-time constant.
  [[gnu::always_inline]] bool contains(uintptr_t address, size_t size, bool write) const {
    return holds(address, size, write, tls_stamp);
  }
  // On the running thread, like everything below. Works also while the cache is hidden.
  [[gnu::always_inline]] bool contains_hidden(uintptr_t address, size_t size, bool write) const {
    return holds(address, size, write, stamp_);
  }
  // The same for ranges. A part of a long range is not found.
  [[gnu::always_inline]] bool contains_range(uintptr_t address, size_t size, bool write) const {
    if (const Range& r = ranges_[write][range_index(address, size)]; r.address == address && r.what == range_key(size)) return true;
    if (size > kShort) return false;
    for (const uintptr_t end = address + size; address < end;) {
      const size_t here = part(address, end);
      if (!within(address, here, write, stamp_)) return false;
      address += here;
    }
    return true;
  }
  [[gnu::always_inline]] void add(uintptr_t address, size_t size, bool write) {
    if (size == 16) add_within(address, 8, write), add_within(address + 8, 8, write);
    else add_within(address, size, write);
  }
  void add_range(uintptr_t address, size_t size, bool write) {
    if (size > sizeof(uint64_t) && size < kLongest) ranges_[write][range_index(address, size)] = {address, range_key(size)};
    if (size > kShort) return;
    for (const uintptr_t end = address + size; address < end;) {
      const size_t here = part(address, end);
      add_within(address, here, write);
      address += here;
    }
  }

  // From the next forget() on, contains() returns false, because another check has to come first.
  void hide(bool hidden) { shown_ = hidden ? 0 : ~uint64_t{0}; }
  void forget() {
    stamp_ += kStep;
    if (__builtin_expect(stamp_ == 0, 0)) start_over();
    tls_stamp = stamp_ & shown_;
  }
  // The running thread finds nothing until the next forget(): for an execution that adds nothing.
  static void rest() { tls_stamp = 0; }
  void forget(uintptr_t address, size_t size) {
    if (size > kShort) return forget();
    forgotten_ += kLongest;
    for (uintptr_t at = address & ~uintptr_t{7}; at < address + size; at += 8) tables_[0][index(at)] = tables_[1][index(at)] = 0;
  }

 private:
  static constexpr size_t kEntries = 1 << 12, kShort = 256;
  // An entry: stamp, number of the granule (44 bits), bytes.
  static constexpr uint64_t kStep = 1ull << 52, kBytes = 0xFF;
  static constexpr size_t kRanges = 1 << 8, kLongest = 1 << 16;
  struct Range {
    uintptr_t address;
    uint64_t what;  // the stamp, how often parts of memory had been forgotten, and the size
  };

  static size_t index(uintptr_t address) { return (address >> 3) % kEntries; }
  static size_t range_index(uintptr_t address, size_t size) { return (address >> 3 ^ size) % kRanges; }
  // For a size that is too large it is one that no entry has.
  uint64_t range_key(size_t size) const { return stamp_ | (forgotten_ & (kStep - 1)) | (size < kLongest ? size : 0); }
  static uint64_t bytes(uintptr_t address, size_t size) { return ((1ull << size) - 1) << (address & 7); }
  static uint64_t key(uintptr_t address, uint64_t stamp) { return address >> 3 << 8 | stamp; }
  static size_t part(uintptr_t address, uintptr_t end) {
    const size_t left = 8 - (address & 7);
    return end - address < left ? end - address : left;
  }
  [[gnu::always_inline]] bool holds(uintptr_t address, size_t size, bool write, uint64_t stamp) const {
    if (size == 16) return (address & 7) == 0 && within(address, 8, write, stamp) && within(address + 8, 8, write, stamp);
    return (size == 1 || (address & 7) + size <= 8) && within(address, size, write, stamp);
  }
  // The bytes lie within one granule.
  [[gnu::always_inline]] bool within(uintptr_t address, size_t size, bool write, uint64_t stamp) const {
    const uint64_t entry = tables_[write][index(address)], wanted = bytes(address, size);
    return ((entry ^ key(address, stamp)) & (~kBytes | wanted)) == wanted;
  }
  [[gnu::always_inline]] void add_within(uintptr_t address, size_t size, bool write) {
    uint64_t& entry = tables_[write][index(address)];
    const uint64_t k = key(address, stamp_);
    entry = ((entry ^ k) & ~kBytes) == 0 ? entry | bytes(address, size) : k | bytes(address, size);
  }
  // Called when the stamps wrap around.
  void start_over();

  static thread_local constinit uint64_t tls_stamp;
  uint64_t stamp_ = 0;
  uint64_t shown_ = ~uint64_t{0};
  uint64_t forgotten_ = 0;
  uint64_t tables_[2][kEntries] = {};
  Range ranges_[2][kRanges] = {};
};

extern constinit RecentAccesses g_recent_accesses;
inline RecentAccesses& recent_accesses() { return g_recent_accesses; }

}  // namespace heddle::rt
