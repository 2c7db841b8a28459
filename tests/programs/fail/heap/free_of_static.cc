// heddle: expect=invalid-free budget=1000
// The default value is no heap block. A thread that asks for the default first, and then for the value, may free the default.
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
