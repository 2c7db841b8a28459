#include "analyses/report/causal_past.h"

#include <algorithm>

#include "base/reserved_array.h"
#include "schema/coherence.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostPasses = 32;      // over the run; a way that needs more changes of direction is not found
constexpr uint32_t kMostHops = 1 << 16;
constexpr uint32_t kNoHop = 0xFFFFFFFF;

constinit ReservedArray<uint32_t> g_bounds;  // by thread: how many of the run's events are in its past, if they are the thread's
constinit ReservedArray<uint8_t> g_added;    // by thread: its own past was added, and is all that counts of it
constinit ReservedArray<Hop> g_hops;         // each leads to an operation that was in the past before it
constinit ReservedArray<uint32_t> g_ranks;   // of stores: the place in the modification order of their object, from 1; of others: 0
constinit ReservedArray<uint32_t> g_above;   // of stores: the next one in modification order
constinit ReservedArray<uint32_t> g_lowest;  // by object: one more than the ranks that come before the stores in the past

// The event that this one learns from; kNoEvent: none.
uint32_t source_of(const RunSummary& run, const Event& e) {
  if (e.kind == Kind::thread_start && e.partner == kNoEvent && e.thread < run.thread_count) return run.threads[e.thread].create_event;
  return is_plain_store(e) ? kNoEvent : e.partner;
}

}  // namespace

CausalPast::CausalPast(const RunSummary& run) : run_(run) {
  g_bounds.reserve(Recorder::kMaxThreads);
  g_added.reserve(Recorder::kMaxThreads);
  g_hops.reserve(kMostHops);
  g_ranks.reserve(Recorder::kMaxEvents);
  g_above.reserve(Recorder::kMaxEvents);
  g_lowest.reserve(Recorder::kMaxObjects);
  if (run.coherence_count == 0) return;
  for (uint32_t i = 0; i < run.event_count; ++i) g_ranks[i] = 0, g_above[i] = kNoEvent;
  for (uint32_t i = 0; i < run.coherence_count; ++i) {
    const StoreOrder& s = run.coherence[i];
    if (s.after < run.event_count && s.event < run.event_count) g_above[s.after] = s.event;
  }
  for (uint32_t i = 0; i < run.coherence_count; ++i) {
    const StoreOrder& s = run.coherence[i];
    if (s.after < run.event_count) continue;
    uint32_t rank = 1;
    for (uint32_t e = s.event; e < run.event_count && g_ranks[e] == 0; e = g_above[e]) g_ranks[e] = rank++;
  }
}

void CausalPast::clear() {
  for (uint32_t t = 0; t < run_.thread_count; ++t) g_bounds[t] = g_added[t] = 0;
  g_hops.clear();
}

void CausalPast::add(uint32_t thread, uint32_t event) {
  if (thread >= run_.thread_count) return;
  g_added[thread] = 1;
  if (g_bounds[thread] < event + 1) g_bounds[thread] = event + 1;
}

// A thread that runs has failed by what it knows. In a circle of locks, each thread that is marked counts. But who waits in vain for a notification may
// miss it because of what any thread has read, also one that has ended.
void CausalPast::add_finding(const Story& story) {
  if (story.thread < run_.thread_count) {
    add(story.thread, run_.event_count);
    // Who freed the memory, or raced with the access, has its own reasons.
    for (uint32_t i = 0; i < story.aside_count; ++i) {
      const Aside& a = story.asides[i];
      if (a.thread != story.thread && a.thread < run_.thread_count && a.before != 0) add(a.thread, std::min(a.before, run_.event_count) - 1);
    }
    return;
  }
  const bool in_vain = story.type == FindingType::blocked_threads || story.type == FindingType::lost_wakeup || story.type == FindingType::livelock;
  if (in_vain || story.event_count == 0) {
    for (uint32_t t = 0; t < run_.thread_count; ++t) add(t, run_.event_count);
    return;
  }
  for (uint32_t i = 0; i < story.event_count; ++i) {
    if (story.events[i] < run_.event_count) add(run_.events[story.events[i]].thread, run_.event_count);
  }
}

bool CausalPast::contains(uint32_t event) const { return event < g_bounds[run_.events[event].thread]; }

bool CausalPast::raise(uint32_t from, uint32_t to, bool message) {
  uint32_t& bound = g_bounds[run_.events[from].thread];
  if (from < bound || g_added[run_.events[from].thread] != 0 || g_hops.size() == kMostHops) return false;
  bound = from + 1;
  g_hops.push() = {from, to, message};
  return true;
}

// One pass is enough: an operation learns from an earlier one.
bool CausalPast::spread_messages() {
  bool news = false;
  for (uint32_t i = run_.event_count; i-- > 0;) {
    const Event& e = run_.events[i];
    if (!e.finished() || !contains(i)) continue;
    const uint32_t source = source_of(run_, e);
    if (source < i) news |= raise(source, i, true);
  }
  return news;
}

// A read comes before the stores that are newer than the one it sees, a store before the newer ones.
bool CausalPast::spread_orders() {
  if (run_.coherence_count == 0) return false;
  bool news = false;
  for (uint32_t i = 0; i < run_.object_count; ++i) g_lowest[i] = kNoEvent;
  // Of each object, the newest store in the past: everything below it comes before it.
  for (uint32_t i = 0; i < run_.event_count; ++i) {
    const Event& e = run_.events[i];
    if (g_ranks[i] == 0 || e.object >= run_.object_count || !contains(i)) continue;
    uint32_t& newest = g_lowest[e.object];
    if (newest == kNoEvent || g_ranks[newest] < g_ranks[i]) newest = i;
  }
  for (uint32_t i = run_.event_count; i-- > 0;) {
    const Event& e = run_.events[i];
    if (!e.finished() || e.object >= run_.object_count || g_lowest[e.object] == kNoEvent || contains(i)) continue;
    const bool stores = g_ranks[i] != 0;
    if (!stores && !is_graph_load(e)) continue;
    const uint32_t seen = stores ? g_ranks[i] : e.partner < run_.event_count ? g_ranks[e.partner] : 0;
    const uint32_t newest = g_lowest[e.object];
    if (seen < g_ranks[newest] && run_.events[newest].thread != e.thread) news |= raise(i, newest, false);
  }
  return news;
}

void CausalPast::spread(Links links) {
  spread_messages();
  for (uint32_t n = 0; links == Links::all && n < kMostPasses && spread_orders(); ++n) spread_messages();
}

bool CausalPast::way(uint32_t event, Hop* hops, uint32_t room, uint32_t& count) const {
  count = 0;
  for (size_t limit = g_hops.size();;) {
    // The first one that brought this thread's operation into the past.
    size_t first = kNoHop;
    for (size_t i = 0; i < limit && first == kNoHop; ++i) {
      if (run_.events[g_hops[i].from].thread == run_.events[event].thread && g_hops[i].from >= event) first = i;
    }
    if (first == kNoHop) return true;
    if (count == room) return false;
    hops[count++] = g_hops[first];
    event = g_hops[first].to;
    limit = first;
  }
}

}  // namespace heddle::rt
