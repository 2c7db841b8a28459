// A race, and a block from before the first execution, in an instrumented library. instrumented_library_test.py knows the marked line there.
#include <heddle/heddle.h>

#include <cassert>
#include <thread>

extern "C" {
void library_add(char c);
int library_used(void);
void library_set(const char* s);
int library_length(void);
}

HEDDLE_FUZZ_TEST(instrumented_library) {
  for (int i = 0; i < 20; ++i) library_add('x');
  assert(library_used() == 20);
  std::thread reader([] { library_length(); });
  library_set("some text");
  reader.join();
}
