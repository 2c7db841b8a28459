// heddle: expect=double_lock budget=200
// A function that is run once calls, by way of a helper, the once that runs it.
#include <heddle/csp.h>

namespace {
heddle::once ready;
int depth;

void initialise() {
#ifdef FIXED
  ++depth;
#else
  if (depth++ == 0) ready.call(initialise);
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(once_in_itself) { ready.call(initialise); }
