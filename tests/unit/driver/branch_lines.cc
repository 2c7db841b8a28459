// Two branches that end with the same call. The lines that the report must name are marked.
#include <heddle/heddle.h>

#include <pthread.h>

#include <thread>

HEDDLE_FUZZ_TEST(branch_lines) {
  pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
  const auto take = [&](bool both) {
    if (both) {
      pthread_mutex_lock(&a);  // held
      std::this_thread::yield();
      pthread_mutex_lock(&b);  // wanted
    } else {
      pthread_mutex_lock(&b);  // held
      std::this_thread::yield();
      pthread_mutex_lock(&a);  // wanted
    }
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
  };
  std::thread other(take, true);
  take(false);
  other.join();
}
