// heddle: expect=pass runs=300
// Objects with virtual functions on a stack. Where one is created, memory from an earlier execution may already hold the pointer that its constructor
// writes. The choices that a long computation is given must not come elsewhere then. tests/determinism runs this program, too.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

namespace {

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return number; }
  int number = 1;
};

[[gnu::noinline]] int sum_of(const Base* objects, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += objects[i].value();
  return sum;
}

[[gnu::noinline]] int on_the_stack() {
  Base objects[1001];
  return sum_of(objects, 1001);
}

// Where the compiler's and the runtime's accesses meet a forced choice, in two lines.
[[gnu::noinline]] void compute(volatile int* first, volatile int* second) {
  for (int i = 0; i < 20'000; ++i) {
    *first = i;
    *second = i;
  }
}

}  // namespace

HEDDLE_FUZZ_TEST(virtual_on_stack) {
  int a = 0, b = 0;
  std::atomic<int> sum{0};
  std::thread other([&] { sum += on_the_stack(); });
  std::thread computes([&] {
    sum += on_the_stack();
    compute(&a, &b);
    sum += on_the_stack();
  });
  sum += on_the_stack();
  other.join();
  computes.join();
  if (sum != 4 * 1001) __builtin_trap();
}
