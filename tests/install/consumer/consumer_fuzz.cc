#include <heddle/heddle.h>

#include <cstdlib>
#include <thread>

#include "counter.h"

HEDDLE_FUZZ_TEST(consumer) {
  if (!heddle::under_control()) std::abort();
  std::thread other(count_up);
  count_up();
  other.join();
  if (count_up() != 3) std::abort();  // the library's variable is put back, too
}
