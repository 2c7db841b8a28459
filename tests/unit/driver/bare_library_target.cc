// Two locks in opposite order, and a counter under a lock that heddle does not see, through a library that is not instrumented.
// bare_library_test.py knows the marked lines.
#include <heddle/heddle.h>

#include <pthread.h>

extern "C" {
int bare_lock(pthread_mutex_t* mutex);
int bare_unlock(pthread_mutex_t* mutex);
pthread_t bare_start(void (*body)(void*), void* data);
void bare_spin_lock(void);
void bare_spin_unlock(void);
int bare_compare(void);
}

namespace {

struct Shared {
  pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
  int count = 0;
};

void count(Shared& s) {
  bare_spin_lock();
  ++s.count;
  bare_spin_unlock();
}

void other(void* data) {
  auto& s = *static_cast<Shared*>(data);
  count(s);
  bare_lock(&s.b);  // other takes b
  bare_lock(&s.a);  // other takes a
  bare_unlock(&s.a);
  bare_unlock(&s.b);
}

}  // namespace

HEDDLE_FUZZ_TEST(bare_library) {
  Shared s;
  const pthread_t thread = bare_start(other, &s);  // starts
  count(s);
  bare_compare();
  bare_lock(&s.a);  // main takes a
  bare_lock(&s.b);  // main takes b
  bare_unlock(&s.b);
  bare_unlock(&s.a);
  pthread_join(thread, nullptr);
}
