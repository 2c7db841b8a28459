// heddle: expect=deadlock|blocked_threads budget=1000
// After cockroach#1055: stop() holds the lock while it waits for the tasks; a task takes it before it is done.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(quiesce) {
  static std::mutex m;
  static heddle::wait_group tasks;
  static bool draining;
  tasks.add(1);
  heddle::go([] {
    {
      const std::lock_guard lock(m);
      if (draining) draining = true;
    }
    tasks.done();
  });
#ifdef FIXED
  {
    const std::lock_guard lock(m);
    draining = true;
  }
  tasks.wait();
#else
  const std::lock_guard lock(m);
  draining = true;
  tasks.wait();
#endif
}
