#include "mutator/trimmer.h"

#include <gtest/gtest.h>

#include <functional>

#include "schema/codec.h"

namespace heddle::mutator {
namespace {

Element element(uint8_t chain, SiteId site) {
  Element e{};
  e.chain = chain;
  e.site = site;
  e.kind = Kind::mutex_lock;
  return e;
}

Schedule large() {
  Schedule s;
  for (uint8_t c = 0; c < 3; ++c) {
    for (SiteId i = 1; i <= 3; ++i) s.elements.push_back(element(c, 10 * c + i));
  }
  for (SiteId i = 1; i <= 5; ++i) {
    SelectPreference p{};
    p.site = i;
    p.kind = Kind::select;
    s.selects.push_back(p);
    s.visible_plain.push_back(100 + i);
  }
  Delay d{};
  d.what = element(0, 77);
  s.delays.push_back(d);
  s.payload.assign(200, 'x');
  s.payload[123] = 'y';
  return s;
}

// What AFL++ does with a trimmer: proposals while there are any, kept when `needs` still holds.
Schedule trim(const Schedule& from, const std::function<bool(const Schedule&)>& needs, uint32_t* proposals = nullptr) {
  Trimmer trimmer;
  std::vector<uint8_t> best = encode_schedule(from);
  const uint32_t limit = trimmer.begin(best);
  uint32_t n = 0;
  for (uint32_t done = 0; done < limit;) {
    const std::vector<uint8_t> bytes = trimmer.propose();
    Schedule s;
    EXPECT_TRUE(decode_schedule(bytes, s));
    const bool kept = needs(s);
    if (kept) best = bytes;
    done = trimmer.judge(kept);
    EXPECT_LE(++n, limit);
  }
  if (proposals != nullptr) *proposals = n;
  Schedule result;
  decode_schedule(best, result);
  return result;
}

TEST(Trimmer, LeavesNothingWhereNothingIsNeeded) {
  const Schedule s = trim(large(), [](const Schedule&) { return true; });
  EXPECT_TRUE(s.elements.empty() && s.selects.empty() && s.delays.empty() && s.visible_plain.empty() && s.payload.empty());
}

TEST(Trimmer, KeepsWhatIsNeededAndNoMore) {
  const auto needs = [](const Schedule& s) {
    bool chain = false, preference = false, byte = false;
    for (const Element& e : s.elements) chain |= e.site == 12;
    for (const SelectPreference& p : s.selects) preference |= p.site == 4;
    for (const uint8_t b : s.payload) byte |= b == 'y';
    return chain && preference && byte;
  };
  const Schedule s = trim(large(), needs);
  ASSERT_EQ(s.elements.size(), 3u);  // a chain goes or stays as a whole
  EXPECT_EQ(s.elements[0].chain, s.elements[2].chain);
  ASSERT_EQ(s.selects.size(), 1u);
  EXPECT_EQ(s.selects[0].site, 4u);
  EXPECT_TRUE(s.delays.empty() && s.visible_plain.empty());
  EXPECT_LE(s.payload.size(), 200u / 32);
}

TEST(Trimmer, EndsWhereEverythingIsNeeded) {
  const Schedule from = large();
  uint32_t proposals = 0;
  const Schedule s = trim(from, [](const Schedule&) { return false; }, &proposals);
  EXPECT_EQ(s, from);
  EXPECT_GT(proposals, 10u);
  EXPECT_LT(proposals, 400u);
}

TEST(Trimmer, ForeignBytesAreLeftAlone) {
  const std::vector<uint8_t> bytes(100, 'a');
  EXPECT_EQ(Trimmer().begin(bytes), 0u);
}

}  // namespace
}  // namespace heddle::mutator
