#include "analyses/die.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace heddle::rt {
namespace {

TEST(DieDeathTest, IsAnAbortWithoutLibFuzzer) {
  EXPECT_FALSE(libfuzzer_linked());
  // Also if there is a handler for it.
  EXPECT_EXIT(
      {
        signal(SIGABRT, [](int) { _exit(3); });
        die();
      },
      ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace heddle::rt
