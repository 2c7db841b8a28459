// The values that a thread remembers belong to one thread of one execution.
#include <gtest/gtest.h>

#include "engine/thread.h"

namespace heddle::rt {
namespace {

TEST(SpinMemory, TheNextThreadInTheSlotRemembersNothing) {
  SpinMemory memory;
  for (int life = 0; life < 3; ++life) {
    memory.begin();
    for (uint64_t key = 1; key <= 2 * SpinMemory::kSets; ++key) {
      EXPECT_FALSE(memory.repeated(key, 7)) << "life " << life << " key " << key;
      EXPECT_TRUE(memory.repeated(key, 7));
      EXPECT_FALSE(memory.repeated(key, 8));
    }
  }
}

}  // namespace
}  // namespace heddle::rt
