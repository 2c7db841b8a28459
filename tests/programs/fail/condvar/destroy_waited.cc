// heddle: expect=destroy_waited|heap-use-after-free budget=1000
// The owner tells the waiters to go and destroys the condition variable before they have gone.
#include <pthread.h>

#include <heddle/heddle.h>

#include <thread>

namespace {
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t go;
bool stop;
}  // namespace

HEDDLE_FUZZ_TEST(destroy_waited) {
  pthread_cond_init(&go, nullptr);
  std::thread waiter([] {
    pthread_mutex_lock(&m);
#ifdef FIXED
    while (!stop) pthread_cond_wait(&go, &m);
#else
    if (!stop) pthread_cond_wait(&go, &m);
#endif
    pthread_mutex_unlock(&m);
  });
  pthread_mutex_lock(&m);
  stop = true;
#ifdef FIXED
  pthread_cond_broadcast(&go);
  pthread_mutex_unlock(&m);
  waiter.join();
  pthread_cond_destroy(&go);
#else
  pthread_mutex_unlock(&m);
  pthread_cond_destroy(&go);  // "stop is set, nobody can be waiting"
  waiter.detach();
#endif
}
