#include "memory/race_detector.h"

#include <new>

#include "base/address_map.h"
#include "base/elf.h"
#include "base/reserved_array.h"
#include "memory/arena.h"
#include "memory/benign_races.h"
#include "memory/fast_track.h"
#include "memory/shadow.h"
#include "memory/touch.h"
#include "order/clock_rules.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr size_t kMaxPairs = 4096;
constexpr size_t kMaxThreads = 1 << 14;

// A split granule: its bytes in groups of the same history.
struct Parts {
  uint8_t count;
  uint8_t mask[8];
  Cell cell[8];
};

// The thread that runs, as far as every access needs it.
struct Running {
  uint32_t thread = order::kNoThread;
  uint64_t prefix = 0;  // Access::epoch(thread, clock)
};

enum class Sort : uint8_t { read, write, atomic, destroy };

class Detector {
 public:
  void initialise();
  void begin();
  void event(const Event& e, uint32_t partner_thread, uintptr_t address, size_t size, uint8_t ignored);
  bool knows(uint32_t thread, uintptr_t address, size_t size, bool write);
  void access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc);
  const RacingPair* pairs(uint32_t& count) {
    count = static_cast<uint32_t>(pairs_.size());
    return pairs_.data();
  }

  RaceSink race_sink = nullptr;
  ObjectSink object_sink = nullptr;

 private:
  void run(uint32_t thread);
  uint32_t release_epoch(uint32_t thread);
  void clocks(const Event& e, uint32_t partner_thread);
  void touch(const Effect& effect, uintptr_t address, size_t size, uint64_t now);
  Cell* cell_of(uintptr_t address, size_t size);
  Cell* cell_of(Granule& g, uint8_t mask);
  void range(uintptr_t address, size_t size, Sort sort, uint64_t now);
  void granule(Granule& g, uintptr_t address, uint8_t mask, Sort sort, uint64_t now);
  void split(Granule& g, uint8_t mask);
  void cell(Cell& c, uintptr_t address, Sort sort, uint64_t now);
  void overwritten(Granule& g, uintptr_t address, uint8_t mask);
  static void race(uint64_t first, uint64_t now, uintptr_t address);
  uint32_t variable(uintptr_t address);
  alignas(order::ClockTracker) unsigned char tracker_[sizeof(order::ClockTracker)] = {};
  order::ClockTracker& tracker() { return *reinterpret_cast<order::ClockTracker*>(tracker_); }
  Arena clocks_;
  FastTrack cells_;
  Running running_;
  uint32_t execution_ = 0;
  uint32_t events_ = 0;
  // Per thread: its epoch since it last published anything. Until it publishes again, whoever learns of one of its accesses learns of all of
  // them, so they share an epoch: FastTrack's clocks move at releases only. Old entries belong to another execution.
  struct ReleaseEpoch {
    uint32_t execution;
    uint32_t epoch;
  };
  ReservedArray<ReleaseEpoch> release_epochs_;
  ReservedArray<Parts> parts_;
  ReservedArray<RacingPair> pairs_;
  AddressMap known_pairs_;
  AddressMap variables_;
  bool alive_ = false;
};

constinit Detector g_detector;

void Detector::initialise() {
  if (alive_) return;
  alive_ = true;
  shadow().initialise();
  benign_races().initialise();
  clocks_.initialise(1ull << 33);
  cells_.initialise(&Detector::race);
  parts_.reserve(1 << 22);
  pairs_.reserve(kMaxPairs);
  release_epochs_.reserve(kMaxThreads);
  known_pairs_.initialise(8);
  variables_.initialise(8);
}

void Detector::begin() {
  shadow().begin();
  benign_races().begin();
  clocks_.clear();
  cells_.sets.begin();
  parts_.clear();
  pairs_.clear();
  known_pairs_.clear();
  variables_.clear();
  events_ = 0;
  ++execution_;
  running_ = {};
  new (tracker_) order::ClockTracker(order::Relation::strong, clocks_.memory());
}

constexpr uint8_t mask_of(uintptr_t address, size_t size) { return static_cast<uint8_t>(((1u << size) - 1) << (address & 7)); }

// The one cell of exactly these bytes; null: there is none yet.
[[gnu::always_inline]] inline Cell* Detector::cell_of(Granule& g, uint8_t mask) {
  if (!g.split) return __builtin_expect(g.mask == mask, 1) ? &g.cell : nullptr;
  Parts& p = parts_[g.cell.write];
  for (int i = 0; i < p.count; ++i) {
    if (p.mask[i] == mask) return &p.cell[i];
  }
  return nullptr;
}

[[gnu::always_inline]] inline Cell* Detector::cell_of(uintptr_t address, size_t size) {
  if ((address & 7) + size > 8) return nullptr;
  Granule* const g = shadow().at(address);
  return g != nullptr ? cell_of(*g, mask_of(address, size)) : nullptr;
}

void Detector::clocks(const Event& e, uint32_t partner_thread) {
  tracker().apply({.thread = e.thread, .object = e.object, .kind = e.kind, .order = e.order, .outcome = e.outcome,
                   .flags = e.flags, .event = events_++, .partner = e.partner, .choice = e.choice,
                   .partner_thread = partner_thread});
}

[[gnu::always_inline]] inline void Detector::touch(const Effect& effect, uintptr_t address, size_t size, uint64_t now) {
  Cell* const c = effect.touch != Touch::destroys ? cell_of(address, size) : nullptr;
  if (__builtin_expect(c != nullptr, 1)) cells_.atomic(*c, address, now);
  else range(address, size, effect.touch == Touch::destroys ? Sort::destroy : Sort::atomic, now);
}

// An operation's own access comes after what it acquires and before what it publishes: it is judged by the clock after it and
// belongs to the epoch before it.
void Detector::event(const Event& e, uint32_t partner_thread, uintptr_t address, size_t size, uint8_t ignored) {
  const Effect& effect = kEffects.of[static_cast<uint8_t>(e.kind) % kKindLimit];
  if (__builtin_expect(ignored != 0, 0)) {
    if (ignored & (effect.writes && e.outcome != Outcome::failure ? kIgnoreWrites : kIgnoreReads)) address = 0;
    if ((ignored & kIgnoreOrder) && !kind_info(e.kind).has(kThread)) {
      ++events_;
      if (effect.touch == Touch::none || address == 0) return;
      if (e.thread != running_.thread) run(e.thread);
      return touch(effect, address, size, running_.prefix | Access::what(e.pc_index, e.kind, effect.writes && e.outcome != Outcome::failure));
    }
  }
  if (effect.touch != Touch::none && address != 0) {
    if (e.thread != running_.thread) run(e.thread);
    const uint64_t now = running_.prefix | Access::what(e.pc_index, e.kind, effect.writes && e.outcome != Outcome::failure);
    clocks(e, partner_thread);
    touch(effect, address, size, now);
  } else {
    clocks(e, partner_thread);
  }
  if (!effect.releases) return;
  const uint32_t epoch = tracker().epoch(e.thread);
  release_epochs_[e.thread] = {execution_, epoch};
  if (running_.thread == e.thread) running_.prefix = Access::epoch(e.thread, epoch);
}

uint32_t Detector::release_epoch(uint32_t thread) {
  ReleaseEpoch& r = release_epochs_[thread];
  if (r.execution != execution_) r = {execution_, tracker().epoch(thread)};
  return r.epoch;
}

void Detector::run(uint32_t thread) {
  running_.thread = thread;
  running_.prefix = Access::epoch(thread, release_epoch(thread));
  cells_.run(thread, tracker().clock(thread));
}

// --- races --------------------------------------------------------------------------------------

// What a racing address is, the same for every access to one variable of this run: a global's symbol, else its number among those that race.
uint32_t Detector::variable(uintptr_t address) {
  uint64_t h;
  const Symbol* s = is_main_executable(address) ? find_symbol(address) : nullptr;
  if (s != nullptr && s->name != nullptr) {
    h = mix(address - s->start, 1);
    for (const char* c = s->name; *c != 0; ++c) h = (h ^ static_cast<unsigned char>(*c)) * 0x100000001B3ull;
  } else {
    bool inserted;
    uint32_t& number = variables_.find_or_insert(address | 1, inserted);
    if (inserted) number = static_cast<uint32_t>(variables_.size());
    h = mix(number, 2);
  }
  return static_cast<uint32_t>(h ^ h >> 32);
}

void Detector::race(uint64_t first, uint64_t now, uintptr_t address) {
  Detector& d = g_detector;
  const uint32_t a = Access::site(first), b = Access::site(now);
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  bool inserted;
  if (d.known_pairs_.size() >= 4 * kMaxPairs) return;
  const bool benign = benign_races().contains(address);
  d.known_pairs_.find_or_insert(low << 32 | high | (benign ? 3ull : 2ull) << 62, inserted);
  if (!inserted || d.pairs_.full()) return;
  const SiteInfo& sa = sites()[a];
  const SiteInfo& sb = sites()[b];
  const RacingPair pair{sa.id, sb.id, d.variable(address), Access::writes(first), Access::writes(now), Access::kind(first),
                        Access::kind(now)};
  d.pairs_.push() = pair;
  if (d.race_sink != nullptr && !benign) d.race_sink({pair, address, 1, Access::thread(first), Access::thread(now), sa.pc, sb.pc});
}

// --- bytes --------------------------------------------------------------------------------------

// Makes the bytes of `mask` that were ever accessed a union of parts.
void Detector::split(Granule& g, uint8_t mask) {
  if (!g.split) {
    if (parts_.full()) return;
    const size_t index = parts_.size();
    Parts& p = parts_.push();
    p.count = 1;
    p.mask[0] = g.mask;
    p.cell[0] = g.cell;
    g.split = true;
    g.cell = {index, 0, 0};
  }
  Parts& p = parts_[g.cell.write];
  uint8_t left = mask;
  for (int i = 0, n = p.count; i < n; ++i) {
    const uint8_t common = p.mask[i] & mask;
    left &= static_cast<uint8_t>(~p.mask[i]);
    if (common == 0 || common == p.mask[i]) continue;
    p.mask[i] &= static_cast<uint8_t>(~common);
    p.mask[p.count] = common;
    p.cell[p.count] = cells_.copy(p.cell[i]);
    ++p.count;
  }
  if (left != 0) {
    p.mask[p.count] = left;
    p.cell[p.count] = {0, 0, 0};
    ++p.count;
  }
  g.mask |= mask;
}

void Detector::overwritten(Granule& g, uintptr_t address, uint8_t mask) {
  const uintptr_t base = address & ~uintptr_t{7};
  const uint8_t hit = g.objects & mask;
  for (int i = 0; i < 8; ++i) {
    if ((hit >> i & 1) && object_sink != nullptr && object_sink(base + i, true)) g.objects &= static_cast<uint8_t>(~(1u << i));
  }
}

void Detector::cell(Cell& c, uintptr_t address, Sort sort, uint64_t now) {
  if (sort == Sort::atomic) cells_.atomic(c, address, now);
  else if (sort == Sort::read) cells_.plain_read(c, address, now);
  else cells_.plain_write(c, address, now);
}

void Detector::granule(Granule& g, uintptr_t address, uint8_t mask, Sort sort, uint64_t now) {
  if (sort == Sort::write && __builtin_expect(g.objects & mask, 0)) overwritten(g, address, mask);
  if (g.mask == 0) g.mask = mask;
  if (Cell* c = cell_of(g, mask)) return cell(*c, address, sort, now);
  split(g, mask);
  if (!g.split) return;
  Parts& p = parts_[g.cell.write];
  for (int i = 0; i < p.count; ++i) {
    if (p.mask[i] & mask) cell(p.cell[i], (address & ~uintptr_t{7}) + __builtin_ctz(p.mask[i]), sort, now);
  }
}

bool Detector::knows(uint32_t thread, uintptr_t address, size_t size, bool write) {
  if ((address & 7) + size > 8) return false;
  if (thread != running_.thread) run(thread);
  Granule* const g = shadow().at(address);
  if (g == nullptr) return true;
  const uint8_t mask = mask_of(address, size);
  const Cell* const c = cell_of(*g, mask);
  if (c == nullptr) return false;
  if (write) return ((c->write ^ running_.prefix) & Access::kEpochMask) == 0 && (g->objects & mask) == 0;
  return ((c->read ^ running_.prefix) & Access::kEpochMask) == 0;
}

void Detector::range(uintptr_t address, size_t size, Sort sort, uint64_t now) {
  const uintptr_t end = address + size;
  for (uintptr_t at = address; at < end;) {
    const uintptr_t next = (at | 7) + 1;
    const uintptr_t high = end < next ? end : next;
    Granule* g = shadow().at(at);
    if (g == nullptr) return;
    granule(*g, at, mask_of(at, high - at), sort, now);
    at = high;
  }
}

void Detector::access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (thread != running_.thread) run(thread);
  const uint64_t now = running_.prefix | Access::what(sites().index_of(pc), Kind::none, write);
  const Sort sort = write ? Sort::write : Sort::read;
  if ((address & 7) + size > 8) return range(address, size, sort, now);
  Granule* const g = shadow().at(address);
  if (g != nullptr) granule(*g, address, mask_of(address, size), sort, now);
}

void forget_object(uintptr_t address) {
  if (g_detector.object_sink != nullptr) g_detector.object_sink(address, false);
}

}  // namespace

void race_detector_initialise() { g_detector.initialise(); }
void race_detector_begin() { g_detector.begin(); }
void race_detector_thread(uint32_t, uintptr_t stack_low, uintptr_t stack_high) {
  race_detector_forget(stack_low, stack_high - stack_low);
}
void race_detector_event(const Event& event, uint32_t partner_thread, uintptr_t address, size_t size, uint8_t ignored) {
  g_detector.event(event, partner_thread, address, size, ignored);
}
void race_detector_access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  g_detector.access(thread, address, size, write, pc);
}
bool race_detector_knows(uint32_t thread, uintptr_t address, size_t size, bool write) {
  return g_detector.knows(thread, address, size, write);
}
void race_detector_forget(uintptr_t address, size_t size) {
  benign_races().forget(address, size);
  shadow().forget(address, size, &forget_object);
}
void race_detector_benign(uintptr_t address, size_t size, bool lasting) { benign_races().add(address, size, lasting); }
void race_detector_object(uintptr_t address) { shadow().note_object(address); }
const RacingPair* race_detector_pairs(uint32_t& count) { return g_detector.pairs(count); }
void set_race_sink(RaceSink sink) { g_detector.race_sink = sink; }
void set_object_sink(ObjectSink sink) { g_detector.object_sink = sink; }

}  // namespace heddle::rt
