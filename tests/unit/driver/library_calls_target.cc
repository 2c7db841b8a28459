// Two threads use a library that is not instrumented. Between two of its calls the other one can come.
#include <heddle/heddle.h>

#include <cassert>
#include <cmath>
#include <mutex>
#include <thread>

extern "C" {
struct Large {
  long part[8];
};
int bare_load(void);
void bare_store(int value);
double bare_sum(int count, ...);
Large bare_large(long a, long b, long c, long d, long e, long f, long g, long h);
long double bare_long(long double value);
int bare_apply(int (*function)(int), int value);
}

namespace {

std::mutex mutex;

void add() {
#ifdef FIXED
  const std::lock_guard lock(mutex);
#endif
  const int value = bare_load();  // load
  bare_store(value + 1);          // store
}

int twice(int value) { return 2 * value; }

// Arguments and results of every kind pass through.
void call_all(int n) {
  assert(bare_sum(10, n, 1.5, n, 2.5, n, 3.5, n, 4.5, n, 5.5) == 5 * n + 17.5);
  const Large all = bare_large(n, 2, 3, 4, 5, 6, 7, 8);
  long sum = 0;
  for (const long part : all.part) sum += part;
  assert(sum == n + 35);
  assert(std::fabs(static_cast<double>(bare_long(n + 0.25L)) - (2 * n + 0.5)) < 1e-9);
  assert(bare_apply(twice, n) == 2 * n + 1);
}

}  // namespace

HEDDLE_FUZZ_TEST(library_calls) {
  bare_store(0);
  std::thread one([] {
    call_all(1);
    add();
  });
  std::thread other([] {
    call_all(2);
    add();
  });
  one.join();
  other.join();
  assert(bare_load() == 2);
}
