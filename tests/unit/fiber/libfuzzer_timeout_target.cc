// A fuzz target whose input never ends, inside a fiber.
#include <cstddef>
#include <cstdint>

#include "fiber/fiber.h"

namespace fiber = heddle::fiber;

namespace {
volatile bool go_on = true;
}

void endless_loop_in_a_fiber() {
  while (go_on) {
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  fiber::initialise();
  fiber::Fiber* body = fiber::acquire([](void*) { endless_loop_in_a_fiber(); }, nullptr);
  fiber::switch_to(body);
  fiber::release(body);
  return 0;
}
