// RunSummary::payload_reads: which of the data bytes a run has read, as far as 64 bits tell.
#include <gtest/gtest.h>

#include "engine/run.h"
#include "schema/codec.h"
#include "schema/schedule.h"

extern "C" {
void __tsan_read1(void*);
void __tsan_read8(void*);
void __tsan_read16(void*);
void __tsan_read_range(void*, unsigned long);
}

namespace heddle::test {
namespace {

constexpr uint64_t kBeyond = 1ull << 63;

size_t g_offset, g_size;

int read_once(const uint8_t* data, size_t) {
  uint8_t* const at = const_cast<uint8_t*>(data) + g_offset;
  switch (g_size) {
    case 1: __tsan_read1(at); break;
    case 8: __tsan_read8(at); break;
    case 16: __tsan_read16(at); break;
    default: __tsan_read_range(at, g_size);
  }
  return 0;
}

// A run that has 200 data bytes and does one read.
uint64_t reads(size_t offset, size_t size) {
  Schedule schedule;
  schedule.seed = 1;
  schedule.payload.assign(200, 'x');
  g_offset = offset;
  g_size = size;
  const RunSummary& run = rt::run_one(encode_schedule(schedule), read_once);
  EXPECT_NE(run.flags & kRunPayloadRead, 0u);
  return run.payload_reads;
}

TEST(PayloadReads, ABitForEachOfTheFirstBytes) {
  EXPECT_EQ(reads(0, 1), 1u);
  EXPECT_EQ(reads(62, 1), 1ull << 62);
  EXPECT_EQ(reads(8, 8), 0xFFull << 8);
  EXPECT_EQ(reads(16, 16), 0xFFFFull << 16);
  EXPECT_EQ(reads(3, 40), ((1ull << 40) - 1) << 3);
}

TEST(PayloadReads, OneBitForAllFrom63On) {
  EXPECT_EQ(reads(63, 1), kBeyond);
  EXPECT_EQ(reads(64, 8), kBeyond);
  EXPECT_EQ(reads(199, 1), kBeyond);
  EXPECT_EQ(reads(150, 50), kBeyond);
}

TEST(PayloadReads, ReadsAcrossTheBoundary) {
  EXPECT_EQ(reads(56, 8), 0xFFull << 56);
  EXPECT_EQ(reads(60, 8), kBeyond | 7ull << 60);
  EXPECT_EQ(reads(48, 16), 0xFFFFull << 48);
  EXPECT_EQ(reads(62, 16), kBeyond | 1ull << 62);
  EXPECT_EQ(reads(0, 63), kBeyond - 1);
  EXPECT_EQ(reads(0, 200), ~0ull);
}

}  // namespace
}  // namespace heddle::test
