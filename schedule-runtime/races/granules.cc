#include "races/granules.h"

#include "races/full_table.h"

namespace heddle::rt {
namespace {

constexpr size_t kFirstCollection = 1024;  // parts in use; 200 KiB

}  // namespace

void Granules::initialise(FastTrack::Race race, const uint32_t& events, Overwritten overwritten, Freed freed) {
  cells.initialise(race, events);
  overwritten_ = overwritten;
  freed_ = freed;
  parts_.reserve(1 << 22);
}

void Granules::begin() {
  cells.sets.begin();
  parts_.clear();
  free_parts_ = 0;
  collect_at_ = kFirstCollection;
  any_freed_ = false;
}

// Memory that is freed, or gets another owner, is forgotten a page at a time. So its parts are not released then, but found here when many are in use.
// Without that, a loop that builds strings would take new parts in each round.
void Granules::collect_parts() {
  size_t used = 0;
  for (uint32_t i = 0; i < parts_.size(); ++i) {
    Parts& p = parts_[i];
    if (p.owner == 0) continue;
    const Granule* const g = shadow().known_at(p.owner);
    if (g != nullptr && g->split && g->cell.write == i) ++used;
    else release(i);
  }
  collect_at_ = used < kFirstCollection / 2 ? kFirstCollection : 2 * used;
}

void Granules::moved(uintptr_t address, size_t size) {
  shadow().visit_known(address, size, [&](uintptr_t at, Granule& g) {
    if (g.split) parts_[g.cell.write].owner = at;
  });
}

bool Granules::take_parts(uint32_t& index) {
  if (free_parts_ == 0 && parts_.size() >= collect_at_) collect_parts();
  if (free_parts_ != 0) {
    index = free_parts_ - 1;
    free_parts_ = parts_[index].next;
    return true;
  }
  if (parts_.full()) {
    say_full("words with accesses to single bytes");
    return false;
  }
  index = static_cast<uint32_t>(parts_.size());
  parts_.push();
  return true;
}

// For one more unit. Units may share a set of reads, which is copied before only some of them change it. They do not share sets of atomic operations,
// because these change without a look at the other units (Granules::atomic).
[[gnu::always_inline]] inline Cell Granules::copied(const Cell& c) {
  if (__builtin_expect(!AccessSets::is_set(c.atomic), 1)) return c;
  return {c.write, c.read, cells.copy({0, 0, c.atomic}).atomic};
}

// Splits a granule into units of which the bytes of `mask` consist. False: there is no room.
bool Granules::split(Granule& g, uintptr_t address, uint8_t mask, uint64_t now) {
  uint32_t index;
  if (!take_parts(index)) return false;
  Parts& p = parts_[index];
  const uint32_t known = unit_shift(g.mask), wanted = unit_shift(mask);
  p.owner = address;
  p.shift = known < wanted ? known : wanted;
  const Cell c = g.cell;
  const uint32_t units = 8u >> p.shift;
  for (uint32_t i = 0; i < units; ++i) p.cell[i] = c;
  if (g.mask != 0xFF || AccessSets::is_set(c.atomic)) {
    bool taken = false;
    for (uint32_t i = 0; i < units; ++i) {
      const bool accessed = (g.mask >> (i << p.shift) & 1) != 0;
      if (!accessed) p.cell[i] = {0, 0, 0};
      else if (taken) p.cell[i] = copied(c);
      taken |= accessed;
    }
  }
  const auto in_epoch = [&](uint64_t access) { return Access::same_epoch(access, now) ? g.mask : uint8_t{0}; };
  const uint64_t bytes = Granule::known_bytes(now & Access::kEpochMask, in_epoch(g.cell.read), in_epoch(g.cell.write));
  g.split = true;
  g.cell = {index, bytes, 0};
  return true;
}

__attribute__((noinline)) void Granules::make_smaller(Parts& p, uint32_t shift) {
  const uint32_t by = p.shift - shift;
  for (uint32_t i = 8u >> shift; i-- > 0;) {
    const uint32_t from = i >> by;
    p.cell[i] = i == from << by ? p.cell[from] : copied(p.cell[from]);
  }
  p.shift = shift;
}

void Granules::join(Granule& g) {
  const auto index = static_cast<uint32_t>(g.cell.write);
  const Parts& p = parts_[index];
  const Cell& c = p.cell[static_cast<uint32_t>(__builtin_ctz(g.mask)) >> p.shift];
  for (uint32_t i = 8u >> p.shift; i-- > 0;) {
    if ((g.mask >> (i << p.shift) & 1) != 0 && !equal(p.cell[i], c)) return;
  }
  g.split = false;
  g.cell = c;
  release(index);
}

void Granules::release(uint32_t parts) {
  parts_[parts].owner = 0;
  parts_[parts].next = free_parts_;
  free_parts_ = parts + 1;
}

// What known_access checks in a split granule.
uint64_t Granules::known_units(const Parts& p, uint64_t now) {
  uint8_t read = 0, written = 0;
  for (uint32_t i = 0; i < 8u >> p.shift; ++i) {
    if (Access::same_epoch(p.cell[i].read, now)) read |= unit_mask(i, p.shift);
    if (Access::same_epoch(p.cell[i].write, now)) written |= unit_mask(i, p.shift);
  }
  return Granule::known_bytes(now & Access::kEpochMask, read, written);
}

// An access to a split granule. REQUIRES: the bytes are side by side.
void Granules::units(Granule& g, uintptr_t address, uint8_t mask, Sort sort, uint64_t now) {
  Parts& p = parts_[g.cell.write];
  if (const uint32_t shift = unit_shift(mask); shift < p.shift) make_smaller(p, shift);
  const bool write = sort == Sort::write;
  const uint32_t shift = p.shift, end = 32 - static_cast<uint32_t>(__builtin_clz(mask));
  // Of units that others have accessed, too: the following ones with the same history are treated alike, and have the same one afterwards.
  const auto alike = [&](uint32_t first) __attribute__((noinline)) {
    const Cell before = p.cell[first];
    Cell after = before;
    uint8_t bytes = unit_mask(first, shift);
    bool shared = false;
    for (uint32_t i = 0; i < 8u >> shift; ++i) {
      const uint8_t unit = unit_mask(i, shift);
      if (i > first && sort != Sort::atomic && (mask & unit) != 0 && equal(p.cell[i], before)) bytes |= unit;
      else if (i != first) shared |= p.cell[i].read == before.read;
    }
    if (shared && sort == Sort::read && AccessSets::is_set(before.read)) after.read = cells.copy({0, before.read, 0}).read;
    cell(after, (address & ~uintptr_t{7}) + (first << shift), sort, now);
    for (uint32_t i = first; i < 8u >> shift; ++i) {
      if ((bytes & unit_mask(i, shift)) != 0) p.cell[i] = after;
    }
    return bytes;
  };
  uint8_t own = mask;
  uint64_t others = 0;
  for (auto first = static_cast<uint32_t>(__builtin_ctz(mask)); first < end; first += 1u << shift) {
    Cell& c = p.cell[first >> shift];
    if (__builtin_expect((own >> first & 1) == 0, 0) || (sort <= Sort::write && FastTrack::own(c, write, now))) continue;
    const uint8_t bytes = alike(first >> shift);
    own &= static_cast<uint8_t>(~bytes);
    others |= Granule::known_bytes(0, Access::same_epoch(c.read, now) ? bytes : 0, Access::same_epoch(c.write, now) ? bytes : 0);
  }
  // What was known is still true: an access of the thread itself never removes its earlier accesses of the same epoch.
  const uint64_t known = (Access::same_epoch(g.cell.read, now) ? g.cell.read : known_units(p, now)) | others |
                         (write ? Granule::known_bytes(0, 0, own) : Granule::known_bytes(0, own, 0));
  g.mask |= mask;
  g.cell.read = known;
  join(g);
}

void Granules::write_over_objects(Granule& g, uintptr_t address, uint8_t mask) {
  const uintptr_t base = address & ~uintptr_t{7};
  const uint8_t hit = g.objects & mask;
  for (int i = 0; i < 8; ++i) {
    if ((hit >> i & 1) && overwritten_(base + i)) g.objects &= static_cast<uint8_t>(~(1u << i));
  }
}

void Granules::write_over_objects(uintptr_t address, size_t size) {
  for (uintptr_t at = address, end = address + size; at < end; at = (at | 7) + 1) {
    Granule* const g = shadow().at(at);
    if (g == nullptr) return;
    const uintptr_t next = (at | 7) + 1;
    const uint8_t mask = mask_of(at, (next < end ? next : end) - at);
    if (g->objects & mask) write_over_objects(*g, at, mask);
  }
}

void Granules::cell(Cell& c, uintptr_t address, Sort sort, uint64_t now) {
  if (sort == Sort::atomic) cells.atomic(c, address, now);
  else if (sort == Sort::read) cells.plain_read(c, address, now);
  else cells.plain_write(c, address, now);
}

void Granules::freed(uintptr_t block, size_t size, uint64_t now) {
  any_freed_ = true;
  for (uintptr_t at = block; at + 8 <= block + size;) {
    if (at % Shadow::kPage == 0 && at + Shadow::kPage <= block + size && shadow().free_page(at, {now, block})) {
      at += Shadow::kPage;
      continue;
    }
    Granule* g = shadow().at(at);
    if (g == nullptr) return;
    const uint32_t tag = g->tag;  // the page's
    const uintptr_t page_end = (at | (Shadow::kPage - 1)) + 1, end = (block + size) & ~uintptr_t{7};
    const uintptr_t stop = page_end < end ? page_end : end;
    shadow().validate(at, stop);
    for (; at < stop; at += 8, ++g) {
      const bool known = g->tag == tag;
      if (known && g->split) release(static_cast<uint32_t>(g->cell.write));
      *g = {{now, block, 0}, tag, 0, known ? g->objects : uint8_t{0}, false, true};
    }
  }
}

void Granules::last_write(uintptr_t address, size_t size, bool over_objects, uint64_t now) {
  const auto check = [&](const Cell& c, uintptr_t at) __attribute__((noinline)) {
    Cell copy = c;
    cells.plain_write(copy, at, now);
  };
  shadow().visit_known(address, size, [&](uintptr_t at, Granule& g) __attribute__((always_inline)) {
    if (g.holds_one_history()) {
      if (!FastTrack::of_one(g.cell, now)) check(g.cell, at + static_cast<unsigned>(__builtin_ctz(g.mask)));
      return;
    }
    if (g.freed) {  // by another thread, meanwhile
      if (over_objects) access(at, 8, Sort::write, now);
      return;
    }
    if (over_objects && g.objects != 0) write_over_objects(g, at, 0xFF);
    if (!g.split) {
      if (g.mask != 0) check(g.cell, at + static_cast<unsigned>(__builtin_ctz(g.mask)));
      return;
    }
    const Parts& p = parts_[g.cell.write];
    for (uint32_t i = 0, shift = p.shift; i < 8u >> shift; ++i) {
      if (!FastTrack::of_one(p.cell[i], now)) check(p.cell[i], at + (i << shift));
    }
  });
}

__attribute__((noinline)) void Granules::after_the_end(Granule& g, uintptr_t address, uint64_t now) {
  const Cell c = g.cell;
  g = {{c.write, 0, 0}, g.tag, 0xFF, g.objects, false, false};
  freed_(c.read, address, now);
}

void Granules::granule(Granule& g, uintptr_t address, uint8_t mask, Sort sort, uint64_t now) {
  if (__builtin_expect(g.freed, 0)) after_the_end(g, address, now);
  if (sort == Sort::write && __builtin_expect(g.objects & mask, 0)) write_over_objects(g, address, mask);
  if (g.mask == 0) g.mask = mask;
  if (g.split) return units(g, address, mask, sort, now);
  if (g.mask == mask) return cell(g.cell, address, sort, now);
  if ((g.mask & mask) == 0 && sort <= Sort::write) {
    // These bytes are next to bytes that were just accessed in the same way. Most often this is the next step of a loop.
    const Cell fresh = sort == Sort::write ? Cell{now, 0, 0} : Cell{0, now, 0};
    if (equal(g.cell, fresh)) {
      g.mask |= mask;
      return;
    }
  }
  if (split(g, address, mask, now)) units(g, address, mask, sort, now);
}

bool Granules::known_parts(const Granule& g, uint8_t mask, bool write, uint64_t epoch) const {
  const Parts& p = parts_[g.cell.write];
  for (uint32_t i = 0; i < 8u >> p.shift; ++i) {
    if ((unit_mask(i, p.shift) & mask) != 0 && !Access::same_epoch(write ? p.cell[i].write : p.cell[i].read, epoch)) return false;
  }
  return true;
}

uint64_t Granules::plain_write_at(uintptr_t address) {
  const Granule* const g = shadow().at(address);
  const uint8_t byte = mask_of(address, 1);
  if (g == nullptr || g->freed || (g->mask & byte) == 0) return 0;
  const Cell* cell = &g->cell;
  if (g->split) {
    const Parts& p = parts_[g->cell.write];
    cell = &p.cell[(address & 7) >> p.shift];
  }
  if (cell->atomic == 0) return cell->write;
  // The field has the atomic operations since that write.
  if (!AccessSets::is_set(cell->atomic)) return Access::writes(cell->atomic) ? 0 : cell->write;
  const AccessSet& set = cells.sets.of(cell->atomic);
  for (uint32_t i = 0; i <= set.mask; ++i) {
    if (set.slots[i] != 0 && Access::writes(set.slots[i])) return 0;
  }
  return cell->write;
}

// Handles as many granules as are simple: all eight bytes have one history, or none has.
void Granules::whole_granules(uintptr_t& at, uintptr_t end, Sort sort, uint64_t now) {
  const bool write = sort == Sort::write;
  const Cell fresh = write ? Cell{now, 0, 0} : Cell{0, now, 0};
  while (at + 8 <= end) {
    Granule* g = shadow().at(at);
    if (g == nullptr) return;
    const uint32_t tag = g->tag;  // the page's
    const bool freed = shadow().in_freed_page(at);
    const uintptr_t page_end = (at | (Shadow::kPage - 1)) + 1;
    const uintptr_t stop = page_end < end ? page_end : end & ~uintptr_t{7};
    shadow().validate(at, stop);
    for (; at < stop; at += 8, ++g) {
      if (g->tag != tag && __builtin_expect(freed, 0)) return;
      if (g->tag != tag || g->word() == Granule::simple(tag, 0)) {
        *g = {fresh, tag, 0xFF, 0, false, false};
      } else if (g->word() == Granule::simple(tag, 0xFF)) {
        if (Access::same_epoch(write ? g->cell.write : g->cell.read, now)) continue;
        if (!FastTrack::own(g->cell, write, now)) cell(g->cell, at, sort, now);
      } else {
        return;
      }
    }
  }
}

void Granules::access(uintptr_t address, size_t size, Sort sort, uint64_t now) {
  const uintptr_t end = address + size;
  for (uintptr_t at = address; at < end;) {
    if ((at & 7) == 0 && sort <= Sort::write && at + 8 <= end) {
      whole_granules(at, end, sort, now);
      if (at >= end) return;
    }
    const uintptr_t next = (at | 7) + 1;
    const uintptr_t high = end < next ? end : next;
    Granule* g = shadow().at(at);
    if (g == nullptr) return;
    granule(*g, at, mask_of(at, high - at), sort, now);
    at = high;
  }
}

}  // namespace heddle::rt
