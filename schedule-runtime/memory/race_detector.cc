#include "memory/race_detector.h"

#include <new>

#include "base/address_map.h"
#include "base/elf.h"
#include "base/reserved_array.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "order/clock_rules.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr size_t kMaxPairs = 4096;
constexpr size_t kMaxThreads = 1 << 14;

// Reads of one place that no later write has overtaken, one per thread. A list while it is short, then indexed by thread.
struct ReadSet {
  uint64_t* reads;
  uint32_t size;      // of the list; of the array when indexed
  uint32_t capacity;
  bool indexed;
};

// A split granule: its bytes in groups of the same history.
struct Parts {
  uint8_t count;
  uint8_t mask[8];
  Cell cell[8];
};

// The thread that runs, as far as every access needs it.
struct Running {
  uint32_t thread = order::kNoThread;
  uint32_t epoch = 0;
  uint64_t prefix = 0;  // Access::pack(thread, epoch, 0)
  const order::VectorClock* clock = nullptr;
};

class Detector {
 public:
  void initialise();
  void begin();
  void event(const Event& e, uint32_t partner_thread);
  bool knows(uint32_t thread, uintptr_t address, size_t size, bool write);
  void access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc);
  const RacingPair* pairs(uint32_t& count) {
    count = static_cast<uint32_t>(pairs_.size());
    return pairs_.data();
  }

  RaceSink race_sink = nullptr;
  ObjectSink object_sink = nullptr;

 private:
  static constexpr uint32_t kListLimit = 32;
  static constexpr uint64_t kEpochMask = ~((1ull << Access::kSiteBits) - 1);

  void run(uint32_t thread);
  uint32_t release_epoch(uint32_t thread);
  bool in_past(uint64_t a) const {
    const uint32_t thread = Access::thread(a);
    return thread == running_.thread || running_.clock->covers(thread, Access::clock(a));
  }
  void granule(Granule& g, uintptr_t address, uint8_t mask, bool write, uint64_t now);
  void split(Granule& g, uint8_t mask);
  void cell(Cell& c, uintptr_t address, bool write, uint64_t now);
  void write_cell(Cell& c, uintptr_t address, uint64_t now);
  void read_cell(Cell& c, uintptr_t address, uint64_t now);
  void overwritten(Granule& g, uintptr_t address, uint8_t mask);
  ReadSet& set_of(uint64_t read) { return sets_[Access::site(read)]; }
  static bool is_set(uint64_t read) { return read != 0 && Access::clock(read) == 0; }
  void add_read(ReadSet& s, uint64_t now);
  void race(uint64_t first, bool first_writes, uint64_t now, bool writes, uintptr_t address);
  uint32_t variable(uintptr_t address);
  alignas(order::ClockTracker) unsigned char tracker_[sizeof(order::ClockTracker)] = {};
  order::ClockTracker& tracker() { return *reinterpret_cast<order::ClockTracker*>(tracker_); }
  Arena clocks_;
  Arena arena_;
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
  ReservedArray<ReadSet> sets_;   // entry 0 unused
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
  clocks_.initialise(1ull << 33);
  arena_.initialise(1ull << 31);
  sets_.reserve(1 << 22);
  parts_.reserve(1 << 22);
  pairs_.reserve(kMaxPairs);
  release_epochs_.reserve(kMaxThreads);
  known_pairs_.initialise(8);
  variables_.initialise(8);
}

void Detector::begin() {
  shadow().begin();
  clocks_.clear();
  arena_.clear();
  sets_.clear();
  sets_.push() = {};
  parts_.clear();
  pairs_.clear();
  known_pairs_.clear();
  variables_.clear();
  events_ = 0;
  ++execution_;
  running_ = {};
  new (tracker_) order::ClockTracker(order::Relation::strong, clocks_.memory());
}

void Detector::event(const Event& e, uint32_t partner_thread) {
  tracker().apply({.thread = e.thread, .object = e.object, .kind = e.kind, .order = e.order, .outcome = e.outcome,
                   .flags = e.flags, .event = events_++, .partner = e.partner, .choice = e.choice, .partner_thread = partner_thread});
  // A wait publishes on its mutex, though its kind speaks of the condition variable only.
  const bool releases = kind_info(e.kind).has(kReleases) || e.kind == Kind::cond_wait;
  if (!releases) return;
  release_epochs_[e.thread] = {execution_, tracker().epoch(e.thread)};
  if (running_.thread == e.thread) running_.thread = order::kNoThread;
}

uint32_t Detector::release_epoch(uint32_t thread) {
  ReleaseEpoch& r = release_epochs_[thread];
  if (r.execution != execution_) r = {execution_, tracker().epoch(thread)};
  return r.epoch;
}

void Detector::run(uint32_t thread) {
  running_.thread = thread;
  running_.epoch = release_epoch(thread);
  running_.prefix = Access::pack(thread, running_.epoch, 0);
  running_.clock = &tracker().clock(thread);
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

void Detector::race(uint64_t first, bool first_writes, uint64_t now, bool writes, uintptr_t address) {
  const uint32_t a = Access::site(first), b = Access::site(now);
  const uint64_t low = a < b ? a : b, high = a < b ? b : a;
  bool inserted;
  if (known_pairs_.size() >= 4 * kMaxPairs) return;
  known_pairs_.find_or_insert(low << 32 | high | 1ull << 63, inserted);
  if (!inserted || pairs_.full()) return;
  const SiteInfo& sa = sites()[a];
  const SiteInfo& sb = sites()[b];
  const RacingPair pair{sa.id, sb.id, variable(address), first_writes, writes, 0};
  pairs_.push() = pair;
  if (race_sink != nullptr) race_sink({pair, address, 1, Access::thread(first), Access::thread(now), sa.pc, sb.pc});
}

// --- FastTrack on one cell ----------------------------------------------------------------------

void Detector::add_read(ReadSet& s, uint64_t now) {
  const uint32_t thread = Access::thread(now);
  if (!s.indexed) {
    for (uint32_t i = 0; i < s.size; ++i) {
      if (Access::thread(s.reads[i]) == thread) {
        s.reads[i] = now;
        return;
      }
    }
    if (s.size < s.capacity) {
      s.reads[s.size++] = now;
      return;
    }
  } else if (thread < s.capacity) {
    s.reads[thread] = now;
    return;
  }
  // Grow: twice as long a list, or an array that reaches this thread.
  const bool index = s.indexed || s.capacity * 2 > kListLimit;
  uint32_t capacity = s.capacity * 2;
  if (index) {
    uint32_t highest = thread;
    for (uint32_t i = 0; i < s.size; ++i) {
      const uint32_t t = s.indexed ? i : Access::thread(s.reads[i]);
      if (t > highest) highest = t;
    }
    while (capacity <= highest) capacity *= 2;
  }
  auto* bigger = static_cast<uint64_t*>(arena_.get(capacity * sizeof(uint64_t)));
  for (uint32_t i = 0; i < capacity; ++i) bigger[i] = 0;
  for (uint32_t i = 0; i < s.size; ++i) {
    if (s.reads[i] != 0) bigger[index ? Access::thread(s.reads[i]) : i] = s.reads[i];
  }
  s.reads = bigger;
  s.capacity = capacity;
  if (index) {
    s.indexed = true;
    s.size = capacity;
    s.reads[thread] = now;
  } else {
    s.reads[s.size++] = now;
  }
}

void Detector::read_cell(Cell& c, uintptr_t address, uint64_t now) {
  if (c.write != 0 && !in_past(c.write)) race(c.write, true, now, false, address);
  if (is_set(c.read)) {
    add_read(set_of(c.read), now);
  } else if (c.read == 0 || in_past(c.read) || sets_.full()) {
    c.read = now;  // it overtakes the earlier read
  } else {
    ReadSet& s = sets_.push();
    s = {static_cast<uint64_t*>(arena_.get(4 * sizeof(uint64_t))), 2, 4, false};
    s.reads[0] = c.read;
    s.reads[1] = now;
    c.read = sets_.size() - 1;
  }
}

void Detector::write_cell(Cell& c, uintptr_t address, uint64_t now) {
  if (c.write != 0 && !in_past(c.write)) race(c.write, true, now, true, address);
  if (is_set(c.read)) {
    const ReadSet& s = set_of(c.read);
    for (uint32_t i = 0; i < s.size; ++i) {
      if (s.reads[i] != 0 && !in_past(s.reads[i])) race(s.reads[i], false, now, true, address);
    }
    c.read = 0;
  } else if (c.read != 0 && Access::thread(c.read) != running_.thread) {
    if (!in_past(c.read)) race(c.read, false, now, true, address);
    c.read = 0;
  }
  // A read of its own stays: it names one more site of this variable.
  c.write = now;
}

[[gnu::always_inline]] inline void Detector::cell(Cell& c, uintptr_t address, bool write, uint64_t now) {
  if (write) write_cell(c, address, now);
  else read_cell(c, address, now);
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
    g.cell.write = index;
    g.cell.read = 0;
  }
  Parts& p = parts_[g.cell.write];
  uint8_t left = mask;
  for (int i = 0, n = p.count; i < n; ++i) {
    const uint8_t common = p.mask[i] & mask;
    left &= static_cast<uint8_t>(~p.mask[i]);
    if (common == 0 || common == p.mask[i]) continue;
    p.mask[i] &= static_cast<uint8_t>(~common);
    p.mask[p.count] = common;
    p.cell[p.count] = p.cell[i];
    if (is_set(p.cell[i].read)) {  // two histories from now on
      if (sets_.full()) continue;
      ReadSet copy = set_of(p.cell[i].read);
      copy.reads = static_cast<uint64_t*>(arena_.get(copy.capacity * sizeof(uint64_t)));
      for (uint32_t k = 0; k < copy.size; ++k) copy.reads[k] = set_of(p.cell[i].read).reads[k];
      sets_.push() = copy;
      p.cell[p.count].read = sets_.size() - 1;
    }
    ++p.count;
  }
  if (left != 0) {
    p.mask[p.count] = left;
    p.cell[p.count] = {0, 0};
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

void Detector::granule(Granule& g, uintptr_t address, uint8_t mask, bool write, uint64_t now) {
  if (write && __builtin_expect(g.objects & mask, 0)) overwritten(g, address, mask);
  if (g.mask == 0) g.mask = mask;
  if (__builtin_expect(!g.split && g.mask == mask, 1)) return cell(g.cell, address, write, now);
  split(g, mask);
  if (!g.split) return;
  Parts& p = parts_[g.cell.write];
  for (int i = 0; i < p.count; ++i) {
    if (p.mask[i] & mask) cell(p.cell[i], (address & ~uintptr_t{7}) + __builtin_ctz(p.mask[i]), write, now);
  }
}

bool Detector::knows(uint32_t thread, uintptr_t address, size_t size, bool write) {
  const uintptr_t offset = address & 7;
  if (offset + size > 8) return false;
  if (thread != running_.thread) run(thread);
  const Granule* g = shadow().at(address);
  if (g == nullptr) return true;
  const uint8_t mask = static_cast<uint8_t>(((1u << size) - 1) << offset);
  const Cell* c = &g->cell;
  if (g->split) {
    const Parts& p = parts_[g->cell.write];
    int i = 0;
    while (i < p.count && p.mask[i] != mask) ++i;
    if (i == p.count) return false;
    c = &p.cell[i];
  } else if (g->mask != mask) {
    return false;
  }
  if (write) return ((c->write ^ running_.prefix) & kEpochMask) == 0 && (g->objects & mask) == 0;
  return ((c->read ^ running_.prefix) & kEpochMask) == 0;
}

void Detector::access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (thread != running_.thread) run(thread);
  const uint64_t now = running_.prefix | sites().index_of(pc);
  const uintptr_t end = address + size;
  for (uintptr_t at = address; at < end;) {
    const uintptr_t next = (at | 7) + 1;
    const uintptr_t high = end < next ? end : next;
    Granule* g = shadow().at(at);
    if (g == nullptr) return;
    granule(*g, at, static_cast<uint8_t>(((1u << (high - at)) - 1) << (at & 7)), write, now);
    at = high;
  }
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
void race_detector_event(const Event& event, uint32_t partner_thread) { g_detector.event(event, partner_thread); }
void race_detector_access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  g_detector.access(thread, address, size, write, pc);
}
bool race_detector_knows(uint32_t thread, uintptr_t address, size_t size, bool write) {
  return g_detector.knows(thread, address, size, write);
}
void race_detector_forget(uintptr_t address, size_t size) { shadow().forget(address, size, &forget_object); }
void race_detector_object(uintptr_t address) { shadow().note_object(address); }
const RacingPair* race_detector_pairs(uint32_t& count) { return g_detector.pairs(count); }
void set_race_sink(RaceSink sink) { g_detector.race_sink = sink; }
void set_object_sink(ObjectSink sink) { g_detector.object_sink = sink; }

}  // namespace heddle::rt
