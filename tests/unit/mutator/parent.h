// Parent runs for the tests of the mutator.
#pragma once

#include <deque>
#include <vector>

#include "mutator/knowledge/known_run.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {

// Sites are line numbers, threads are numbered from 1 ("main.0" is 1, ...) below main = 0.
struct Parent {
  std::vector<Event> events;
  std::vector<ThreadRecord> threads{{kMainThread, 0, kNoEvent, 0, 0, {}}};
  std::vector<ObjectRecord> objects = std::vector<ObjectRecord>(16);
  std::vector<RacingPair> races;
  uint32_t flags = kRunNovel;
  uint64_t hash = 0;

  static ThreadId id(uint32_t thread) { return thread == 0 ? kMainThread : child_thread(kMainThread, thread - 1); }

  Event& add(uint32_t thread, SiteId site, Kind kind, uint32_t object, Outcome outcome = Outcome::none) {
    while (threads.size() <= thread) {
      threads.push_back({id(static_cast<uint32_t>(threads.size())), 0, kNoEvent, 0, 0, {}});
    }
    uint32_t occurrence = 1;
    for (const Event& e : events) occurrence += e.thread == thread && e.site == site;
    Event e{};
    e.site = site;
    e.thread = thread;
    e.object = object;
    e.occurrence = occurrence;
    e.req = static_cast<uint32_t>(2 * events.size() + 1);
    e.done = e.req + 1;
    e.partner = kNoEvent;
    e.kind = kind;
    e.outcome = outcome;
    events.push_back(e);
    return events.back();
  }
  Event& blocked(uint32_t thread, SiteId site, Kind kind, uint32_t object) {
    Event& e = add(thread, site, kind, object);
    e.done = 0;
    return e;
  }
  RunSummary summary() const {
    RunSummary run{};
    run.input_hash = hash;
    run.flags = flags;
    run.steps = static_cast<uint32_t>(events.size());
    run.events = events.data();
    run.threads = threads.data();
    run.objects = objects.data();
    run.races = races.data();
    run.event_count = static_cast<uint32_t>(events.size());
    run.thread_count = static_cast<uint32_t>(threads.size());
    run.object_count = static_cast<uint32_t>(objects.size());
    run.race_count = static_cast<uint32_t>(races.size());
    return run;
  }
};

inline Element op(uint32_t thread, SiteId site, Kind kind, uint32_t occurrence = 1) {
  Element e{};
  e.thread = Parent::id(thread);
  e.site = site;
  e.kind = kind;
  e.occurrence = occurrence;
  return e;
}

inline Element any(SiteId site, Kind kind) {
  Element e{};
  e.site = site;
  e.kind = kind;
  return e;
}

// Two chains element by element, their number aside.
inline bool same(const Chain& a, const Chain& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!same_op(a[i], b[i])) return false;
  }
  return true;
}

// Everything a move makes of a schedule, over many seeds.
struct Lab {
  KnownRun run;
  Options options;
  SeenCounts seen;
  Mutator::ByteMutator bytes = nullptr;
  SourceBook sources;
  const SourceBook::Pair* rare_source = nullptr;

  explicit Lab(const Parent& p) : Lab(p.summary()) {}
  explicit Lab(const RunSummary& summary) { run.assign(summary); }

  std::vector<Schedule> results(const Schedule& start, bool (*move)(Context&), uint32_t seeds = 300) {
    std::vector<Schedule> out;
    for (uint32_t seed = 0; seed < seeds; ++seed) {
      Rng rng(seed);
      Schedule s = start;
      Context c{s, &run.relations(), run.races, rng, seen, options, bytes, 64, own_run};
      c.sources = &sources;
      c.rare_source = rare_source;
      if (move(c)) {
        out.push_back(s);
      } else {
        untouched &= s == start;
      }
    }
    return out;
  }
  bool own_run = false;
  bool untouched = true;  // no move that returned false changed anything

  // Can `move` make `after` (as chain 0, or a new one) out of `before`?
  bool derives(const Chain& before, bool (*move)(Context&), const Chain& after) {
    Schedule s;
    if (!before.empty()) put_chain(s, 0, before);
    for (const Schedule& r : results(s, move)) {
      for (int id = 0; id < static_cast<int>(kMaxChains); ++id) {
        if (same(get_chain(r, id), after)) return true;
      }
    }
    return false;
  }
};

}  // namespace heddle::mutator
