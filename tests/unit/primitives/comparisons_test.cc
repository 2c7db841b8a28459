// RunSummary::comparisons: what instrumented code has compared since it read data bytes.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/run.h"
#include "schema/codec.h"
#include "schema/schedule.h"
#include "trace/comparisons.h"

extern "C" {
void __tsan_read1(void*);
void __wrap___sanitizer_cov_trace_const_cmp1(uint8_t, uint8_t);
void __wrap___sanitizer_cov_trace_const_cmp4(uint32_t, uint32_t);
void __wrap___sanitizer_cov_trace_const_cmp8(uint64_t, uint64_t);
void __wrap___sanitizer_cov_trace_cmp8(uint64_t, uint64_t);
void __wrap___sanitizer_cov_trace_switch(uint64_t, uint64_t*);
int heddle_program_memcmp(const void*, const void*, size_t);
int heddle_program_strcmp(const char*, const char*);
}

namespace heddle::test {
namespace {

constexpr uint32_t kPayload = 20;

std::vector<Comparison> compared(rt::Body body, const std::string& payload = std::string(kPayload, 'x')) {
  Schedule schedule;
  schedule.seed = 1;
  schedule.payload.assign(payload.begin(), payload.end());
  const RunSummary& run = rt::run_one(encode_schedule(schedule), body);
  return {run.comparisons, run.comparisons + run.comparison_count};
}

uint64_t number(const Comparison& c, int side) {
  uint64_t value = 0;
  std::memcpy(&value, c.side[side], c.size[side]);
  return value;
}

void read(const uint8_t* data, size_t at = 0) { __tsan_read1(const_cast<uint8_t*>(data) + at); }

TEST(Comparisons, BeginWithTheFirstReadOfData) {
  const auto before = compared([](const uint8_t*, size_t) { return __wrap___sanitizer_cov_trace_const_cmp1('H', 'x'), 0; });
  EXPECT_TRUE(before.empty());
  const auto after = compared([](const uint8_t* data, size_t) {
    read(data, 3);
    __wrap___sanitizer_cov_trace_const_cmp1('H', 'x');
    return 0;
  });
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].kind, static_cast<uint8_t>(ComparisonKind::constant));
  EXPECT_EQ(number(after[0], 0), 'x');
  EXPECT_EQ(number(after[0], 1), 'H');  // the constant is side 1
  EXPECT_EQ(after[0].size[0], 1);
  EXPECT_EQ(after[0].near, 3);
}

TEST(Comparisons, OfTheNumberOfBytesAreKnownBefore) {
  const auto c = compared([](const uint8_t*, size_t size) {
    __wrap___sanitizer_cov_trace_const_cmp8(64, size);
    __wrap___sanitizer_cov_trace_const_cmp8(64, size + 1);
    return 0;
  });
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(number(c[0], 0), kPayload);
  EXPECT_EQ(number(c[0], 1), 64u);
  EXPECT_EQ(c[0].near, Comparison::kNowhere);
}

TEST(Comparisons, ALoopDoesNotFillTheTable) {
  const auto c = compared([](const uint8_t* data, size_t) {
    read(data);
    for (uint32_t i = 0; i < 10000; ++i) __wrap___sanitizer_cov_trace_const_cmp4(9999, i);
    for (uint32_t i = 0; i < 10000; ++i) __wrap___sanitizer_cov_trace_const_cmp4(5, 7);
    return 0;
  });
  ASSERT_EQ(c.size(), rt::Comparisons::kOfPlace + 1);
  for (uint32_t i = 0; i < rt::Comparisons::kOfPlace; ++i) EXPECT_EQ(c[i].nth, i);
  EXPECT_EQ(c.back().nth, 0);
  EXPECT_NE(c.back().place, c[0].place);
}

TEST(Comparisons, OfASwitchAreItsCases) {
  const auto c = compared([](const uint8_t* data, size_t) {
    read(data);
    uint64_t cases[] = {3, 8, 'a', 'b', 'c'};
    for (const uint64_t value : {'x', 'y', 'x'}) __wrap___sanitizer_cov_trace_switch(value, cases);
    return 0;
  });
  ASSERT_EQ(c.size(), 4u);  // the constants once, and then each new value
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(number(c[i], 1), 'a' + i);
  EXPECT_EQ(number(c[3], 0), 'y');
}

TEST(Comparisons, AddressesStayOut) {
  const auto c = compared([](const uint8_t* data, size_t) {
    read(data);
    static int global;
    int local = 0;
    for (const auto address : {reinterpret_cast<uint64_t>(&global), reinterpret_cast<uint64_t>(&local), reinterpret_cast<uint64_t>(data)}) {
      __wrap___sanitizer_cov_trace_cmp8(address, 7);
      __wrap___sanitizer_cov_trace_cmp8(7, address);
      __wrap___sanitizer_cov_trace_const_cmp8(0, address);
    }
    __wrap___sanitizer_cov_trace_const_cmp8(0x4141414141414141, 0x7878787878787878);
    return 0;
  });
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(number(c[0], 1), 0x4141414141414141u);
}

TEST(Comparisons, OfStringsReadTheData) {
  const auto c = compared([](const uint8_t* data, size_t) {
    heddle_program_memcmp(data + 2, "magic", 5);
    heddle_program_strcmp("a word that is longer than what is kept of it", "word");
    return 0;
  });
  ASSERT_EQ(c.size(), 2u);
  EXPECT_EQ(std::string(c[0].side[0], c[0].side[0] + c[0].size[0]), "xxxxx");
  EXPECT_EQ(std::string(c[0].side[1], c[0].side[1] + c[0].size[1]), "magic");
  EXPECT_EQ(c[0].near, 2);
  EXPECT_EQ(c[1].size[0], Comparison::kLongest);
  EXPECT_EQ(c[1].size[1], 4);
}

TEST(Comparisons, AreThoseOfTheirRunAlone) {
  const rt::Body body = [](const uint8_t* data, size_t) {
    read(data);
    __wrap___sanitizer_cov_trace_const_cmp1('H', *data);
    return 0;
  };
  EXPECT_EQ(compared(body).size(), 1u);
  EXPECT_EQ(compared(body, "y").size(), 1u);
  __wrap___sanitizer_cov_trace_const_cmp1('H', 'z');  // outside of all runs
  const auto c = compared(body, "z");
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(number(c[0], 0), 'z');
}

}  // namespace
}  // namespace heddle::test
