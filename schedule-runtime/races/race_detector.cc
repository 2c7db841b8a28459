#include "races/race_detector.h"

#include <new>

#include "base/reserved_array.h"
#include "heap/bad_free.h"
#include "heap/heap_blocks.h"
#include "heap/shared_views.h"
#include "order/clock_rules.h"
#include "order/lanes.h"
#include "races/access_log.h"
#include "races/arena.h"
#include "races/benign_races.h"
#include "races/granules.h"
#include "races/handler_accesses.h"
#include "races/known_access.h"
#include "races/racing_pairs.h"
#include "races/recent_accesses.h"
#include "races/touch.h"
#include "trace/sites.h"

namespace heddle::rt {

constinit RunningThread g_running = {order::kNoThread, 0};
constinit Granules g_granules;
constinit bool g_watches_races = true;

namespace {

constexpr size_t kMaxThreads = 1 << 14;

bool overwritten(uintptr_t address);
void used_after_free(uintptr_t block, uintptr_t address, uint64_t now);

// Bytes of all clocks. With more than the latter, the execution ends after its window, a few thousand operations later at most.
constexpr size_t kMostClocks = size_t{1} << 33, kManyClocks = size_t{1} << 30;

class Detector {
 public:
  void initialise();
  void begin(bool shares_lanes);
  void thread(uint32_t thread, uint32_t parent);
  void ended(uint32_t thread) {
    if (shares_lanes_) lanes().end(thread, epoch(thread) - 1);
  }
  void inherit(uint32_t other, uint32_t thread) { tracker().inherit(lane_of(other), lane_of(thread)); }
  void run(uint32_t thread);
  uint32_t epoch(uint32_t thread) { return tracker().epoch(lane_of(thread)); }
  bool in_past(uint32_t thread, uint32_t epoch, uint32_t now) { return tracker().in_past(lane_of(thread), epoch, lane_of(now)); }
  bool crowded() const { return clocks_.used() > kManyClocks; }
  const order::VectorClock& clock(uint32_t thread) { return tracker().clock(lane_of(thread)); }
  // Whose access it is.
  uint32_t thread_of(uint64_t access) { return lanes().thread_at(Access::lane(access), Access::clock(access)); }
  const order::VectorClock& release_view(uint32_t object) { return tracker().head(object); }
  uint32_t heard_at(uint32_t thread) const { return thread < readers_.capacity() ? readers_[thread].heard_at : 0; }
  void event(const Event& e, uint32_t partner_thread, uintptr_t address, size_t size, uint8_t ignored, const order::VectorClock* source);
  void order(const Event& e, uint32_t partner_thread, uint8_t ignored, const order::VectorClock* source);
  void look(const Event& e) {
    tracker().look({.thread = lane_of(e.thread), .object = e.object, .kind = e.kind, .order = e.order, .outcome = e.outcome});
  }
  void barrier(uint32_t thread, const order::VectorClock* read);
  void access(uint32_t thread, uintptr_t address, size_t size, bool write, uint32_t site, uint32_t context);
  void end_of_memory(uint32_t thread, uintptr_t address, size_t size, uint32_t site, uint32_t context);
  uint32_t events() const { return events_; }
  void conflict(const LoggedAccess& first, const LoggedAccess& second);
  void new_epoch(uint32_t thread) { released(thread, own(thread), epoch(thread)); }

  RacingPairs pairs;
  RaceSink race_sink = nullptr;
  ObjectSink object_sink = nullptr;

 private:
  struct Own;
  Own& own(uint32_t thread);
  void released(uint32_t thread, Own& own, uint32_t epoch);
  void clocks(const Event& e, uint32_t lane, uint32_t partner_thread, const order::VectorClock* source);
  void touch(const Effect& effect, uintptr_t address, size_t size, uint64_t now);
  static void race(uint64_t first, uint64_t now, uintptr_t address);
  alignas(order::ClockTracker) unsigned char tracker_[sizeof(order::ClockTracker)] = {};
  order::ClockTracker& tracker() { return *reinterpret_cast<order::ClockTracker*>(tracker_); }
  alignas(order::Lanes) unsigned char lanes_[sizeof(order::Lanes)] = {};
  order::Lanes& lanes() { return *reinterpret_cast<order::Lanes*>(lanes_); }
  bool shares_lanes_ = true;
  uint32_t lane_of(uint32_t thread) { return own(thread).lane; }
  Arena clocks_;
  uint32_t execution_ = 0;
  uint32_t events_ = 0;
  // For each thread: its lane, and the first epoch since it last published something. Until it publishes again, all its accesses share this
  // epoch, because a thread that learns of one of them learns of all of them. So FastTrack's clocks move only at releases. Entries with another
  // execution's number are stale.
  struct Own {
    uint32_t execution;
    uint32_t epoch;
    uint32_t lane;
  };
  ReservedArray<Own> own_;
  ReservedArray<FastTrack::Reader> readers_;
  bool alive_ = false;
};

constinit Detector g_detector;

void Detector::initialise() {
  if (alive_) return;
  alive_ = true;
  shadow().initialise();
  access_log().initialise();
  benign_races().initialise();
  clocks_.initialise(kMostClocks);
  granules().initialise(&Detector::race, events_, &overwritten, &used_after_free);
  pairs.initialise();
  own_.reserve(kMaxThreads);
  readers_.reserve(kMaxThreads);
}

void Detector::begin(bool shares_lanes) {
  shadow().begin();
  benign_races().begin();
  access_notes().begin();
  access_log().begin();
  handler_accesses_begin();
  clocks_.clear();
  granules().begin();
  pairs.begin();
  events_ = 0;
  ++execution_;
  g_running = {order::kNoThread, 0};
  new (tracker_) order::ClockTracker(order::Relation::strong, clocks_.memory());
  shares_lanes_ = shares_lanes;
  new (lanes_) order::Lanes(clocks_.memory());
}

[[gnu::always_inline]] inline void Detector::clocks(const Event& e, uint32_t lane, uint32_t partner_thread, const order::VectorClock* source) {
  tracker().apply({.thread = lane, .object = e.object, .kind = e.kind, .order = e.order, .outcome = e.outcome,
                   .flags = e.flags, .event = events_++, .partner = e.partner, .choice = e.choice,
                   .partner_thread = partner_thread != kNoEvent ? lane_of(partner_thread) : order::kNoThread, .source = source});
}

[[gnu::always_inline]] inline void Detector::touch(const Effect& effect, uintptr_t address, size_t size, uint64_t now) {
  // The event of this access has already been counted.
  if (access_notes().enabled()) access_notes().note(now, address, {AccessNote::kOfEvent, events_ - 1, static_cast<uint32_t>(size)});
  if (effect.touch == Touch::destroys) granules().access(address, size, Sort::destroy, now);
  else granules().atomic(address, size, now);
}

// An operation's own access comes after what the operation acquires and before what it publishes. So it is checked with the clock after the
// operation, and belongs to the epoch before it.
void Detector::event(const Event& e, uint32_t partner_thread, uintptr_t address, size_t size, uint8_t ignored,
                     const order::VectorClock* source) {
  const Effect& effect = kEffects.of[static_cast<uint8_t>(e.kind) % kKindLimit];
  if (__builtin_expect(ignored != 0, 0)) {
    if (ignored & (effect.writes && e.outcome != Outcome::failure ? kIgnoreWrites : kIgnoreReads)) address = 0;
    if ((ignored & kIgnoreOrder) && !kind_info(e.kind).has(kThread)) {
      ++events_;
      if (effect.touch == Touch::none || address == 0) return;
      if (e.thread != g_running.thread) run(e.thread);
      return touch(effect, address, size, g_running.epoch | Access::what(e.pc_index, e.kind, effect.writes && e.outcome != Outcome::failure));
    }
  }
  Own& mine = own(e.thread);
  if (effect.touch != Touch::none && address != 0) {
    if (e.thread != g_running.thread) run(e.thread);
    const uint64_t now = g_running.epoch | Access::what(e.pc_index, e.kind, effect.writes && e.outcome != Outcome::failure);
    clocks(e, mine.lane, partner_thread, source);
    touch(effect, address, size, now);
  } else {
    clocks(e, mine.lane, partner_thread, source);
  }
  if (effect.releases) released(e.thread, mine, tracker().epoch(mine.lane));
}

void Detector::order(const Event& e, uint32_t partner_thread, uint8_t ignored, const order::VectorClock* source) {
  if ((ignored & kIgnoreOrder) != 0 && !kind_info(e.kind).has(kThread)) ++events_;
  else clocks(e, lane_of(e.thread), partner_thread, source);
}

void Detector::barrier(uint32_t thread, const order::VectorClock* read) {
  Own& mine = own(thread);
  tracker().barrier(mine.lane, read);
  released(thread, mine, tracker().epoch(mine.lane) + 1);  // the event is still to come
}

// What the thread accesses from this epoch on is not yet published.
[[gnu::always_inline]] inline void Detector::released(uint32_t thread, Own& own, uint32_t epoch) {
  own.epoch = epoch;
  if (g_running.thread == thread) g_running.epoch = Access::epoch(own.lane, epoch);
}

[[gnu::always_inline]] inline Detector::Own& Detector::own(uint32_t thread) {
  Own& own = own_[thread];
  if (__builtin_expect(own.execution != execution_, 0)) {
    const uint32_t lane = shares_lanes_ ? lanes().of(thread) : thread;
    own = {execution_, tracker().epoch(lane), lane};
  }
  return own;
}

void Detector::run(uint32_t thread) {
  const Own& mine = own(thread);
  g_running = {thread, Access::epoch(mine.lane, mine.epoch)};
  granules().cells.run(mine.lane, tracker().clock(mine.lane), readers_[thread]);
}

// The creation event has already been counted, so the creator is in its next epoch.
void Detector::thread(uint32_t thread, uint32_t parent) {
  if (thread == parent) {
    readers_[thread] = {lane_of(thread), 0, 0};
    return;
  }
  if (shares_lanes_ && lanes().begin(thread, clock(parent))) tracker().hand_over(lane_of(thread));
  readers_[thread] = {lane_of(parent), own(parent).epoch, 0};
}

// --- races --------------------------------------------------------------------------------------

void Detector::conflict(const LoggedAccess& first, const LoggedAccess& second) {
  if (!pairs.is_new(first.site, second.site, false)) return;
  const uintptr_t address = first.address > second.address ? first.address : second.address;
  pairs.add({sites()[first.site].id, sites()[second.site].id, pairs.variable(address), static_cast<uint8_t>(first.write),
             static_cast<uint8_t>(second.write), Kind::none, Kind::none});
}

void Detector::race(uint64_t first, uint64_t now, uintptr_t address) {
  Detector& d = g_detector;
  const uint32_t a = Access::site(first), b = Access::site(now);
  const bool benign = benign_races().contains(address);
  if (!d.pairs.is_new(a, b, !benign)) return;
  const SiteInfo& sa = sites()[a];
  const SiteInfo& sb = sites()[b];
  const RacingPair pair{sa.id, sb.id, d.pairs.variable(address), Access::writes(first), Access::writes(now), Access::kind(first),
                        Access::kind(now)};
  d.pairs.add(pair);
  if (d.race_sink != nullptr && !benign) {
    const auto note = [address](uint64_t access) { return access_notes().enabled() ? access_notes().find(access, address) : nullptr; };
    d.race_sink({pair, address, 1, d.thread_of(first), d.thread_of(now), sa.pc, sb.pc, note(first), note(now)});
  }
}

[[gnu::always_inline]] inline void Detector::access(uint32_t thread, uintptr_t address, size_t size, bool write, uint32_t site,
                                                    uint32_t context) {
  if (thread != g_running.thread) run(thread);
  const uint64_t now = g_running.epoch | Access::what(site, Kind::none, write);
  if (access_notes().enabled()) access_notes().note(now, address, {context, events_, static_cast<uint32_t>(size)});
  if (__builtin_expect((address & 7) + size <= 8, 1)) granules().plain_within(address, size, write, now);
  else granules().access(address, size, write ? Sort::write : Sort::read, now);
}

// A mutex there is destroyed, not overwritten. If the mapping covers heap memory, it is no access to blocks that were freed there.
void Detector::end_of_memory(uint32_t thread, uintptr_t address, size_t size, uint32_t site, uint32_t context) {
  if (thread != g_running.thread) run(thread);
  const uint64_t now = g_running.epoch | Access::what(site, Kind::none, true);
  if (access_notes().enabled()) {
    const auto said = static_cast<uint32_t>(size);
    access_notes().note(now, address, {context, events_, said == size ? said : 0});
  }
  shadow().visit_known(address, size, [&](uintptr_t at, Granule& g) {
    // Only bytes that were accessed. The others need no history.
    for (unsigned left = g.freed ? 0 : g.mask; left != 0;) {
      const auto first = static_cast<unsigned>(__builtin_ctz(left)), count = static_cast<unsigned>(__builtin_ctz(~(left >> first)));
      granules().access(at + first, count, Sort::destroy, now);
      left &= ~0u << (first + count);
    }
  });
}

bool overwritten(uintptr_t address) { return g_detector.object_sink != nullptr && g_detector.object_sink(address, true); }

constinit const char* g_used = nullptr;

// If the allocator has reallocated the memory to code outside of heddle's control, the block no longer counts as freed.
void used_after_free(uintptr_t block, uintptr_t address, uint64_t now) {
  const Freed* const by = heap_blocks::find_freed(reinterpret_cast<const void*>(block));
  if (by == nullptr) return;
  raise_bad_free({.what = Access::writes(now) ? BadFree::written_after : BadFree::read_after,
                        .address = address, .now = {.thread = g_detector.thread_of(now), .site = Access::site(now), .context = 0}, .first = *by, .block = block,
                        .used = kind_info(Access::kind(now)).has(kAtomic) ? "an atomic variable" : g_used});
}

void forget_object(uintptr_t address) {
  if (g_detector.object_sink != nullptr) g_detector.object_sink(address, false);
}

}  // namespace

void race_detector_initialise() { g_detector.initialise(); }
void race_detector_begin(bool shares_lanes) {
  g_used = nullptr;  // a finding may have ended the last execution early
  g_watches_races = true;
  g_detector.begin(shares_lanes);
  if (shared_views().any()) race_detector_aliased();
}
void race_detector_rest() { g_watches_races = false; }
void race_detector_thread(uint32_t thread, uint32_t parent, uintptr_t stack_low, uintptr_t stack_high) {
  if (race_detector_watches()) g_detector.thread(thread, parent);
  race_detector_forget(stack_low, stack_high - stack_low);
}
void race_detector_ended(uint32_t thread) {
  if (race_detector_watches()) g_detector.ended(thread);
}
void race_detector_inherits(uint32_t thread, uint32_t other) {
  if (race_detector_watches()) g_detector.inherit(other, thread);
}
void race_detector_event(const Event& event, uint32_t partner_thread, uintptr_t address, size_t size, uint8_t ignored,
                         const order::VectorClock* source) {
  g_detector.event(event, partner_thread, address, size, ignored, source);
}
void race_detector_look(const Event& look) { g_detector.look(look); }
void race_detector_order(const Event& event, uint32_t partner_thread, uint8_t ignored, const order::VectorClock* source) {
  g_detector.order(event, partner_thread, ignored, source);
}
void race_detector_barrier(uint32_t thread, const order::VectorClock* read) { g_detector.barrier(thread, read); }
void race_detector_access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc, uint32_t context) {
  race_detector_access_at(thread, address, size, write, sites().index_of(pc), context);
}
namespace {

__attribute__((noinline)) void access_at_home(uint32_t thread, uintptr_t address, size_t size, bool write, uint32_t site, uint32_t context) {
  shared_views().each_home(address, size, [&](uintptr_t home, size_t part) { g_detector.access(thread, home, part, write, site, context); });
}

[[gnu::always_inline]] inline bool all_known(uintptr_t address, size_t size, bool write) {
  for (;;) {
    const size_t here = 8 - (address & 7) < size ? 8 - (address & 7) : size;
    if (!granules().known(address, here, write, g_running.epoch)) return false;
    if (here == size) return true;
    address += here;
    size -= here;
  }
}

__attribute__((noinline)) bool known_at_home(uintptr_t address, size_t size, bool write) {
  bool known = true;
  shared_views().each_home(address, size, [&](uintptr_t home, size_t part) { known = known && all_known(home, part, write); });
  return known;
}

}  // namespace

void race_detector_access_at(uint32_t thread, uintptr_t address, size_t size, bool write, uint32_t site, uint32_t context) {
  if (__builtin_expect(shared_views().any(), 0)) return access_at_home(thread, address, size, write, site, context);
  g_detector.access(thread, address, size, write, site, context);
}
bool race_detector_knows(uint32_t thread, uintptr_t address, size_t size, bool write) {
  race_detector_run(thread);
  return __builtin_expect(shared_views().any(), 0) ? known_at_home(address, size, write) : all_known(address, size, write);
}
bool race_detector_plain_writer(uintptr_t address, uint32_t& thread, uint32_t& site) {
  const uint64_t write = granules().plain_write_at(__builtin_expect(shared_views().any(), 0) ? shared_views().home(address) : address);
  thread = g_detector.thread_of(write), site = Access::site(write);
  return write != 0;
}
void race_detector_run(uint32_t thread) {
  if (thread != g_running.thread) g_detector.run(thread);
}
void race_detector_forget(uintptr_t address, size_t size) {
  benign_races().forget(address, size);
  if (!race_detector_watches() && !shadow().may_hold_object(address, size)) return;  // while it rests, only objects are known
  recent_accesses().forget(address, size);
  shadow().forget(address, size, &forget_object);
}
void race_detector_written_over(uintptr_t address, size_t size) { granules().write_over_objects(address, size); }
void race_detector_moved(uintptr_t from, uintptr_t to, size_t size) {
  recent_accesses().forget();
  shadow().move(from, to, size);
  granules().moved(to, size);
}
void race_detector_aliased() { shadow().objects_have_aliases(); }
uint32_t race_detector_epoch(uint32_t thread) { return g_detector.epoch(thread); }

bool race_detector_in_past(uint32_t thread, uint32_t epoch, uint32_t now) { return g_detector.in_past(thread, epoch, now); }

bool race_detector_crowded() { return g_detector.crowded(); }
const order::VectorClock& race_detector_clock(uint32_t thread) { return g_detector.clock(thread); }
const order::VectorClock& race_detector_release_view(uint32_t object) { return g_detector.release_view(object); }

uint32_t race_detector_heard_at(uint32_t thread) { return g_detector.heard_at(thread); }
void race_detector_end_of_memory(uint32_t thread, uintptr_t address, size_t size, uint32_t site, uint32_t context) {
  g_detector.end_of_memory(thread, address, size, site, context);
}
void race_detector_end_of_block(uint32_t thread, uintptr_t address, size_t size, bool over_objects, uint32_t site) {
  race_detector_run(thread);
  granules().last_write(address, size, over_objects, g_running.epoch | Access::what(site, Kind::none, true));
}
void race_detector_discarded(uintptr_t address, size_t size) {
  recent_accesses().forget(address, size);
  if (shared_views().at(address) != nullptr) return;  // its bytes are the file's, and stay
  shadow().visit_known(address, size, [](uintptr_t, Granule& g) { g = {{0, 0, 0}, g.tag, 0, g.objects, false, false}; });
}
void race_detector_benign(uintptr_t address, size_t size, bool lasting) { benign_races().add(shared_views().home(address), size, lasting); }
void race_detector_freed(uint32_t thread, uintptr_t block, size_t size, uint32_t site) {
  recent_accesses().forget(block, size);
  race_detector_run(thread);
  granules().freed(block, size, g_running.epoch | Access::what(site, Kind::none, true));
}
void race_detector_use(uint32_t thread, uintptr_t address, uintptr_t pc, const char* what) {
  race_detector_run(thread);
  g_used = what;
  granules().check_freed(address, g_running.epoch | Access::what(sites().index_of(pc), Kind::none, false));
  g_used = nullptr;
}
void race_detector_object(uintptr_t address) {
  recent_accesses().forget(address, 1);
  shadow().note_object(address);
}
const RacingPair* race_detector_pairs(uint32_t& count) {
  count = g_detector.pairs.size();
  return g_detector.pairs.data();
}
void race_detector_take_pairs(const RacingPair* pairs, uint32_t count) { g_detector.pairs.take(pairs, count); }
void race_detector_conflict(const LoggedAccess& first, const LoggedAccess& second) { g_detector.conflict(first, second); }
void race_detector_new_epoch(uint32_t thread) { g_detector.new_epoch(thread); }
bool race_detector_raced() { return g_detector.pairs.size() != 0; }
uint32_t race_detector_events() { return g_detector.events(); }
void set_race_sink(RaceSink sink, bool notes) {
  g_detector.race_sink = sink;
  access_notes().enable(sink != nullptr && notes);
}
void set_object_sink(ObjectSink sink) { g_detector.object_sink = sink; }

}  // namespace heddle::rt
