#include "harness/cli/dependent_orders.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace heddle::cli {
namespace {

// How many operations of each thread come before an operation whatever else happens.
using Clock = std::vector<uint32_t>;

void join(Clock& clock, const Clock& other) {
  for (size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

bool depend(const Event& a, const Event& b) {
  return a.object != 0 && a.object == b.object && a.thread != b.thread &&
         conflicting(a.kind, b.kind);
}

// No schedule has them the other way round.
bool is_always(const Event& a, const Event& b) {
  return (a.kind == Kind::thread_create && b.kind == Kind::thread_start) ||
         (a.kind == Kind::thread_exit && b.kind == Kind::thread_join);
}

}  // namespace

std::vector<Order> dependent_orders(const StoredTrace& run) {
  constexpr size_t kMostOperations = 2000, kMostThreads = 64;
  std::vector<Order> out;
  if (run.events.size() > kMostOperations || run.threads.size() > kMostThreads) return out;
  struct Done {
    const Event* event;
    Clock clock;
  };
  std::vector<Done> done;
  std::map<uint32_t, Clock> latest;     // of each thread
  std::map<uint32_t, Clock> creations;  // by event
  const auto add = [&](const Event& e) {
    Clock clock(run.threads.size());
    if (const auto at = latest.find(e.thread); at != latest.end())
      clock = at->second;
    else if (const auto creation = creations.find(run.threads[e.thread].create_event);
             creation != creations.end())
      clock = creation->second;
    // The later ones first: they bring the earlier ones with them.
    for (auto before = done.rbegin(); before != done.rend(); ++before) {
      const uint32_t thread = before->event->thread;
      if (!depend(*before->event, e) || clock[thread] >= before->clock[thread]) continue;
      const bool named = before->event->site != kNoSite && e.site != kNoSite;
      if (!is_always(*before->event, e) && named)
        out.push_back({element_of(run, *before->event), element_of(run, e)});
      join(clock, before->clock);
    }
    ++clock[e.thread];
    latest[e.thread] = clock;
    if (e.kind == Kind::thread_create)
      creations[static_cast<uint32_t>(&e - run.events.data())] = clock;
    if (e.finished()) done.push_back({&e, clock});
  };
  for (const Event& e : run.events) {
    if (e.finished()) add(e);
  }
  for (const Event& e : run.events) {
    if (!e.finished()) add(e);
  }
  return out;
}

}  // namespace heddle::cli
