// A program that uses the pool of a library that is not instrumented. The first data byte says what the pool's threads do (pool_test.py).
#include <heddle/heddle.h>

#include <pthread.h>

#include <atomic>
#include <cassert>

extern "C" {
void pool_start(void (*body)(void*), void* data);
void pool_wait(void);
int pool_calls(void);
}

namespace {

struct Shared {
  std::atomic<int> count{0};
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
};

void add(void* data) { ++static_cast<Shared*>(data)->count; }

void wait_for_ever(void* data) {
  auto& s = *static_cast<Shared*>(data);
  pthread_mutex_lock(&s.lock);
  for (;;) pthread_cond_wait(&s.never, &s.lock);  // waits
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static Shared s;
  assert(pool_calls() == 0);
  pool_start(add, &s);
  pool_wait();
  pool_start(add, &s);
  pool_wait();
  assert(pool_calls() == 2 && s.count == 4);
  if (size != 0 && bytes[0] == 'w') pool_start(wait_for_ever, &s);
  return 0;
}
