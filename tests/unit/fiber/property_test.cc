// Random lives of fibers against a model: fibers are started, resumed, finished and abandoned in
// any order, and each fiber sees its own stack, thread-locals, errno and caught exception.
#include <cerrno>
#include <rapidcheck.h>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fiber/thread_exit.h"
#include "fiber_test.h"

namespace fiber_test {
namespace {

constexpr int kSlots = 5;

thread_local int steps_here = 0;
thread_local char mark[3000] = {};

struct Slot {
  Fiber* fiber = nullptr;
  int id = 0;
  int depth = 0;
  int steps = 0;      // of the model
  bool stop = false;  // the order to finish
  bool right = true;  // everything the fiber looked at was as expected
  int destroyed = 0;
};

void live(Slot* slot);

// Some depth first, so that saved stacks differ in shape and size.
void descend(Slot* slot, int depth) {
  volatile int local[50];
  for (volatile int& word : local) word = slot->id + depth;
  if (depth > 0) {
    descend(slot, depth - 1);
  } else {
    live(slot);
  }
  for (volatile int& word : local) slot->right &= word == slot->id + depth;
}

void live(Slot* slot) {
  while (!slot->stop) {
    try {
      throw std::runtime_error(std::to_string(slot->id));
    } catch (const std::runtime_error& e) {
      errno = slot->id;
      steps_here += 1;
      mark[slot->id % sizeof mark] = 1;
      fiber::switch_to(fiber::root());
      slot->right &= errno == slot->id && e.what() == std::to_string(slot->id);
      slot->right &= steps_here == slot->steps && mark[slot->id % sizeof mark] == 1;
    }
  }
}

void body(void* argument) {
  auto* slot = static_cast<Slot*>(argument);
  slot->right = errno == 0 && steps_here == 0 && std::current_exception() == nullptr;
  for (char c : mark) slot->right &= c == 0;
  fiber::register_thread_destructor([](void* s) { ++static_cast<Slot*>(s)->destroyed; }, slot,
                                    nullptr);
  descend(slot, slot->depth);
}

TEST(Property, FibersKeepWhatIsTheirs) {
  fiber::initialise();
  const bool held = rc::check("fibers keep what is theirs", [] {
    // (slot, action, depth): actions 0 to 5 resume or start, 6 finishes, 7 abandons.
    const auto program = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(
        rc::gen::tuple(rc::gen::inRange(0, kSlots), rc::gen::inRange(0, 8),
                       rc::gen::inRange(0, 40)));
    Slot slots[kSlots];
    int next_id = 1;
    for (const auto& [number, action, depth] : program) {
      Slot& slot = slots[number];
      if (slot.fiber == nullptr) {
        slot = {};
        slot.id = next_id++;
        slot.depth = depth;
        slot.fiber = fiber::acquire(&body, &slot);
        RC_ASSERT(slot.fiber != nullptr);
      }
      if (action == 7) {
        fiber::release(slot.fiber);
        slot.fiber = nullptr;
        RC_ASSERT(slot.destroyed == 0);
        continue;
      }
      slot.stop = action == 6;
      fiber::switch_to(slot.fiber);
      if (!slot.stop) ++slot.steps;
      RC_ASSERT(slot.right);
      RC_ASSERT(fiber::finished(slot.fiber) == slot.stop);
      RC_ASSERT(slot.destroyed == (slot.stop ? 1 : 0));
      if (slot.stop) {
        fiber::release(slot.fiber);
        slot.fiber = nullptr;
      }
    }
    for (Slot& slot : slots) {
      if (slot.fiber != nullptr) fiber::release(slot.fiber);
    }
    RC_ASSERT(fiber::live_count() == 0u);
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace fiber_test
