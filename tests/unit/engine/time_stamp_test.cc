// Recognises from its bytes which code reads the time stamp counter.
#include "engine/time_stamp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heddle::rt {
namespace {

using Code = std::vector<unsigned char>;

bool found(const Code& code) { return reads_time_stamp(code.data(), code.size()); }

Code join(std::initializer_list<Code> parts) {
  Code all;
  for (const Code& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

const Code kRead = {0x0F, 0x31}, kReadWithProcessor = {0x0F, 0x01, 0xF9}, kShift = {0x48, 0xC1, 0xE2, 0x20}, kShiftOfR9 = {0x49, 0xC1, 0xE1, 0x20};

TEST(TimeStamp, IsReadWhereTheHalvesAreJoined) {
  for (const Code& read : {kRead, kReadWithProcessor}) {
    for (const Code& shift : {kShift, kShiftOfR9}) {
      EXPECT_TRUE(found(join({read, shift})));
      EXPECT_TRUE(found(join({Code(100, 0x90), read, Code(20, 0x0F), shift})));
    }
  }
}

TEST(TimeStamp, IsNotReadWhereItsBytesOccurByChance) {
  EXPECT_FALSE(found({}));
  EXPECT_FALSE(found({0x0F}));
  EXPECT_FALSE(found(join({kRead, Code(100, 0x90), kShift})));
  EXPECT_FALSE(found(join({kShift, kRead})));
  EXPECT_FALSE(found(join({kRead, {0x48, 0xC1, 0xE2, 0x1F}, {0x48, 0xC1, 0xEA, 0x20}})));
  EXPECT_FALSE(found(join({{0x0F, 0x01}, kShift})));
}

// Wherever the code is cut off, nothing after the end is read (AddressSanitizer would see it).
TEST(TimeStamp, EndsWithTheCode) {
  const Code whole = join({kReadWithProcessor, kShift});
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(found(Code(whole.begin(), whole.begin() + static_cast<long>(size))));
}

}  // namespace
}  // namespace heddle::rt
