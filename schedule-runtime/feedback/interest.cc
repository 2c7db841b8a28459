#include "feedback/interest.h"

#include "base/reserved_array.h"
#include "feedback/buckets.h"
#include "feedback/channel_interest.h"
#include "feedback/graph_interest.h"

namespace heddle::rt {
namespace {

// Salts: features of different kinds at one site must be different.
constexpr uint64_t kPair = 0x50414952, kOutcome = 0x4F555443, kChoice = 0x43484F49, kRace = 0x52414345, kContended = 0x434F4E54;

constexpr size_t kMaxObjects = 1 << 20;

// The latest operations on each object, by object index. Entries of earlier runs are recognised by their epoch.
struct Latest {
  uint32_t epoch;
  uint32_t any;
  uint32_t write;
};
constinit ReservedArray<Latest> g_latest;
constinit uint32_t g_epoch = 0;

bool tells_by_outcome(const Event& e) {
  if (e.outcome == Outcome::none) return false;
  // A signal without a waiter is of interest. A signal with a waiter is already covered by pairs.
  return e.kind != Kind::cond_signal && e.kind != Kind::cond_broadcast ? true : e.outcome == Outcome::failure;
}

bool tells_by_choice(const Event& e) {
  return e.kind == Kind::select || e.kind == Kind::descriptor_wait || (e.kind == Kind::cond_signal && e.value > 1);
}

// An operation without its thread: the n-th execution of its site by any thread.
uint64_t anonymous(const Event& e) { return e.site ^ (e.occurrence * 0x9E3779B97F4A7C15ull); }

uint64_t class_term(const RunSummary& run, const Event& e) {
  const bool known = e.partner < run.event_count;
  return mix(anonymous(e), known ? anonymous(run.events[e.partner]) + 1 : 0);
}

bool in_order_class(const Event& e) {
  const uint16_t roles = kind_info(e.kind).roles;
  return (roles & kReads) != 0 && (roles & kThread) == 0;
}

}  // namespace

uint64_t order_class(const RunSummary& run) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    if (in_order_class(run.events[i])) sum += class_term(run, run.events[i]);
  }
  return sum;
}

void collect_chain_features(const RunSummary& run, Collector& collector) {
  collector.add(kConstantCounter, Interest::constant);
  for (uint32_t c = 0; c < run.chain_count && c < kChainCounters; ++c) {
    if (run.chains[c].realised != 0) collector.add(kFirstChainCounter + c, Interest::chain, run.chains[c].realised);
  }
}

void collect_features(const RunSummary& run, Collector& collector) {
  g_latest.reserve(kMaxObjects);
  ++g_epoch;
  collect_chain_features(run, collector);
  uint64_t order = 0;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    const uint16_t roles = kind_info(e.kind).roles;
    if ((roles & kThread) != 0) continue;  // creation before start, and end before join, always hold
    if ((roles & kReads) != 0) order += class_term(run, e);
    if (!e.finished()) continue;
    if (tells_by_outcome(e)) {
      collector.add_hashed(mix(e.site ^ kOutcome, static_cast<uint64_t>(e.kind) << 8 | static_cast<uint8_t>(e.outcome)),
                           Interest::outcome);
    }
    if (tells_by_choice(e)) collector.add_hashed(mix(e.site ^ kChoice, e.choice), Interest::choice);
    if ((e.flags & kEventContended) != 0 && (roles & kHoldsLock) != 0) {
      collector.add_hashed(mix(e.site, kContended), Interest::contention);
    }
    if (e.object == 0 || (roles & (kReads | kWrites)) == 0) continue;
    Latest& latest = g_latest[e.object];
    if (latest.epoch != g_epoch) latest = {g_epoch, kNoEvent, kNoEvent};
    const bool writes = (roles & kWrites) != 0 && !in_vain(e.outcome);
    const uint32_t before = writes ? latest.any : latest.write;
    if (before != kNoEvent && run.events[before].thread != e.thread) {
      const Event& b = run.events[before];
      collector.add_hashed(mix(mix(b.site ^ kPair, e.site), static_cast<uint64_t>(b.kind) << 8 | static_cast<uint8_t>(e.kind)),
                           Interest::pair);
    }
    latest.any = i;
    if (writes) latest.write = i;
  }
  if (run.channel_count != 0) collect_channel_features(run, collector);
  if (run.coherence_count != 0) collect_graph_features(run, collector);
  for (uint32_t r = 0; r < run.race_count; ++r) {
    const RacingPair& p = run.races[r];
    collector.add_hashed(mix(mix(p.first ^ kRace, p.second), static_cast<uint64_t>(p.first_writes) << 1 | p.second_writes),
                         Interest::race);
  }
  // One of 64 x 8 classes. That is enough to keep a few orders of the same pairs, and too few to flood the corpus.
  if (order != 0) {
    const uint64_t h = mix(order, 0x04DE4C1A55);
    collector.add(kFirstOrderCounter + static_cast<uint32_t>(h % kOrderCounters), Interest::order_class,
                  value_of_bucket(static_cast<int>(h >> 61)));
  }
}

}  // namespace heddle::rt
