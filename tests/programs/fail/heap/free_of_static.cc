// heddle: expect=invalid-free budget=1000
// The default is no block of the heap: who asks for it first and takes the value then may free it nevertheless.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {
alignas(16) char nobody[16] = "nobody";
std::atomic<char*> name{nobody};

void replace(char* by) {
#ifndef FIXED
  if (name.load() == nobody) return;
#endif
  char* const old = name.exchange(by);
#ifdef FIXED
  if (old == nobody) return;
#endif
  free(old);
}
}  // namespace

HEDDLE_FUZZ_TEST(free_of_static) {
  name = strdup("first");
  std::thread other([] { replace(nobody); });
  replace(strdup("second"));
  other.join();
}
