// Two fibers in the middle of something, and a breakpoint.
#include <cstdio>

#include "fiber/fiber.h"

namespace fiber = heddle::fiber;

void waits_here(int depth) {
  if (depth > 0) {
    waits_here(depth - 1);
  } else {
    fiber::switch_to(fiber::root());
  }
  asm volatile("");  // no tail call
}

void stops_here() {
  __builtin_debugtrap();
  asm volatile("");
}

int main() {
  fiber::initialise();
  fiber::Fiber* waits = fiber::acquire([](void*) { waits_here(3); }, nullptr);
  fiber::Fiber* stops = fiber::acquire([](void*) { stops_here(); }, nullptr);
  fiber::switch_to(waits);
  fiber::switch_to(stops);
  fiber::switch_to(waits);
  std::puts("went on");
}
