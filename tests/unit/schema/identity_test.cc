#include "schema/identity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace heddle {
namespace {

TEST(ThreadName, ReadsAsAPath) {
  EXPECT_EQ(thread_name(kMainThread), "main");
  EXPECT_EQ(thread_name(child_thread(child_thread(kMainThread, 0), 3)), "main.0.3");
  EXPECT_EQ(thread_name(child_thread(kMainThread, 0xFFFFFFFF)), "main.4294967295");
  EXPECT_EQ(thread_name(0), "#0000000000000000");
  EXPECT_EQ(thread_name(0x180), "#0000000000000180");    // the number does not end
  EXPECT_EQ(thread_name(0x18005), "#0000000000018005");  // a leading zero group
  EXPECT_EQ(thread_name(2), "#0000000000000002");        // no mark at a multiple of 8 bits
}

TEST(ThreadName, RefusesWhatIsNone) {
  for (const char* bad : {"", "main.", "main.x", "main.01", "main.4294967296", "mainx", "#", "#g",
                          "#12345678901234567", "thread"}) {
    EXPECT_EQ(thread_by_name(bad), 0u) << bad;
  }
}

TEST(ChildThread, IsInjective) {
  std::map<ThreadId, std::string> seen;
  const uint32_t numbers[] = {0, 1, 5, 127, 128, 129, 255, 256, 16383, 16384, 0xFFFFFFFF};
  for (uint32_t a : numbers) {
    for (uint32_t b : numbers) {
      const ThreadId one = child_thread(kMainThread, a), two = child_thread(one, b);
      const std::string path = "main." + std::to_string(a);
      seen.emplace(one, path);
      EXPECT_EQ(seen[one], path);
      EXPECT_TRUE(seen.emplace(two, path + "." + std::to_string(b)).second) << path << " " << b;
    }
  }
}

RC_GTEST_PROP(ThreadName, IsInvertible, (std::vector<uint32_t> path)) {
  ThreadId id = kMainThread;
  std::string name = "main";
  for (uint32_t n : path) {
    id = child_thread(id, n);
    name += "." + std::to_string(n);
  }
  RC_ASSERT(thread_by_name(name) == id);
  RC_ASSERT(thread_by_name(thread_name(id)) == id);
  if ((id & kHashedLineage) == 0) RC_ASSERT(thread_name(id) == name);
}

RC_GTEST_PROP(ThreadName, AnyNumberReadsBack, (uint64_t id, uint8_t shift)) {
  const ThreadId t = id >> (shift % 64);
  RC_ASSERT(thread_by_name(thread_name(t)) == t);
}

}  // namespace
}  // namespace heddle
