// heddle: expect=assertion budget=500
// Each thread adds to one sum and then, a little, to the other: both may see what the other has added, if either is interrupted between the two.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<double> total{0};
double paid = 0;
float owed = 0;

// clang alone has this for floating-point numbers.
template <typename T>
T add(T* sum, T what) {
#if defined(__clang__)
  return __atomic_fetch_add(sum, what, __ATOMIC_SEQ_CST);
#else
  T old = 0;
  __atomic_load(sum, &old, __ATOMIC_SEQ_CST);
  for (T next = old + what; !__atomic_compare_exchange(sum, &old, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);) next = old + what;
  return old;
#endif
}

}  // namespace

HEDDLE_FUZZ_TEST(floating_sum) {
  bool one_saw = false, other_saw = false;
  std::thread one([&] {
    add(&paid, 0.5);
    one_saw = add(&owed, 0.25f) >= 1;
    total.fetch_add(0.5);
  });
  std::thread other([&] {
    add(&owed, 1.5f);
    other_saw = add(&paid, 0.25) >= 0.5;
    total.fetch_add(1.5);
  });
  one.join();
  other.join();
  assert(paid == 0.75 && owed == 1.75f && total == 2 && (one_saw || other_saw));
#ifndef FIXED
  assert(!(one_saw && other_saw));
#endif
}
