#include "memory_history.h"

#include <algorithm>
#include <thread>

#include "heap/heap_blocks.h"
#include "history_places.h"
#include "races/known_access.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr uintptr_t kFirstPc = 0x1000;
constexpr uint32_t kBaton = 50;

// As intercept/first_access.h does it.
bool quickly(uint32_t thread, uintptr_t at, size_t size, bool write, uintptr_t pc) {
  if (size > 8 || (size & (size - 1)) != 0 || at % size != 0 || g_running.thread != thread) return false;
  uint32_t tag;
  Granule* const g = shadow().at_hand(at, tag);
  if (g == nullptr || (g->tag != tag && !shadow().make_valid(at, *g, tag))) return false;
  const auto shift = static_cast<uint32_t>(__builtin_ctzll(size));
  const uint64_t now = g_running.epoch | Access::what(sites().index_of(pc), Kind::none, write);
  const Granules::Quick done = write ? granules().quick<true>(*g, at, shift, now) : granules().quick<false>(*g, at, shift, now);
  if (done == Granules::Quick::all_alike) granules().join(*g);
  return done != Granules::Quick::no;
}

}  // namespace

uintptr_t MemoryHistory::pc(uint32_t thread) {
  ++positions_;
  return kFirstPc + 16 * (manner_.own_position ? positions_ : thread % 4 * 2 + positions_ / 8 % 2);
}

void MemoryHistory::pass_baton(uint32_t t) {
  event(t, Kind::atomic_rmw, kBaton, MemoryOrder::acq_rel);
  reference_.acquire(t, baton_);
  baton_ = reference_.publish(t);
}

void MemoryHistory::step(const Step& step) {
  const auto [what, how, where, to] = step;
  const size_t who = how % 4 == 0 ? last_ % live_.size() : (how >> 2) % live_.size();
  last_ = static_cast<uint32_t>(who);
  const uint32_t t = live_[who].index, detail = how >> 5;
  const bool orders = manner_.ordered && !alone() && what / 64 % 16 != 0;
  if (orders) pass_baton(t);
  act(t, who, what % 64, detail, where, to);
  const bool lives = std::any_of(live_.begin(), live_.end(), [t](const Live& l) { return l.index == t; });
  if (orders && lives) pass_baton(t);
}

void MemoryHistory::act(uint32_t t, size_t who, uint32_t what, uint32_t detail, uint32_t where, uint32_t to) {
  const uintptr_t at = place(where), low = std::min(at, place(to)), high = std::max(at, place(to));
  const uintptr_t word = low & ~uintptr_t{7}, word_end = (high + 7) & ~uintptr_t{7};
  const uintptr_t page = std::min(kPages[where % 6], kPages[to % 6]), page_end = std::max(kPages[where % 6], kPages[to % 6]);
  static constexpr size_t kSizes[] = {1, 2, 4, 8, 16, 3, 24, 8};
  if (what < 28) return plain(t, at, end_of(at, kSizes[detail % 8]), detail / 8 % 3 == 0, pc(t), detail / 32 % 8 == 0);
  if (what < 34) return loop(t, at, detail);
  if (what < 42) return atomic(t, at, detail);
  if (what < 46) return mutex(t, where % kMutexes, detail % 8, at);
  switch (what) {
    case 46: case 47: return plain(t, low, high, detail % 2, pc(t), detail % 8 == 0);  // memset and its like, of all sizes
    case 48: case 49: return copy(t, at, place(to), kSizes[detail % 8]);
    case 50: case 51: case 52: if (live_.size() < kLive) create(t, detail % 3 < 2 ? detail % 3 : 2); return;
    case 53: if (who != 0) finish(who, detail); return;
    case 54: case 55: case 56: return free(t, word, word_end, detail % 4 != 0, detail / 4 % 2);
    case 57: return detail % 4 == 0 ? let_go(word) : detail % 4 == 1 ? given_away() : born(low, high);
    case 58: return born(word, word_end);
    case 59:  // realloc that moves: what was copied is no access
      free(t, word, word_end, false, detail / 4 % 2);
      return born(place(detail) & ~uintptr_t{7}, end_of(place(detail), 24) & ~uintptr_t{7});
    case 60: return unmap(t, page, page_end);
    case 61:  // mremap that moves
      unmap(t, page, page_end);
      return born(kPages[detail % 6], kPages[5]);
    case 62: return discard(page, page_end);
    default: return object(at);
  }
}

// As the shims do it: a thread that is alone mostly passes over what it does.
void MemoryHistory::plain(uint32_t t, uintptr_t low, uintptr_t high, bool write, uintptr_t pc, bool sampled) {
  if (low >= high) return;
  reference_.access(t, low, high, write ? Sort::write : Sort::read, pc);
  if (alone() && !sampled && !(write && shadow().holds_objects())) return;
  const size_t size = high - low;
  const bool constant = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
  if (constant && known_access(t, low, size, write)) return;
  if (!alone() && positions_ % 4 != 0 && quickly(t, low, size, write, pc)) return;
  access(t, low, size, write, pc);
}

// One place of the program goes over bytes or words, up or down.
void MemoryHistory::loop(uint32_t t, uintptr_t low, uint32_t how) {
  const uintptr_t position = pc(t), high = end_of(low, 1 + how / 16 % 16);
  const size_t size = how % 2 ? 1 : 1 + how / 4 % 4;
  for (uintptr_t i = 0; i < high - low; i += size) {
    const uintptr_t at = how / 2 % 2 ? low + i : high - i - 1;
    plain(t, at, std::min(high, at + size), how / 8 % 2, position, how % 16 == 0);
  }
}

void MemoryHistory::copy(uint32_t t, uintptr_t from, uintptr_t to, size_t size) {
  size = std::min(end_of(from, size) - from, end_of(to, size) - to);
  const uintptr_t position = pc(t);
  plain(t, from, from + size, false, position, false);
  plain(t, to, to + size, true, position, false);
}

void MemoryHistory::atomic(uint32_t t, uintptr_t address, uint32_t how) {
  static constexpr size_t kSizes[] = {1, 2, 4, 8, 16, 4, 8, 4};
  size_t size = kSizes[how % 8];
  if (how / 8 % 4 != 0) address &= ~uintptr_t{size - 1};  // the others are not aligned
  if (!in_zone(address)) return;
  size = end_of(address, size) - address;
  const bool acquires = how / 32 % 2, releases = how / 64 % 2;
  static constexpr MemoryOrder kOrders[] = {MemoryOrder::relaxed, MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acq_rel};
  const uint32_t kind = how / 128 % 5;
  const bool reads = kind != 1, writes = kind == 1 || kind == 2 || kind == 4;
  static constexpr Kind kKinds[] = {Kind::atomic_load, Kind::atomic_store, Kind::atomic_rmw, Kind::atomic_cas, Kind::atomic_cas};
  const MemoryOrder order = kOrders[(acquires && reads ? 1 : 0) + (releases && writes ? 2 : 0)];
  auto& [object, head] = atomics_.try_emplace(address, 1000 + static_cast<uint32_t>(atomics_.size()), SlowReference::Clock{}).first->second;
  const uintptr_t position = pc(t);
  if (reads && acquires) reference_.acquire(t, head);
  reference_.access(t, address, address + size, writes ? Sort::atomic_write : Sort::atomic_read, position);
  // A store begins a release sequence, or none; a read-modify-write continues the one that there is.
  if (writes && !reads) head = {};
  if (writes && releases) SlowReference::join(head, reference_.publish(t));
  event(t, kKinds[kind], object, order, kind == 3 ? Outcome::failure : Outcome::success, {address, size, position});
}

void MemoryHistory::mutex(uint32_t t, uint32_t which, uint32_t how, uintptr_t address) {
  Mutex& m = mutexes_[which];
  const uint32_t object = 1 + which;
  const uintptr_t position = pc(t);
  const Bytes bytes{m.address, 1, position};
  if (m.owner == static_cast<int>(t)) {
    reference_.access(t, m.address, m.address + 1, Sort::atomic_read, position);
    m.released = reference_.publish(t);
    m.owner = -1;
    event(t, Kind::mutex_unlock, object, MemoryOrder::seq_cst, Outcome::none, bytes);
  } else if (m.owner >= 0) {
    return;
  } else if (m.address == 0) {
    m.address = address;
  } else if (how == 0) {
    reference_.access(t, m.address, m.address + 1, Sort::write, position, false);
    event(t, Kind::mutex_destroy, object, MemoryOrder::seq_cst, Outcome::none, bytes);
    m.address = 0;
  } else {
    m.owner = static_cast<int>(t);
    reference_.acquire(t, m.released);
    event(t, Kind::mutex_lock, object, MemoryOrder::seq_cst, Outcome::none, bytes);
  }
}

// `stack`: one that threads use in turn, if no thread uses it; else a separate one.
void MemoryHistory::create(uint32_t t, size_t stack) {
  const auto child = [&](Live of) {
    event(t, Kind::thread_create, 100 + of.index);
    reference_.acquire(of.index, reference_.publish(t));
    event(of.index, Kind::thread_start, 100 + of.index);
  };
  if (alone()) child({prober_ = next_thread_++, kNoStack});
  for (const Live& l : live_) {
    if (l.stack == stack) stack = kNoStack;
  }
  const Live born{next_thread_++, stack};
  const auto [low, high] = stack < std::size(kStacks) ? kStacks[stack] : std::pair<uintptr_t, uintptr_t>{0, 0};
  race_detector_thread(born.index, t, low, high);
  if (high != 0) reference_.forget(low, high);
  child(born);
  live_.push_back(born);
}

void MemoryHistory::finish(size_t who, uint32_t how) {
  const uint32_t t = live_[who].index;
  live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(who));
  event(t, Kind::thread_exit, 100 + t);
  const SlowReference::Clock end = reference_.publish(t);
  if (how % 4 == 0) return;  // detached
  const uint32_t joiner = live_[how / 4 % live_.size()].index;
  event(joiner, Kind::thread_join, 100 + t);
  reference_.acquire(joiner, end);
}

// `by_program`: its end is a write to its first bytes. `held`: for the quarantine.
void MemoryHistory::free(uint32_t t, uintptr_t low, uintptr_t high, bool by_program, bool held) {
  if (low >= high || !in_zone(low)) return;
  const uintptr_t position = pc(t);
  if (by_program) last_write(t, low, high, position);
  const uint32_t site = sites().index_of(position);
  held &= !alone() && high - low < 64 << 10;
  heap_blocks::freed(reinterpret_cast<const void*>(low), {t, site, 0}, held);
  reference_.ended(low, held);
  if (alone()) return;
  if (high - low >= 64 << 10) return born(low, high);
  race_detector_freed(t, low, high - low, site);
  reference_.freed(t, low, high, position);
}

// As intercept/plain_access.h does it for a block that is freed right after it.
void MemoryHistory::last_write(uint32_t t, uintptr_t low, uintptr_t high, uintptr_t position) {
  const uintptr_t first = std::min(high, end_of(low, 64));
  if (alone()) return plain(t, low, first, true, position, false);
  const uint32_t site = sites().index_of(position);
  reference_.access(t, low, first, Sort::write, position);
  if (!race_detector_knows(t, low, first - low, true)) race_detector_end_of_block(t, low, first - low, true, site);
  if (first == high) return;
  reference_.end_of_memory(t, first, high, position);
  race_detector_end_of_block(t, first, high - first, false, site);
}

void MemoryHistory::let_go(uintptr_t block) {
  heap_blocks::let_go(reinterpret_cast<const void*>(block));
  reference_.let_go(block);
}

void MemoryHistory::given_away() {
  std::thread([] { heap_blocks::given_elsewhere(nullptr); }).join();
  reference_.given_away();
}

void MemoryHistory::born(uintptr_t low, uintptr_t high) {
  if (low >= high) return;
  heap_blocks::given_elsewhere(reinterpret_cast<const void*>(low));
  reference_.reborn(low);
  if (alone() && !shadow().holds_objects()) return;
  race_detector_forget(low, high - low);
  reference_.forget(low, high);
}

void MemoryHistory::unmap(uint32_t t, uintptr_t low, uintptr_t high) {
  if (low >= high) return;
  const uintptr_t position = pc(t);
  plain(t, low, end_of(low, 64), true, position, false);
  if (!alone()) {
    race_detector_end_of_memory(t, low, high - low, sites().index_of(position), 0);
    reference_.end_of_memory(t, low, high, position);
  }
  born(low, high);
}

void MemoryHistory::discard(uintptr_t low, uintptr_t high) {
  if (alone()) return;
  race_detector_discarded(low, high - low);
  reference_.discarded(low, high);
}

void MemoryHistory::object(uintptr_t address) {
  race_detector_object(address);
  reference_.object(address);
}

}  // namespace heddle::rt
