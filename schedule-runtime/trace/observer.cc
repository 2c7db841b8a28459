#include "trace/observer.h"

#include <string.h>

#include <algorithm>

#include "base/check.h"

namespace heddle::rt {
namespace {

// Most observers want few of the calls. So each call has its own list.
template <typename Call>
struct Calls {
  Call list[kMaxObservers] = {};
  int count = 0;

  void add(Call call) {
    if (call != nullptr) list[count++] = call;
  }
  template <typename... Arguments>
  void all(Arguments&... arguments) const {
    for (int i = 0; i < count; ++i) list[i](arguments...);
  }
};

struct Lists {
  Calls<void (*)(RunSummary&)> any_end, finished_end;
  Calls<void (*)()> begin, let_go;
};

constinit Observer g_observers[kMaxObservers] = {};
constinit int g_count = 0;
constinit Lists g_lists = {};

void make_lists() {
  g_lists = {};
  for (int i = 0; i < g_count; ++i) {
    const Observer& o = g_observers[i];
    g_lists.any_end.add(o.execution_ended);
    if (!o.only_unfinished) g_lists.finished_end.add(o.execution_ended);
    g_lists.begin.add(o.execution_begins);
    g_lists.let_go.add(o.let_go);
  }
}

bool all_have_finished(const RunSummary& run) {
  return std::all_of(run.threads, run.threads + run.thread_count,
                     [](const ThreadRecord& t) { return static_cast<ThreadEnd>(t.state) == ThreadEnd::finished; });
}

}  // namespace

void add_observer(const Observer& observer) {
  check(g_count < kMaxObservers, "too many observers: raise kMaxObservers");
  g_observers[g_count++] = observer;
  make_lists();
}

void leave_out(const Observer& observer) {
  for (int i = 0; i < g_count; ++i) {
    if (strcmp(g_observers[i].name, observer.name) == 0) g_observers[i] = {.name = observer.name};
  }
  make_lists();
}

void notify_begin() { g_lists.begin.all(); }
void notify_observers(RunSummary& summary) { (all_have_finished(summary) ? g_lists.finished_end : g_lists.any_end).all(summary); }
void notify_let_go() { g_lists.let_go.all(); }

}  // namespace heddle::rt
