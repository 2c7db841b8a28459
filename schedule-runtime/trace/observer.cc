#include "trace/observer.h"

#include <string.h>

#include "base/check.h"

namespace heddle::rt {
namespace {
constinit Observer g_observers[kMaxObservers] = {};
constinit int g_count = 0;
}  // namespace

void add_observer(const Observer& observer) {
  check(g_count < kMaxObservers, "too many observers: raise kMaxObservers");
  g_observers[g_count++] = observer;
}

void leave_out(const Observer& observer) {
  for (int i = 0; i < g_count; ++i) {
    if (strcmp(g_observers[i].name, observer.name) == 0) g_observers[i] = {observer.name, nullptr, nullptr};
  }
}

void notify_begin() {
  for (int i = 0; i < g_count; ++i) {
    if (g_observers[i].execution_begins != nullptr) g_observers[i].execution_begins();
  }
}

void notify_observers(RunSummary& summary) {
  for (int i = 0; i < g_count; ++i) {
    if (g_observers[i].execution_ended != nullptr) g_observers[i].execution_ended(summary);
  }
}

void notify_let_go() {
  for (int i = 0; i < g_count; ++i) {
    if (g_observers[i].let_go != nullptr) g_observers[i].let_go();
  }
}

}  // namespace heddle::rt
