#include "memory_turn.h"

#include <malloc.h>

#include <algorithm>

namespace heddle::test {
namespace {

using World = MemoryWorld;

// Where an access goes: bytes, of which `size` are there, and whether they may be touched.
struct Target {
  char* begin;
  size_t size;
  bool live;
};

constexpr uint32_t kGlobal = 7;

Target target(World& w, uint32_t which) {
  const uint32_t sort = which % 12;
  which /= 12;
  if (sort < 5) {
    const World::Block& b = w.block[sort % World::kBlocks];
    return {b.begin, b.live ? b.size : b.usable, b.live};
  }
  if (sort < 7) {
    const World::Worker& o = w.worker[which % World::kWorkers];
    return {o.locals, 64, o.lives};
  }
  if (sort < 9) return {w.global, sizeof w.global, true};
  const size_t page = (sort - 9) * 16;
  const bool live = std::all_of(w.mapped + page, w.mapped + page + 16, [](bool m) { return m; });
  return {reinterpret_cast<char*>(kPagesLow) + page * kPage, 16 * kPage, live};
}

size_t offset(const Target& t, uint32_t where) {
  static constexpr size_t kSpecial[] = {56, 60, 64, 4080, 4092, 4096, 65528, 65536};
  const size_t at = where % 4 != 0 ? where / 4 % 24 : kSpecial[where / 4 % 8] + where / 32 % 8;
  return t.size == 0 ? 0 : at % t.size;
}

void plain(const Turn& turn, const Target& t, uint32_t where) {
  static constexpr size_t kSizes[] = {1, 2, 4, 8, 16, 8, 4, 1};
  static constexpr Do kHow[] = {Do::read, Do::read, Do::write, Do::read_write};
  const size_t at = offset(t, where), size = kSizes[turn.detail % 8];
  if (t.begin == nullptr || at + size > t.size) return;
  const Do how = kHow[turn.detail / 8 % 4];
  if (how != Do::write) turn.log(Done::read, t.begin + at, size);
  if (how != Do::read) turn.log(Done::write, t.begin + at, size);
  turn.call(how, t.begin + at, size);
}

void range(const Turn& turn, const Target& t, const Target& from, uint32_t where) {
  static constexpr Do kHow[] = {Do::read_range, Do::write_range, Do::set, Do::copy, Do::move};
  const Do how = kHow[turn.detail % 5];
  const bool two = how == Do::copy || how == Do::move;
  const size_t at = offset(t, where);
  size_t room = t.size - at;
  if (two) room = std::min(room, from.size);
  const size_t size = turn.detail / 8 % 4 == 0 ? room : std::min<size_t>(room, 1 + turn.detail / 32 % 40);
  if (t.begin == nullptr || size == 0 || (two && (from.begin == nullptr || from.begin == t.begin))) return;
  if (how != Do::read_range && how != Do::write_range && (!t.live || (two && !from.live))) return;
  if (two) turn.log(Done::read, from.begin, size);
  turn.log(how == Do::read_range ? Done::read : Done::write, t.begin + at, size);
  turn.call(how, t.begin + at, size, from.begin);
}

void atomic(const Turn& turn, const Target& t, uint32_t where) {
  static constexpr int kOrders[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL};
  const size_t size = size_t{1} << turn.detail % 5, at = offset(t, where) & ~(size - 1);
  if (!t.live || t.begin == nullptr || at + size > t.size || word(t.begin) % 16 != 0) return;
  char* const address = t.begin + at;
  const Do how = static_cast<Do>(static_cast<uint32_t>(Do::load) + turn.detail / 8 % 4);
  bool acquires = turn.detail / 32 % 2 && how != Do::store, releases = turn.detail / 64 % 2 && how != Do::load;
  const uintptr_t swapped = turn.call(how, address, size, nullptr, kOrders[acquires + 2 * releases]);
  const bool failed = how == Do::cas && swapped == 0;
  const Done what = how == Do::load || failed ? Done::atomic_load : how == Do::store ? Done::atomic_store : Done::atomic_rmw;
  turn.log(what, word(address), word(address) + size, 0, acquires && !failed, releases && !failed);
}

void born(const Turn& turn, World::Block& b, char* begin, size_t size) {
  b = {begin, size, malloc_usable_size(begin), true};
  turn.log(Done::born, begin, b.usable);
}

void block(const Turn& turn, World::Block& b) {
  static constexpr size_t kSizes[] = {8, 24, 40, 100, 1000, 5000, 70000, 200000};
  const size_t size = kSizes[turn.detail % 8];
  const uint32_t how = turn.detail / 8 % 4;
  const auto birth = [&](uintptr_t begin) { born(turn, b, reinterpret_cast<char*>(begin), size); };
  const auto ends = [&](const World::Block& old) {
    turn.log(Done::write, old.begin, std::min<size_t>(old.usable, 64));
    turn.log(Done::end_of_memory, old.begin, old.usable);
  };
  if (!b.live) {
    birth(turn.call(how == 0 ? Do::zeroed : how == 1 ? Do::aligned : Do::allocate, nullptr, size));
  } else if (how != 0) {
    const World::Block old = b;
    b.live = false;
    ends(old);
    turn.log(Done::freed, old.begin, old.usable);
    turn.call(Do::free, old.begin, 0);
  } else {
    const World::Block old = b;
    ends(old);
    const uintptr_t now = turn.call(Do::reallocate, old.begin, size);
    if (now != word(old.begin)) turn.log(Done::freed, old.begin, old.usable);
    if (now != word(old.begin)) return birth(now);
    b = {old.begin, size, malloc_usable_size(old.begin), true};
    if (b.usable > old.usable) turn.log(Done::forgotten, old.begin + old.usable, b.usable - old.usable);
  }
}

void mapping(const Turn& turn, uint32_t where, uint32_t to) {
  World& w = turn.w;
  const size_t first = where % 3 * 16 + (where / 3 % 4 == 0), count = 1 + where / 12 % 18;
  const size_t last = std::min(first + count, World::kPages), size = (last - first) * kPage;
  char* const at = reinterpret_cast<char*>(kPagesLow) + first * kPage;
  const auto ends = [&](const char* from, bool first_bytes) {
    if (first_bytes) turn.log(Done::write, from, 64);
    turn.log(Done::end_of_memory, from, size);
  };
  const auto is = [&](size_t page, bool mapped) { std::fill(w.mapped + page, w.mapped + page + (last - first), mapped); };
  const bool all = std::all_of(w.mapped + first, w.mapped + last, [](bool m) { return m; });
  switch (turn.detail % 4) {
    case 0:
      ends(at, true);
      turn.call(Do::map, at, size);
      turn.log(Done::forgotten, at, size);
      return is(first, true);
    case 1:
      ends(at, true);
      turn.call(Do::unmap, at, size);
      turn.log(Done::forgotten, at, size);
      return is(first, false);
    case 2: {
      const size_t target = to % (World::kPages - (last - first));
      if (!all || (target < last && first < target + (last - first))) return;
      char* const there = reinterpret_cast<char*>(kPagesLow) + target * kPage;
      ends(there, true);
      turn.call(Do::remap, at, size, there);
      ends(at, false);
      turn.log(Done::forgotten, at, size);
      turn.log(Done::forgotten, there, size);
      is(first, false);
      return is(target, true);
    }
    default:
      if (!all) return;
      turn.call(Do::discard, at, size);
      return turn.log(Done::discarded, at, size);
  }
}

void lock(const Turn& turn, uint32_t which) {
  World& w = turn.w;
  which %= World::kMutexes;
  if (w.owner[which] == static_cast<int>(turn.me) + 1) {
    turn.orders(Done::unlock, which);
    w.owner[which] = 0;
    pthread_mutex_unlock(&w.mutex[which]);
  } else if (w.owner[which] == 0) {
    w.owner[which] = static_cast<int>(turn.me) + 1;
    pthread_mutex_lock(&w.mutex[which]);
    turn.orders(Done::lock, which);
  }
}

void join(const Turn& turn, uint32_t which) {
  World::Worker& o = turn.w.worker[1 + which % (World::kWorkers - 1)];
  if (!o.ended) return;
  o.ended = false;
  pthread_join(o.handle, nullptr);
  turn.orders(Done::join, o.index);
}

void create(const Turn& turn, uint32_t which) {
  World& w = turn.w;
  World::Worker& o = w.worker[1 + which % (World::kWorkers - 1)];
  if (o.ended) join(turn, which);
  if (o.lives || w.creations == World::kCreations - 1) return;
  o.lives = true;
  o.locals = nullptr;  // until it has begun
  o.index = static_cast<uint32_t>(++w.creations);
  turn.orders(Done::create, o.index);
  pthread_t handle;  // that a place for it is written again is no access of the script's
  pthread_create(&handle, nullptr, work, &o);
  o.handle = handle;
}

}  // namespace

void act(const Turn& turn, uint32_t what, uint32_t where, uint32_t to) {
  World& w = turn.w;
  if (what < 26) plain(turn, target(w, to), where);
  else if (what < 32) range(turn, target(w, to), target(w, to / 12), where);
  else if (what < 40) atomic(turn, target(w, what % 2 ? kGlobal : to), where);
  else if (what < 50) block(turn, w.block[to % World::kBlocks]);
  else if (what < 53) mapping(turn, where, to);
  else if (what < 57) lock(turn, to);
  else if (what < 60) create(turn, to);
  else if (what < 61) join(turn, to);
}

}  // namespace heddle::test
