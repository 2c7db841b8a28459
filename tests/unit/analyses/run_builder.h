// Runs written by hand, for the tests of analyses, reports and feedback.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "schema/coherence.h"
#include "schema/event.h"
#include "trace/recorder.h"

namespace heddle::rt::testing {

// The source line of an operation is also its site: pc_index is the line, and the site's identity follows from it.
class RunBuilder {
 public:
  RunBuilder() {
    recorder().initialise();
    recorder().begin(0, 0);
    threads_.push_back({1, 0, kNoEvent, 0, 0, {}});
    objects_.push_back({0, 0, kNoEvent});
    thread_objects_.push_back(object());
    op(0, Kind::thread_start, thread_objects_[0], 1);
  }

  uint32_t object() {
    objects_.push_back({objects_.size() * 77, 0, kNoEvent});
    return static_cast<uint32_t>(objects_.size() - 1);
  }

  // Created and started by `parent` at the line.
  uint32_t thread(uint32_t parent, uint32_t line) {
    const auto index = static_cast<uint32_t>(threads_.size());
    const uint32_t o = object();
    const uint32_t create = op(parent, Kind::thread_create, o, line);
    threads_.push_back({index + 1ull, parent, create, 0, 0, {}});
    thread_objects_.push_back(o);
    op(index, Kind::thread_start, o, line);
    return index;
  }
  uint32_t object_of(uint32_t thread) const { return thread_objects_[thread]; }

  uint32_t op(uint32_t thread, Kind kind, uint32_t object, uint32_t line, Outcome outcome = Outcome::none,
              uint32_t partner = kNoEvent) {
    Event e = {};
    e.site = mix(line, 7);
    e.thread = thread;
    e.object = object;
    e.occurrence = 1;
    e.partner = partner;
    e.pc_index = line;
    e.kind = kind;
    e.outcome = outcome;
    for (const Event& other : events_) e.occurrence += other.site == e.site && other.thread == thread && other.kind == kind;
    e.req = ++step_;
    e.done = ++step_;
    const auto index = static_cast<uint32_t>(events_.size());
    if (objects_[object].first_event == kNoEvent) objects_[object].first_event = index;
    events_.push_back(e);
    return index;
  }

  uint32_t lock(uint32_t thread, uint32_t mutex, uint32_t line, Kind kind = Kind::mutex_lock) {
    objects_[mutex].holder = thread + 1;
    return op(thread, kind, mutex, line);
  }
  uint32_t unlock(uint32_t thread, uint32_t mutex, uint32_t line) {
    objects_[mutex].holder = 0;
    return op(thread, Kind::mutex_unlock, mutex, line);
  }
  // Gives the mutex back and enqueues.
  uint32_t wait(uint32_t thread, uint32_t cond, uint32_t mutex, uint32_t line) {
    objects_[mutex].holder = 0;
    const uint32_t index = op(thread, Kind::cond_wait, cond, line);
    events_[index].choice = mutex;
    return index;
  }
  void finish(uint32_t thread, uint32_t line) {
    op(thread, Kind::thread_exit, thread_objects_[thread], line);
    threads_[thread].state = static_cast<uint8_t>(ThreadEnd::finished);
  }
  // After these no more finished operations may be added.
  uint32_t block(uint32_t thread, Kind kind, uint32_t object, uint32_t line) {
    return leave(thread, kind, object, line, ThreadEnd::joinable_blocked);
  }
  uint32_t leave(uint32_t thread, Kind kind, uint32_t object, uint32_t line, ThreadEnd end) {
    const uint32_t index = op(thread, kind, object, line);
    events_[index].done = 0;
    threads_[thread].state = static_cast<uint8_t>(end);
    if (end == ThreadEnd::joinable_blocked) threads_[thread].blocked_on = object;
    return index;
  }

  std::vector<Event>& events() { return events_; }
  // An atomic with its memory order. A store is above the object's last one in modification order, or above `after`.
  uint32_t atomic(uint32_t thread, Kind kind, uint32_t object, uint32_t line, MemoryOrder order, uint32_t partner = kNoEvent) {
    const uint32_t index = op(thread, kind, object, line, Outcome::none, partner);
    events_[index].order = order;
    if (kind_info(kind).has(kWrites) && object != 0) {
      uint32_t after = kNoEvent;
      for (const StoreOrder& s : coherence_) {
        if (events_[s.event].object == object) after = s.event;
      }
      coherence_.push_back({index, after, 0});
    }
    return index;
  }
  // The same, for a read that does not see the newest store.
  uint32_t stale(uint32_t thread, uint32_t object, uint32_t line, MemoryOrder order, uint32_t partner = kNoEvent) {
    const uint32_t index = atomic(thread, Kind::atomic_load, object, line, order, partner);
    events_[index].flags = kEventStale;
    return index;
  }
  std::vector<RacingPair>& races() { return races_; }
  std::vector<ChainResult>& chains() { return chains_; }

  const RunSummary& run() {
    run_ = {};
    run_.events = events_.data();
    run_.threads = threads_.data();
    run_.objects = objects_.data();
    run_.races = races_.data();
    run_.chains = chains_.data();
    run_.coherence = coherence_.data();
    run_.coherence_count = static_cast<uint32_t>(coherence_.size());
    run_.event_count = static_cast<uint32_t>(events_.size());
    run_.thread_count = static_cast<uint32_t>(threads_.size());
    run_.object_count = static_cast<uint32_t>(objects_.size());
    run_.race_count = static_cast<uint32_t>(races_.size());
    run_.chain_count = static_cast<uint32_t>(chains_.size());
    return run_;
  }

 private:
  std::vector<Event> events_;
  std::vector<ThreadRecord> threads_;
  std::vector<ObjectRecord> objects_;
  std::vector<RacingPair> races_;
  std::vector<StoreOrder> coherence_;
  std::vector<ChainResult> chains_;
  std::vector<uint32_t> thread_objects_;
  uint32_t step_ = 0;
  RunSummary run_ = {};
};

}  // namespace heddle::rt::testing
