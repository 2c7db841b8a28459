// FastTrack over ranges of bytes: which bytes of a granule have the same history, and which have their own.
//
// Bytes are distinguished exactly. A granule of which some bytes have another history than others is split into units of four, two or one bytes.
// Which unit an access is about follows from its address. The units are joined again when all have the same history.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"
#include "races/fast_track.h"
#include "races/shadow.h"

namespace heddle::rt {

enum class Sort : uint8_t { read, write, atomic, destroy };

constexpr uint8_t mask_of(uintptr_t address, size_t size) { return static_cast<uint8_t>(((1u << size) - 1) << (address & 7)); }

class Granules {
 public:
  // Called when a plain write overwrites an object. Returns true if the object is gone.
  using Overwritten = bool (*)(uintptr_t address);

  // Called on an access to memory that was freed.
  using Freed = void (*)(uintptr_t block, uintptr_t address, uint64_t now);

  void initialise(FastTrack::Race race, const uint32_t& events, Overwritten overwritten, Freed freed);
  void begin();

  // An access of any size at any address by the running thread (`cells.run`).
  void access(uintptr_t address, size_t size, Sort sort, uint64_t now);
  // The same for a plain access within one granule. Fast for bytes that no other thread has accessed, which are most.
  [[gnu::always_inline]] void plain_within(uintptr_t address, size_t size, bool write, uint64_t now) {
    if (Granule* const g = shadow().at(address)) plain_within(*g, address, size, write, now);
  }
  // `g`: the granule of the address.
  [[gnu::always_inline]] void plain_within(Granule& g, uintptr_t address, size_t size, bool write, uint64_t now) {
    const uint8_t mask = mask_of(address, size);
    if (__builtin_expect(g.holds_one_history(), 1)) {
      if (g.mask == mask) {
        if (FastTrack::own(g.cell, write, now)) return;
      } else if ((g.mask & mask) == 0) {
        // Either no byte was accessed yet, or the bytes next to these were just accessed in the same way. Most often this is the next step
        // of a loop.
        const Cell fresh = write ? Cell{now, 0, 0} : Cell{0, now, 0};
        if (g.mask == 0) g.cell = fresh;
        if (equal(g.cell, fresh)) {
          g.mask |= mask;
          return;
        }
      }
    }
    granule(g, address, mask, write ? Sort::write : Sort::read, now);
  }
  // The same, where nothing has to be called for it: for 1 << `shift` bytes in a valid granule. That it is known already, comes first.
  enum class Quick : uint8_t { known, recorded, all_alike, no };  // all_alike: recorded, and `join` may have something to do. no: nothing was done
  template <bool write>
  [[gnu::always_inline]] Quick quick(Granule& g, uintptr_t address, uint32_t shift, uint64_t now) {
    const uint8_t mask = mask_of(address, size_t{1} << shift);
    if (__builtin_expect(g.holds_one_history(), 1)) {
      if ((g.mask & mask) != 0) {
        if ((g.mask & mask) == mask && Access::same_epoch(write ? g.cell.write : g.cell.read, now)) return Quick::known;
        return g.mask == mask && FastTrack::own(g.cell, write, now) ? Quick::recorded : Quick::no;
      }
      const Cell fresh = write ? Cell{now, 0, 0} : Cell{0, now, 0};
      if (g.mask == 0) g.cell = fresh;
      else if (!equal(g.cell, fresh)) return Quick::no;
      g.mask |= mask;
      return Quick::recorded;
    }
    if (g.word() >> 40 != Granule::kSplit >> 40 || !Access::same_epoch(g.cell.read, now)) return Quick::no;
    const uint64_t bytes = write ? uint64_t{mask} << 8 : mask;
    if ((g.cell.read & bytes) == bytes) return Quick::known;
    Parts& p = parts_[g.cell.write];
    const Cell* const first = p.cell;
    Cell& c = p.cell[(address & 7) >> shift];
    if (p.shift != shift || !FastTrack::own(c, write, now)) return Quick::no;
    g.mask |= mask;
    g.cell.read |= bytes;
    // A loop over the bytes has mostly not come to the next one yet.
    const unsigned next = ((address & 7) + (1u << shift)) & 7;
    return (g.mask >> next & 1) != 0 && !equal(c, first[next >> shift]) ? Quick::recorded : Quick::all_alike;
  }
  // The granule is no longer split if all its units have the same history. REQUIRES: it is split, and so far they had not.
  void join(Granule& g);
  // Marks the granules of a freed block, so that later accesses are found until the memory is forgotten. `now` is the access that frees.
  // Races with it have already been checked.
  void freed(uintptr_t block, size_t size, uint64_t now);
  bool any_freed() const { return any_freed_; }
  // A plain write to all bytes of a block that `freed` marks right after it, or that is forgotten. So it is checked, and not recorded. `over_objects`:
  // it overwrites objects there.
  void last_write(uintptr_t address, size_t size, bool over_objects, uint64_t now);
  // What is known there was known at another address before.
  void moved(uintptr_t address, size_t size);
  // How much memory split granules use, for tests.
  size_t parts_used() const { return parts_.size(); }
  // Only the effect of a plain write on objects there; the access itself is not recorded.
  void write_over_objects(uintptr_t address, size_t size);
  // Was the memory at the address freed, so far as it is known?
  bool holds_freed(uintptr_t address) const {
    const Granule* const g = shadow().at(address);
    return g != nullptr && g->freed;
  }
  // The last write to the byte, if it was a plain one and is known; else 0.
  uint64_t plain_write_at(uintptr_t address);
  // Called before an object at the address is used.
  void check_freed(uintptr_t address, uint64_t now) {
    Granule* const g = shadow().at(address);
    if (g != nullptr && g->freed) after_the_end(*g, address, now);
  }
  // One atomic access. Most lie within one granule and use the same bytes as earlier ones.
  [[gnu::always_inline]] void atomic(uintptr_t address, size_t size, uint64_t now) {
    if ((address & 7) + size <= 8) {
      Granule* const g = shadow().at(address);
      if (g == nullptr) return;
      if (Cell* const c = cell_of(*g, mask_of(address, size))) return cells.atomic(*c, address, now);
    }
    access(address, size, Sort::atomic, now);
  }
  // For bytes within one granule: true if an access in the epoch (Access::epoch) adds nothing to what is known about them.
  [[gnu::always_inline]] bool known(uintptr_t address, size_t size, bool write, uint64_t epoch) {
    const Granule* const g = shadow().at(address);
    return __builtin_expect(g == nullptr, 0) || known(*g, address, size, write, epoch);
  }
  [[gnu::always_inline]] bool known(const Granule& g, uintptr_t address, size_t size, bool write, uint64_t epoch) {
    const uint8_t mask = mask_of(address, size);
    if ((g.mask & mask) != mask || (write && (g.objects & mask) != 0)) return false;
    if (__builtin_expect(g.split, 0)) {
      if (!Access::same_epoch(g.cell.read, epoch)) return known_parts(g, mask, write, epoch);
      const uint64_t wanted = write ? uint64_t{mask} << 8 : mask;
      return (g.cell.read & wanted) == wanted;
    }
    return Access::same_epoch(write ? g.cell.write : g.cell.read, epoch);
  }

  FastTrack cells;

 private:
  // Compares references, not contents: two sets are never equal.
  [[gnu::always_inline]] static bool equal(const Cell& a, const Cell& b) {
    return ((a.write ^ b.write) | (a.read ^ b.read) | (a.atomic ^ b.atomic)) == 0;
  }

  // A split granule: the histories of its units. A unit of which no byte was accessed has none, and all of a unit or nothing was accessed.
  struct Parts {
    uintptr_t owner;  // an address in the granule; 0: unused
    uint32_t next;    // of an unused entry: 1 + the index of the next one
    uint32_t shift;   // a unit has 1 << shift bytes
    Cell cell[8];
  };
  // The largest units that the bytes consist of.
  static constexpr uint32_t unit_shift(uint8_t mask) {
    if (((mask ^ mask >> 1) & 0x55) != 0) return 0;
    return ((mask ^ mask >> 2) & 0x33) != 0 ? 1 : 2;
  }
  static constexpr uint8_t unit_mask(uint32_t unit, uint32_t shift) {
    return static_cast<uint8_t>(((1u << (1u << shift)) - 1) << (unit << shift));
  }

  // The cell of exactly these bytes; null if there is none yet.
  [[gnu::always_inline]] Cell* cell_of(Granule& g, uint8_t mask) {
    if (!g.split) return __builtin_expect(g.mask == mask, 1) ? &g.cell : nullptr;
    Parts& p = parts_[g.cell.write];
    const uint32_t unit = static_cast<uint32_t>(__builtin_ctz(mask)) >> p.shift;
    return (g.mask & mask) == mask && unit_mask(unit, p.shift) == mask ? &p.cell[unit] : nullptr;
  }
  void granule(Granule& g, uintptr_t address, uint8_t mask, Sort sort, uint64_t now);
  void units(Granule& g, uintptr_t address, uint8_t mask, Sort sort, uint64_t now);
  static uint64_t known_units(const Parts& p, uint64_t now);
  bool known_parts(const Granule& g, uint8_t mask, bool write, uint64_t epoch) const;
  void release(uint32_t parts);
  void whole_granules(uintptr_t& at, uintptr_t end, Sort sort, uint64_t now);
  bool split(Granule& g, uintptr_t address, uint8_t mask, uint64_t now);
  void make_smaller(Parts& p, uint32_t shift);
  Cell copied(const Cell& c);
  bool take_parts(uint32_t& index);
  void collect_parts();
  void cell(Cell& c, uintptr_t address, Sort sort, uint64_t now);
  void write_over_objects(Granule& g, uintptr_t address, uint8_t mask);

  void after_the_end(Granule& g, uintptr_t address, uint64_t now);

  Overwritten overwritten_ = nullptr;
  Freed freed_ = nullptr;
  ReservedArray<Parts> parts_;
  bool any_freed_ = false;
  uint32_t free_parts_ = 0;  // 1 + index of the first unused entry
  size_t collect_at_ = 0;    // see collect_parts()
};

}  // namespace heddle::rt
