// heddle: expect=pass runs=20000 options=memory=rc11 note='is accessed with different sizes'
// Variables that are accessed with different sizes are sequentially consistent, whatever the order: whole words and their halves, at the same
// address and inside.
#include <heddle/heddle.h>

#include <cassert>
#include <cstdint>
#include <thread>

union Cell {
  uint64_t whole;
  uint32_t halves[2];
} x, y;

uint64_t whole(Cell& cell) { return __atomic_load_n(&cell.whole, __ATOMIC_RELAXED); }
void set(Cell& cell, int half) { __atomic_store_n(&cell.halves[half], 1, __ATOMIC_RELAXED); }

HEDDLE_FUZZ_TEST(mixed_sizes) {
  for (Cell* cell : {&x, &y}) {
    __atomic_store_n(&cell->whole, 0, __ATOMIC_RELAXED);
    for (uint32_t& half : cell->halves) __atomic_store_n(&half, 0, __ATOMIC_RELAXED);
  }
  uint64_t of_x = 0, of_y = 0;
  std::thread one([&of_y] {
    set(x, 0);
    of_y = whole(y);
  });
  std::thread other([&of_x] {
    set(y, 1);
    of_x = whole(x);
  });
  one.join();
  other.join();
  assert(of_x == 1 || of_y == 1ull << 32);
  assert(whole(x) == 1 && whole(y) == 1ull << 32);
}
