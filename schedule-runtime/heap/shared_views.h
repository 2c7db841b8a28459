// Memory that the program sees at several addresses: pages of a file, or of shared anonymous memory, that are mapped more than once.
//
// The runtime stores its knowledge of such memory (objects, accesses) under only one of these addresses, the home: the canonical address.
// It is that of the first view, or of the first writable one. If the home is unmapped, all knowledge moves to another view. So a lock that
// is taken through one view is taken in all, a futex can be woken through any view, and accesses through different views can race.
//
// Almost no program has such memory. Without it, any() is false, and nothing else is checked.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"

namespace heddle::rt {

class SharedViews {
 public:
  // For mapped files: device and number. For anonymous memory: device 0 and a number of its own.
  struct File {
    uint64_t device, number;
    bool operator==(const File&) const = default;
  };
  // A mapping, or a part of one.
  struct View {
    uintptr_t begin, end;
    uint64_t offset;  // what it shows begins there in the file
    uintptr_t home;   // of its first byte; the others' follow
    File file;
    int protection;   // as it was mapped
    bool shared = false;  // since this view exists, there has been another view of some of its memory

    size_t size() const { return end - begin; }
    bool at_home() const { return home == begin; }
    bool writable() const { return (protection & PROT_WRITE) != 0; }
  };
  // Called when the memory gets another home.
  using Moved = void (*)(uintptr_t from, uintptr_t to, size_t size);

  void initialise(Moved moved);

  // Does any memory have several views?
  bool any() const { return any_; }
  uintptr_t home(uintptr_t address) const;
  // Calls `use(address, size)` for the parts of the range, at their homes.
  template <typename Use>
  void each_home(uintptr_t address, size_t size, Use use) const {
    while (size != 0) {
      const View* const v = first_after(address);
      const uintptr_t limit = v == views_.end() ? UINTPTR_MAX : v->begin <= address ? v->end : v->begin;
      const size_t here = size < limit - address ? size : limit - address;
      use(v != views_.end() && v->begin <= address ? v->home + (address - v->begin) : address, here);
      address += here;
      size -= here;
    }
  }

  void add(uintptr_t begin, uintptr_t end, const File& file, uint64_t offset, int protection);
  void end(uintptr_t begin, uintptr_t end);
  // Since it was mapped, has the program had another view of any of it? Then its end is not the end of the memory: accesses may use another
  // view.
  bool seen_elsewhere(uintptr_t begin, uintptr_t end) const;
  // The view that contains the address; null: none.
  const View* at(uintptr_t address) const;
  // How much of a file is mapped from the address on, without a gap. 0: nothing.
  size_t extent(uintptr_t address) const;
  // Calls `use(address, size)` for the mapped parts of [offset, offset + size) of the file, at their homes.
  template <typename Use>
  void each_shown(const File& file, uint64_t offset, uint64_t size, Use use) const {
    for (const View& v : views_) {
      if (!v.at_home() || !(v.file == file) || v.offset >= offset + size || v.offset + v.size() <= offset) continue;
      const uint64_t low = offset > v.offset ? offset : v.offset;
      const uint64_t high = offset + size < v.offset + v.size() ? offset + size : v.offset + v.size();
      use(v.begin + (low - v.offset), high - low);
    }
  }
  bool shows(const File& file) const {
    for (const View& v : views_) {
      if (v.file == file) return true;
    }
    return false;
  }
  bool empty() const { return views_.size() == 0; }
  File anonymous() { return {0, ++anonymous_}; }

 private:
  static constexpr size_t kMost = 1 << 16;

  const View* first_after(uintptr_t address) const;  // the first one that ends after it
  void insert(const View& view);
  void cut(size_t view, size_t after);  // in two, the first of that size
  void cut_homes(uintptr_t home);
  void rehouse(uintptr_t from, uintptr_t to, size_t size);
  void look();

  ReservedArray<View> views_;  // by address; they do not overlap
  Moved moved_ = nullptr;
  uint64_t anonymous_ = 0;
  bool any_ = false;
};

extern constinit SharedViews g_shared_views;
inline SharedViews& shared_views() { return g_shared_views; }

}  // namespace heddle::rt
