// Where an operation is of the user's (trace/spots.h).
#include "trace/spots.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

// Not heddle's, by their names.
static void of_the_user() {}
static void of_the_user_too() {}

namespace heddle::rt {
namespace {

// A return address in the code of that function.
template <typename Function>
uintptr_t in(Function* function, uintptr_t offset = 4) {
  return reinterpret_cast<uintptr_t>(function) + offset;
}

// The C library's own: its name alone may be a stub, or a shim.
uintptr_t in_library() { return reinterpret_cast<uintptr_t>(dlsym(RTLD_NEXT, "qsort")) + 4; }

class SpotsTest : public testing::Test {
 protected:
  void SetUp() override {
    sites().initialise();
    contexts().initialise();
    spots().initialise();
  }
  static uint32_t site(uintptr_t pc) { return sites().index_of(pc); }
};

TEST_F(SpotsTest, APositionOfTheUsersIsItself) {
  const uintptr_t pc = in(of_the_user);
  const Spot& s = spots().at(pc, 0, 0, 0);
  EXPECT_EQ(s.site, site(pc));
  EXPECT_EQ(s.position, site(pc));
  EXPECT_EQ(s.id, sites()[site(pc)].id);
  EXPECT_EQ(s.context, 0u);
  EXPECT_EQ(s.context_hash, contexts()[0].hash);
  EXPECT_EQ(&spots().at(pc, 0, 0, 0), &s);
}

TEST_F(SpotsTest, OneInALibraryIsTheCallThatAShimHasNoted) {
  const uintptr_t library = in_library(), user = in(of_the_user), other = in(of_the_user_too);
  ASSERT_TRUE(sites().position(library).library);
  const Spot s = spots().at(library, user, 0, 0);
  EXPECT_EQ(s.site, site(user));
  EXPECT_EQ(s.position, site(user));
  EXPECT_EQ(spots().at(library, other, 0, 0).site, site(other));  // another call to the same place
  EXPECT_EQ(spots().at(user, other, 0, 0).site, site(user));      // no call is noted for what is the user's
}

TEST_F(SpotsTest, OrTheNearestCallOfTheUsers) {
  const uintptr_t library = in_library(), user = in(of_the_user);
  EXPECT_EQ(spots().at(library, 0, 0, 0).site, site(library));  // no user call
  const uint32_t node = contexts().child(0, user);
  const Spot s = spots().at(library, 0, node, 0);
  EXPECT_EQ(s.site, site(user));
  EXPECT_EQ(s.position, site(library));
  EXPECT_EQ(s.context, node);
  EXPECT_EQ(s.context_hash, contexts()[node].hash);
}

// Positions with the same entry of the table replace each other, and are still distinguished.
TEST_F(SpotsTest, ManyPositionsAreToldApart) {
  for (int round = 0; round < 2; ++round) {
    for (uintptr_t offset = 1; offset < 10'000; ++offset) {
      const uintptr_t pc = in(of_the_user, offset);
      ASSERT_EQ(spots().at(pc, 0, 0, 0).position, site(pc));
    }
  }
}

TEST_F(SpotsTest, NoPositionIsAnAnswerToo) { EXPECT_EQ(spots().at(0, 0, 0, 0).site, site(0)); }

}  // namespace
}  // namespace heddle::rt
