// heddle: expect=pass runs=3000
// Threads are cancelled at every kind of cancellation point: destructors and handlers run, once, and nothing is consumed by a thread that ends.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

struct Counts {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t news = PTHREAD_COND_INITIALIZER;
  sem_t tokens;
  int ends[2];
  int destroyed = 0;
  int at = 0;
};

struct Guard {
  Counts& counts;
  explicit Guard(Counts& c) : counts(c) {}
  ~Guard() { __atomic_fetch_add(&counts.destroyed, 1, __ATOMIC_SEQ_CST); }
};

void unlock(void* m) { pthread_mutex_unlock(static_cast<pthread_mutex_t*>(m)); }

void* wait_at(void* argument) {
  Counts& c = *static_cast<Counts*>(argument);
  const Guard guard(c);
  char byte;
  switch (c.at) {
    case 0: sem_wait(&c.tokens); break;
    case 1: (void)!read(c.ends[0], &byte, 1); break;
    case 2:
      pthread_mutex_lock(&c.lock);
      pthread_cleanup_push(unlock, &c.lock);
      for (;;) pthread_cond_wait(&c.news, &c.lock);
      pthread_cleanup_pop(1);
      break;
    case 3:
      for (;;) pthread_testcancel();
    case 4:
      for (;;) sleep(1);
    case 5:
      pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
      for (;;) __atomic_load_n(&c.destroyed, __ATOMIC_SEQ_CST);
    default: break;
  }
  return nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  for (int at = 0; at < 6; ++at) {
    Counts c;
    c.at = at;
    sem_init(&c.tokens, 0, 0);
    if (pipe(c.ends) != 0) return 0;
    pthread_t thread;
    pthread_create(&thread, nullptr, wait_at, &c);
    pthread_cancel(thread);
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED || c.destroyed > 1) std::abort();
    if (at != 5 && c.destroyed != 1) std::abort();  // the compiler expects no exception from an atomic
    if (pthread_mutex_trylock(&c.lock) != 0) std::abort();
    pthread_mutex_unlock(&c.lock);
    close(c.ends[0]);
    close(c.ends[1]);
  }
  return 0;
}
