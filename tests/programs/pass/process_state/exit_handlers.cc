// heddle: expect=pass runs=500
// What an execution registers for the end of the process runs at its own end, once: nothing of it is left for the next.
#include <heddle/heddle.h>

#include <cassert>
#include <cstdlib>

namespace {

HEDDLE_KEEP int executions, handled;

void at_end() { ++handled; }

void on_end(int status, void* count) {
  assert(status == 0);
  ++*static_cast<int*>(count);
}

}  // namespace

HEDDLE_FUZZ_TEST(exit_handlers) {
  assert(handled == 2 * executions);
  ++executions;
  std::atexit(at_end);
  on_exit(on_end, &handled);
  std::at_quick_exit([] { std::abort(); });
}
