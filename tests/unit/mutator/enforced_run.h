// Runs small threaded bodies under the engine, and hands what happened to the moves: what a move writes into a schedule, the next run
// must do.
//
// The bodies are not instrumented: they call the shims themselves. Each call is a separate site.
#pragma once

#include <pthread.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "parent.h"

extern "C" {
int __tsan_atomic32_load(const volatile int*, int order);
void __tsan_atomic32_store(volatile int*, int value, int order);
int __tsan_atomic32_exchange(volatile int*, int value, int order);
void __tsan_read4(void*);
void __tsan_write4(void*);
}

namespace heddle::mutator {

inline constexpr int kSeqCst = 5;

// One run of `body` under `schedule`, as the mutator knows it.
struct Execution : Lab {
  Execution(const Schedule& schedule, rt::Body body);

  rt::EndReason end;
  uint64_t hash;  // of the trace

  bool finished() const { return end == rt::EndReason::finished; }
  bool stuck() const { return end == rt::EndReason::stuck; }

  // The n-th event (from 0) of that kind in that thread (0 is main, then in order of creation); kNone if there is none.
  uint32_t at(uint32_t thread, Kind kind, uint32_t n = 0) const;
  // The exact and the open element that mean it. REQUIRES: it is there.
  Element exact(uint32_t thread, Kind kind, uint32_t n = 0) const;
  Element open(uint32_t thread, Kind kind, uint32_t n = 0) const;
  // Both happened, and took effect in this order.
  bool before(uint32_t first, uint32_t second) const;
  // The operations that a chain of exact elements names happened in its order.
  bool in_order(const Chain& chain) const;
  // Every chain of the schedule came true, element by element.
  bool realised() const;
  uint32_t count(Kind kind) const;
  uint32_t flagged(EventFlag flag) const;
  // The write that the event's value comes from.
  SiteId partner_site(uint32_t event) const;
};

// What the move makes of `schedule` with `parent` as its run, over many seeds of the mutator; each one different, and ready to
// run. Fails the test if the move does nothing, or does not exist.
std::vector<Schedule> children(Execution& parent, const Schedule& schedule, std::string_view move, uint32_t seeds = 200);

// In how many runs of the schedule, each under another seed, `holds`.
inline constexpr int kSeeds = 24;
int runs_that(Schedule schedule, rt::Body body, const std::function<bool(const Execution&)>& holds, int seeds = kSeeds);

inline Schedule with_chain(const Chain& chain, Schedule schedule = {}) {
  put_chain(schedule, 0, chain);
  return schedule;
}

// Each thread runs until it blocks.
inline Schedule calm() {
  Schedule schedule;
  schedule.strategy = StrategyId::round_robin;
  return schedule;
}

// Two threads at once; `main` joins both.
int both(void* (*first)(void*), void* (*second)(void*));

}  // namespace heddle::mutator
