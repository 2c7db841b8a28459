// heddle: expect=pass runs=300
// Maximum and minimum of every type, and sums of floating-point numbers, by all the names that clang has for them: what comes out does not depend on the
// schedule, and is what the machine's own would be. In an order of their own, so that the signs matter.
#include <heddle/heddle.h>

#include <cassert>
#include <limits>
#include <thread>

#if defined(__clang__)
namespace {

constexpr int kOrder = __ATOMIC_ACQ_REL;

template <typename T>
void extremes_of() {
  constexpr T least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max();
  T high = 3, low = 3;
  auto work = [&](T up, T down) {
    const T before = __atomic_fetch_max(&high, up, kOrder);
    assert(before == 3 || before == 5 || before == 9);
    assert(__atomic_max_fetch(&high, least, kOrder) >= up);
    assert(__atomic_fetch_min(&low, down, kOrder) <= 3);
    assert(__atomic_min_fetch(&low, most, kOrder) <= down);
  };
  std::thread one(work, T{5}, T{2}), other(work, T{9}, T{1});
  one.join();
  other.join();
  assert(high == 9 && low == 1);
  T object = least;
  assert(__atomic_fetch_max(&object, most, kOrder) == least && object == most);
  assert(__atomic_min_fetch(&object, least, kOrder) == least && object == least);
  _Atomic(T) other_object = T{1};
  assert(__c11_atomic_fetch_max(&other_object, T{2}, kOrder) == 1 && __c11_atomic_fetch_min(&other_object, least, kOrder) == 2);
  assert(other_object == least);
}

template <typename T>
void sums_of() {
  T sum = 0;
  _Atomic(T) other_sum = 0;
  auto work = [&] {
    __atomic_fetch_add(&sum, T(1.5), kOrder);
    __atomic_add_fetch(&sum, 1, kOrder);  // of another type than the object's
    __atomic_fetch_sub(&sum, T(0.25), kOrder);
    __atomic_sub_fetch(&sum, T(0.25), kOrder);
    __c11_atomic_fetch_add(&other_sum, T(3), kOrder);
    __c11_atomic_fetch_sub(&other_sum, T(1), kOrder);
  };
  std::thread one(work), other(work);
  one.join();
  other.join();
  assert(sum == T(4) && other_sum == T(4));
  T alone = 1;
  assert(__atomic_fetch_add(&alone, T(2), kOrder) == 1 && __atomic_sub_fetch(&alone, T(0.5), kOrder) == T(2.5));
}

struct Pair {
  int a, b;
};

}  // namespace
#endif

HEDDLE_FUZZ_TEST(extremes) {
#if defined(__clang__)
  extremes_of<signed char>();
  extremes_of<unsigned char>();
  extremes_of<char>();
  extremes_of<short>();
  extremes_of<unsigned short>();
  extremes_of<int>();
  extremes_of<unsigned>();
  extremes_of<long>();
  extremes_of<unsigned long>();
  extremes_of<long long>();
  extremes_of<unsigned long long>();
  extremes_of<float>();
  extremes_of<double>();
  sums_of<float>();
  sums_of<double>();
  int classic = 1;
  unsigned classic_unsigned = 1;
  assert(__sync_fetch_and_max(&classic, 4) == 1 && __sync_fetch_and_min(&classic, -2) == 4 && classic == -2);
  assert(__sync_fetch_and_umax(&classic_unsigned, 4u) == 1 && __sync_fetch_and_umin(&classic_unsigned, 2u) == 4 && classic_unsigned == 2);
  // What was an integer's or a pointer's stays what it was.
  int count = 1;
  int numbers[2] = {};
  int* where = numbers;
  assert(__atomic_fetch_add(&count, Pair{1, 2}.a, kOrder) == 1 && count == 2);
  assert(__atomic_fetch_add(&where, sizeof(int), kOrder) == numbers && where == numbers + 1);
#endif
}
