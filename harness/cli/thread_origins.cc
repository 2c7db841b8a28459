#include "harness/cli/thread_origins.h"

#include <algorithm>

namespace heddle::cli {

void ThreadOrigins::add(const StoredTrace& run) {
  Run& out = runs_.emplace_back();
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    out.events.try_emplace({run.threads[e.thread].id, e.site, e.occurrence, e.kind}, i);
  }
  for (const ThreadRecord& thread : run.threads) {
    if (thread.create_event >= run.events.size()) continue;
    const Event& e = run.events[thread.create_event];
    if (e.kind == Kind::thread_create) out.created[thread.id] = {run.threads[e.thread].id, thread.create_event};
  }
}

bool ThreadOrigins::decide(const Order& order) const {
  const Element& first = order.first;
  return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    const auto at = run.events.find({first.thread, first.site, first.occurrence, first.kind});
    if (at == run.events.end()) return false;
    uint32_t latest = kNoEvent;  // that creates an ancestor: it cannot be created later than its children
    for (auto of = run.created.find(order.second.thread); of != run.created.end(); of = run.created.find(of->second.first)) {
      const auto& [creator, event] = of->second;
      if (event >= latest) return false;
      latest = event;
      if (creator == first.thread) return at->second <= event;
    }
    return false;
  });
}

}  // namespace heddle::cli
