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
    free_parts_ = parts_[index].count;
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

// Splits parts until the bytes of `mask` are a union of parts. False: there is no room.
bool Granules::split(Granule& g, uintptr_t address, uint8_t mask) {
  if (!g.split) {
    uint32_t index;
    if (!take_parts(index)) return false;
    Parts& p = parts_[index];
    p.owner = address;
    p.count = 1;
    p.mask[0] = g.mask;
    p.cell[0] = g.cell;
    g.split = true;
    g.cell = {index, 0, 0};
  }
  Parts& p = parts_[g.cell.write];
  uint8_t left = mask;
  for (uint32_t i = 0, n = p.count; i < n; ++i) {
    const uint8_t common = p.mask[i] & mask;
    left &= static_cast<uint8_t>(~p.mask[i]);
    if (common == 0 || common == p.mask[i]) continue;
    p.mask[i] &= static_cast<uint8_t>(~common);
    p.mask[p.count] = common;
    p.cell[p.count] = cells.copy(p.cell[i]);
    ++p.count;
  }
  if (left != 0) {
    p.mask[p.count] = left;
    p.cell[p.count] = {0, 0, 0};
    ++p.count;
  }
  g.mask |= mask;
  return true;
}

// Joins parts with the same history. If one part is left, the granule is no longer split.
void Granules::merge(Granule& g) {
  const auto index = static_cast<uint32_t>(g.cell.write);
  Parts& p = parts_[index];
  for (uint32_t i = 0; i + 1 < p.count; ++i) {
    for (uint32_t k = i + 1; k < p.count;) {
      if (!equal(p.cell[i], p.cell[k])) {
        ++k;
        continue;
      }
      p.mask[i] |= p.mask[k];
      --p.count;
      p.mask[k] = p.mask[p.count];
      p.cell[k] = p.cell[p.count];
    }
  }
  if (p.count == 1) join(g);
}

// REQUIRES: the granule has one part.
void Granules::join(Granule& g) {
  const auto index = static_cast<uint32_t>(g.cell.write);
  g.split = false;
  g.cell = parts_[index].cell[0];
  release(index);
}

void Granules::release(uint32_t parts) {
  parts_[parts].owner = 0;
  parts_[parts].count = free_parts_;
  free_parts_ = parts + 1;
}

// Stores what known_access checks in a split granule. Called after each change of its plain accesses.
void Granules::note_known(Granule& g, uint64_t now) {
  const Parts& p = parts_[g.cell.write];
  uint8_t read = 0, written = 0;
  for (uint32_t i = 0; i < p.count; ++i) {
    if (Access::same_epoch(p.cell[i].read, now)) read |= p.mask[i];
    if (Access::same_epoch(p.cell[i].write, now)) written |= p.mask[i];
  }
  g.cell.read = Granule::known_bytes(now & Access::kEpochMask, read, written);
}

// Handles the case that the bytes of `mask` belong to one part of the split granule, or to none. Then only their cell changes, so only that
// cell can have become equal to another one. False: they belong to several parts.
bool Granules::part(Granule& g, uintptr_t address, uint8_t mask, Sort sort, uint64_t now) {
  Parts& p = parts_[g.cell.write];
  uint32_t at = 0;
  while (at < p.count && (p.mask[at] & mask) == 0) ++at;
  if (at < p.count && (p.mask[at] & mask) != mask) return false;
  const bool all = at < p.count && p.mask[at] == mask;
  Cell c = at == p.count ? Cell{0, 0, 0} : p.cell[at];
  if (sort > Sort::write || !FastTrack::own(c, sort == Sort::write, now)) {
    if (!all && at < p.count) c = cells.copy(p.cell[at]);
    cell(c, (address & ~uintptr_t{7}) + __builtin_ctz(mask), sort, now);
  }
  if (Access::same_epoch(g.cell.read, now)) {
    // What was known is still true: an access of the thread itself never removes its earlier accesses of the same epoch.
    g.cell.read |= Granule::known_bytes(0, Access::same_epoch(c.read, now) ? mask : 0, Access::same_epoch(c.write, now) ? mask : 0);
  } else {
    g.cell.read = 0;  // to be told when all is done
  }
  uint32_t to = 0;
  while (to < p.count && ((all && to == at) || !equal(p.cell[to], c))) ++to;
  if (to == at && at < p.count) return true;  // nothing new
  if (all && to == p.count) {
    p.cell[at] = c;
    return true;
  }
  g.mask |= mask;
  if (at < p.count) p.mask[at] &= static_cast<uint8_t>(~mask);
  if (to == p.count) {
    p.mask[to] = mask;
    p.cell[to] = c;
    ++p.count;
    return true;
  }
  p.mask[to] |= mask;
  if (!all) return true;
  --p.count;
  p.mask[at] = p.mask[p.count];
  p.cell[at] = p.cell[p.count];
  if (p.count == 1) join(g);
  return true;
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
  for (uintptr_t at = block; at + 8 <= block + size; at += 8) {
    if (at % Shadow::kPage == 0 && at + Shadow::kPage <= block + size && shadow().free_page(at, {now, block})) {
      at += Shadow::kPage - 8;
      continue;
    }
    Granule* const g = shadow().at(at);
    if (g == nullptr) return;
    if (g->split) release(static_cast<uint32_t>(g->cell.write));
    *g = {{now, block, 0}, g->tag, 0, g->objects, false, true};
  }
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
  if (g.split && part(g, address, mask, sort, now)) {
    if (g.split && g.cell.read == 0) note_known(g, now);
    return;
  }
  if (!g.split && g.mask == mask) return cell(g.cell, address, sort, now);
  if (!g.split && (g.mask & mask) == 0 && sort <= Sort::write) {
    // These bytes are next to bytes that were just accessed in the same way. Most often this is the next step of a loop.
    const Cell fresh = sort == Sort::write ? Cell{now, 0, 0} : Cell{0, now, 0};
    if (equal(g.cell, fresh)) {
      g.mask |= mask;
      return;
    }
  }
  if (!split(g, address, mask)) return;
  Parts& p = parts_[g.cell.write];
  for (uint32_t i = 0; i < p.count; ++i) {
    if (p.mask[i] & mask) cell(p.cell[i], (address & ~uintptr_t{7}) + __builtin_ctz(p.mask[i]), sort, now);
  }
  merge(g);
  if (g.split) note_known(g, now);
}

bool Granules::known_parts(const Granule& g, uint8_t mask, bool write, uint64_t epoch) const {
  const Parts& p = parts_[g.cell.write];
  for (uint32_t i = 0; i < p.count; ++i) {
    if ((p.mask[i] & mask) != 0 && !Access::same_epoch(write ? p.cell[i].write : p.cell[i].read, epoch)) return false;
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
    cell = nullptr;
    for (uint32_t i = 0; i < p.count && cell == nullptr; ++i) {
      if ((p.mask[i] & byte) != 0) cell = &p.cell[i];
    }
    if (cell == nullptr) return 0;
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
        if (!Access::same_epoch(write ? g->cell.write : g->cell.read, now)) cell(g->cell, at, sort, now);
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
