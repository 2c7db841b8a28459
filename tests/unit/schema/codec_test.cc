#include "schema/codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "tests/unit/schema/samples.h"

namespace heddle {
namespace {

// Reads everything that a view offers, so that a sanitizer sees a span that is wrong.
uint64_t touch(const ScheduleView& v) {
  uint64_t sum = 0;
  const auto add = [&](auto span) {
    if (!span.empty())
      sum += hash_input({reinterpret_cast<const uint8_t*>(span.data()), span.size_bytes()});
    if (!span.empty()) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(span.data()) % alignof(std::decay_t<decltype(span[0])>),
                0u);
    }
  };
  add(v.elements);
  add(v.reads_from);
  add(v.selects);
  add(v.delays);
  add(v.graph);
  add(v.visible_plain);
  add(v.weights);
  add(v.payload);
  EXPECT_LE(v.elements.size(), kMaxElements);
  EXPECT_LE(v.visible_plain.size(), kMaxVisiblePlain);
  for (const Element& e : v.elements) EXPECT_LT(e.chain, kMaxChains);
  EXPECT_LT(static_cast<int>(v.strategy), kStrategyCount);
  return sum;
}

// An exact-size, 16-aligned copy.
void view_exactly(const std::vector<uint8_t>& bytes) {
  uint8_t* exact = new uint8_t[bytes.size()];
  if (!bytes.empty()) std::memcpy(exact, bytes.data(), bytes.size());
  touch(view_schedule({exact, bytes.size()}));
  delete[] exact;
}

TEST(Codec, DefaultIsSmallAndNotForeign) {
  const auto bytes = encode_schedule({});
  EXPECT_LE(bytes.size(), 24u);
  Schedule out;
  EXPECT_TRUE(decode_schedule(bytes, out));
  EXPECT_EQ(out, Schedule{});
}

TEST(Codec, ForeignBytesArePayload) {
  const std::vector<uint8_t> bytes = {'h', 'e', 'l', 'l', 'o'};
  Schedule out;
  EXPECT_FALSE(decode_schedule(bytes, out));
  EXPECT_EQ(out.payload, bytes);
  EXPECT_FALSE(decode_schedule({}, out));
  EXPECT_EQ(out, Schedule{});
}

TEST(Codec, CutsAtTheFirstUnknownChain) {
  Schedule s;
  s.elements.resize(3);
  s.elements[1].chain = kMaxChains;
  clamp_schedule(s);
  EXPECT_EQ(s.elements.size(), 1u);
  s.elements.assign(kMaxElements + 5, Element{});
  s.visible_plain.assign(99, 7);
  clamp_schedule(s);
  EXPECT_EQ(s.elements.size(), kMaxElements);
  EXPECT_EQ(s.visible_plain.size(), kMaxVisiblePlain);
}

// Corpora from before there were assumptions have these bytes.
TEST(Codec, WithoutAssumptionsTheBytesAreThoseOfOld) {
  Schedule s;
  s.seed = 0x1122334455667788;
  s.pct_depth = 5;
  s.payload = {'a', 'b', 'c'};
  const std::vector<uint8_t> old = {
      44, 0, 0, 0, 72, 68, 83, 67, 36, 0, 20, 0, 0, 0, 12, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0,  0,  0,  0,   0,   0,   0,  0, 0,  0,
      0,  0, 0, 0, 0,  0,  8,  0,  36, 0, 0,  0, 0, 0, 0,  5, 12, 0, 0, 0, 136, 119, 102, 85, 68, 51, 34, 17, 3, 0, 0, 0, 97, 98, 99, 0};
  EXPECT_EQ(encode_schedule(s), old);
  s.assumes = kNoSpuriousWakes | kPatientTimeouts;
  Schedule out;
  ASSERT_TRUE(decode_schedule(encode_schedule(s), out));
  EXPECT_EQ(out, s);
  s.assumes = 0xFF;
  clamp_schedule(s);
  EXPECT_EQ(s.assumes, kAllAssumptions);
}

TEST(Codec, MisalignedVectorIsForeign) {
  Schedule s;
  s.visible_plain = {1, 2, 3};
  auto bytes = encode_schedule(s);
  // One of these moves the vector by 4: it reads as one misaligned element, inside the buffer.
  std::vector<uint8_t> found;
  bool seen = false;
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    auto changed = bytes;
    changed[at] = static_cast<uint8_t>(changed[at] + 4);
    const ScheduleView v = view_schedule(changed);
    touch(v);
    seen |= v.foreign;
  }
  EXPECT_TRUE(seen);
}

RC_GTEST_PROP(Codec, RoundTripsAndIsCanonical, (uint64_t seed)) {
  const Schedule s = Sampler(seed).schedule();
  Schedule clamped = s, again;
  clamp_schedule(clamped);
  const auto bytes = encode_schedule(s);
  RC_ASSERT(bytes == encode_schedule(clamped));
  RC_ASSERT(decode_schedule(bytes, again));
  RC_ASSERT(again == clamped);
  clamp_schedule(again);
  RC_ASSERT(again == clamped);
  auto longer = bytes;
  longer.insert(longer.end(), {1, 2, 3});
  RC_ASSERT(decode_schedule(longer, again));
  RC_ASSERT(again == clamped);
  std::vector<uint8_t> shifted(1, 0);
  shifted.insert(shifted.end(), bytes.begin(), bytes.end());
  RC_ASSERT(decode_schedule(std::span(shifted).subspan(1), again));
  RC_ASSERT(again == clamped);
}

RC_GTEST_PROP(Codec, AnyBytesAreSafe, (uint64_t seed)) {
  Sampler sampler(seed);
  const auto bytes = encode_schedule(sampler.schedule());
  for (int i = 0; i < 20; ++i) {
    auto changed = bytes;
    for (uint64_t n = sampler.below(4); n-- > 0;) {
      changed[sampler.below(sampler.below(2) == 0 ? changed.size()
                                                  : std::min<size_t>(80, changed.size()))] ^=
          static_cast<uint8_t>(1u << sampler.below(8));
    }
    if (sampler.below(2) == 0) changed.resize(sampler.below(changed.size() + 1));
    view_exactly(changed);
    Schedule out, again;
    decode_schedule(changed, out);
    RC_ASSERT(decode_schedule(encode_schedule(out), again));
    RC_ASSERT(again == out);
  }
}

TEST(Codec, EveryTruncationIsSafe) {
  const auto bytes = encode_schedule(Sampler(5).schedule());
  for (size_t n = 0; n <= bytes.size(); ++n)
    view_exactly({bytes.begin(), bytes.begin() + static_cast<long>(n)});
}

}  // namespace
}  // namespace heddle
