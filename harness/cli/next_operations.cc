#include "harness/cli/next_operations.h"

#include <map>
#include <vector>

namespace heddle::cli {

void add_next_operations(StoredTrace& run, const StoredTrace& other) {
  struct Thread {
    size_t done = 0;
    bool waits = false;  // what it would have done next is there
    const Event* last = nullptr;
  };
  std::map<ThreadId, Thread> threads;
  for (const Event& e : run.events) {
    Thread& thread = threads[run.threads[e.thread].id];
    thread.done += e.finished();
    thread.waits = thread.waits || !e.finished();
    if (e.finished()) thread.last = &e;
  }
  std::map<ThreadId, size_t> seen;
  std::map<ThreadId, SiteId> last_site;
  std::vector<Event> next;
  for (const Event& e : other.events) {
    const ThreadId id = other.threads[e.thread].id;
    const auto at = threads.find(id);
    if (at == threads.end() || at->second.waits || at->second.last == nullptr) continue;
    const bool same_way = last_site[id] == at->second.last->site;
    last_site[id] = e.site;
    if (seen[id]++ != at->second.done || !same_way) continue;
    Event pending = e;
    pending.thread = at->second.last->thread;
    pending.object = 0;
    pending.partner = kNoEvent;
    pending.done = 0;
    pending.outcome = Outcome::none;
    pending.flags = 0;
    next.push_back(pending);
  }
  run.events.insert(run.events.end(), next.begin(), next.end());
}

}  // namespace heddle::cli
