// heddle: expect=bad-free budget=20 asan
// An address inside a block is freed.
#include <heddle/heddle.h>

#include <cstdlib>
#include <thread>

HEDDLE_FUZZ_TEST(free_inside_asan) {
  char* const block = static_cast<char*>(std::malloc(64));
  std::thread other([block] {
#ifdef FIXED
    std::free(block);
#else
    std::free(block + 16);
#endif
  });
  other.join();
}
