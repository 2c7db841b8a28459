// The sanitizers' suppression files: what a pattern matches, which lines are wrong.
#include "analyses/suppressions.h"

#include <gtest/gtest.h>

namespace heddle::rt {
namespace {

TEST(Suppressions, PatternsAreLookedForAnywhere) {
  EXPECT_TRUE(matches("push", "queue::push"));
  EXPECT_TRUE(matches("queue*push", "work::queue<int>::push(int)"));
  EXPECT_TRUE(matches("*", "anything"));
  EXPECT_TRUE(matches("a*a", "aa"));
  EXPECT_FALSE(matches("a*a", "a"));
  EXPECT_FALSE(matches("push*queue", "queue::push"));
  EXPECT_FALSE(matches("Push", "queue::push"));
}

TEST(Suppressions, AnchorsStandForTheEnds) {
  EXPECT_TRUE(matches("^queue", "queue::push"));
  EXPECT_FALSE(matches("^push", "queue::push"));
  EXPECT_TRUE(matches("push$", "queue::push"));
  EXPECT_FALSE(matches("queue$", "queue::push"));
  EXPECT_TRUE(matches("^hits$", "hits"));
  EXPECT_FALSE(matches("^hits$", "hits2"));
  EXPECT_FALSE(matches("^hits$", "hitshits"));
  EXPECT_TRUE(matches("^a*z$", "a to z"));
  EXPECT_FALSE(matches("^az*z$", "az"));
  EXPECT_TRUE(matches("push$", "push push"));  // the last one counts
}

TEST(Suppressions, LinesAreReadAsTheSanitizersReadThem) {
  const char* why = nullptr;
  for (const char* line : {"", "   ", "# race:x", "race:foo", "  race_top:^foo$ \r", "deadlock:a:b", "mutex:*", "thread:main.cc",
                           "called_from_lib:libfoo.so", "signal:x", "livelock:spin", "heap-use-after-free:leaky"}) {
    EXPECT_TRUE(add_suppression(line, why)) << line << ": " << (why != nullptr ? why : "");
  }
  for (const char* line : {"race", "race:", "rac:foo", "leak:foo", "crash:foo", "assertion-failure:foo", ":foo", "unknown:foo"}) {
    EXPECT_FALSE(add_suppression(line, why)) << line;
    EXPECT_NE(why, nullptr);
  }
  forget_suppressions();
}

}  // namespace
}  // namespace heddle::rt
