// heddle: expect=blocked_threads budget=1000
// Workers report errors on a channel; the caller returns with the first one, and has a lock for the
// statistics. Those that come later block.
#include <heddle/csp.h>

#include <mutex>

HEDDLE_FUZZ_TEST(first_error) {
  static std::mutex m;
  [[maybe_unused]] static int failures, tried;
  failures = tried = 0;
#ifdef FIXED
  constexpr int kRoom = 3;
#else
  constexpr int kRoom = 0;
#endif
  const heddle::chan<int> errors = heddle::make_chan<int>(kRoom);
  const heddle::chan<int> tasks = heddle::make_chan<int>();
  for (int w = 0; w < 3; ++w) {
    heddle::go([tasks, errors] {
      for (const int task : tasks) {
        {
          const std::lock_guard lock(m);
          ++tried;
        }
        if (task % 2 == 0) continue;
        errors.send(task);
        const std::lock_guard lock(m);
        ++failures;
      }
    });
  }
  bool failed = false;
  for (int task = 0; task < 4 && !failed; ++task) {
    heddle::select(heddle::on_send(tasks, task),
                   heddle::on_receive(errors, [&](auto) { failed = true; }));
  }
  tasks.close();
}
