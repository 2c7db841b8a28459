// The hints at objects belong to one execution, however many objects it has.
#include <gtest/gtest.h>

#include "detector_lab.h"
#include "races/shadow.h"

namespace heddle::rt {
namespace {

size_t hints() {
  size_t set = 0;
  for (uintptr_t at = kBase; at < kBase + 8 * Shadow::kHints; at += 8) set += shadow().may_meet_object(at);
  return set;
}

TEST(ObjectHints, TheNextExecutionHasNone) {
  for (const size_t objects : {size_t{1}, size_t{5}, size_t{16}, size_t{17}, size_t{200}}) {
    begin();
    for (size_t i = 0; i < objects; ++i) race_detector_object(kBase + 32 * i);
    EXPECT_EQ(hints(), 3 * objects);
    begin();
    EXPECT_EQ(hints(), 0u) << objects << " objects";
    EXPECT_FALSE(shadow().holds_objects());
  }
}

TEST(ObjectHints, AliasesEndWithTheExecution) {
  begin();
  race_detector_object(kBase);
  race_detector_aliased();
  race_detector_object(kBase + 64);
  EXPECT_EQ(hints(), Shadow::kHints);
  begin();
  EXPECT_EQ(hints(), 0u);
}

// An object is found wherever it begins in the memory. Memory that begins right behind its granule is told to have none.
TEST(ObjectHints, TellMemoryThatHoldsAnObject) {
  begin();
  EXPECT_FALSE(shadow().may_hold_object(kBase, 1 << 20));
  for (const uintptr_t offset : {0, 4, 8, 40, 200, 496}) {
    begin();
    race_detector_object(kBase + offset);
    for (const size_t size : {1, 8, 24, 48, 100, 504, 512, 513, 4096}) {
      if (offset < size) EXPECT_TRUE(shadow().may_hold_object(kBase, size)) << offset << " of " << size;
    }
    const uintptr_t behind = kBase + offset / 8 * 8 + 8;
    EXPECT_FALSE(shadow().may_hold_object(behind, 1)) << offset;
    EXPECT_FALSE(shadow().may_hold_object(behind, Shadow::kHintedSize)) << offset;
    EXPECT_TRUE(shadow().may_hold_object(behind, Shadow::kHintedSize + 1)) << offset;
  }
}

}  // namespace
}  // namespace heddle::rt
