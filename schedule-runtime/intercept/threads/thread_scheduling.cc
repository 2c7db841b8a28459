#include "intercept/threads/thread_scheduling.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "restore/touched_state.h"

namespace heddle::rt {
namespace {

// Programs that ask at all ask once for each thread. What is forgotten is the oldest.
constexpr uint32_t kMostChanges = 64;

struct Change {
  uint32_t thread;
  uint32_t threads;  // that existed: those created later inherit it
  ThreadScheduling now;
};

struct Changes {
  uint32_t count = 0;
  Change made[kMostChanges];
};
constinit Changes g_changes = {};
constinit TouchedState g_touched{nullptr};

Changes& changes() {
  if (g_touched.touch()) g_changes.count = 0;
  return g_changes;
}

// What the kernel says of the thread that runs all of them. It does not change.
const ThreadScheduling& initial() {
  static constinit ThreadScheduling the = {};
  static constinit bool known = false;
  if (known) return the;
  raw_syscall(SYS_sched_getaffinity, 0, sizeof the.affinity, word(the.affinity));
  the.policy = static_cast<int>(raw_syscall(SYS_sched_getscheduler, 0));
  raw_syscall(SYS_sched_getparam, 0, word(&the.priority));
  the.nice = 20 - static_cast<int>(raw_syscall(SYS_getpriority, PRIO_PROCESS, 0));
  known = true;
  return the;
}

}  // namespace

ThreadScheduling thread_scheduling(const Thread& t) {
  const Changes& all = changes();
  uint32_t until = UINT32_MAX;
  for (const Thread* x = &t;; until = x->index, x = x->parent) {
    for (uint32_t i = all.count; i-- != 0;) {
      if (all.made[i].thread == x->index && all.made[i].threads <= until) return all.made[i].now;
    }
    if (x->parent == x) return initial();
  }
}

unsigned processor_of(const Thread& t) {
  if (changes().count == 0) return 0;
  const ThreadScheduling now = thread_scheduling(t);
  if (__builtin_memcmp(now.affinity, initial().affinity, sizeof now.affinity) == 0) return 0;
  unsigned byte = 0;
  while (now.affinity[byte] == 0) ++byte;
  return byte * 8 + static_cast<unsigned>(__builtin_ctz(now.affinity[byte]));
}

void set_thread_scheduling(const Thread& t, const ThreadScheduling& scheduling) {
  Changes& all = changes();
  if (all.count == kMostChanges) {
    for (uint32_t i = 1; i < kMostChanges; ++i) all.made[i - 1] = all.made[i];
    --all.count;
  }
  all.made[all.count++] = {t.index, engine().thread_count(), scheduling};
}

}  // namespace heddle::rt
