// If a child's schedule is based on another run than its parent's, its data still come from what the parent itself read and compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "mutator/mutator.h"
#include "parent.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes input_of(std::string_view payload) {
  Schedule s;
  s.payload.assign(payload.begin(), payload.end());
  ScheduleEncoder encoder;
  const auto bytes = encoder.encode(s);
  return {bytes.begin(), bytes.end()};
}

// A run that reads at 30 from the store at 10 or 20, and that compared its first byte 'a' with `wanted`.
void learn(Mutator& m, const Bytes& input, uint32_t source, uint32_t flags, char wanted) {
  Parent p;
  p.add(1, 10, Kind::atomic_store, 1);
  p.add(2, 20, Kind::atomic_store, 1);
  p.add(3, 30, Kind::atomic_load, 1).partner = source;
  p.hash = hash_input(input);
  p.flags = flags;
  Comparison c{};
  c.near = Comparison::kNowhere;
  c.kind = static_cast<uint8_t>(ComparisonKind::constant);
  c.size[0] = c.size[1] = 1;
  c.side[0][0] = 'a';
  c.side[1][0] = static_cast<uint8_t>(wanted);
  RunSummary run = p.summary();
  run.payload_reads = 1;
  run.comparisons = &c;
  run.comparison_count = 1;
  m.learn(run, input);
}

TEST(StandIn, GivesTheScheduleAndNotTheData) {
  Mutator m;
  const Bytes parent = input_of("abcd"), other = input_of("a");
  learn(m, other, 1, 0, 'X');  // the rare source
  for (int i = 0; i < 30; ++i) learn(m, parent, 0, kRunNovel | kRunPayloadRead, 'P');
  int rare = 0, wanted = 0, wrong = 0;
  for (uint32_t seed = 0; seed < 4000; ++seed) {
    Bytes child(4096);
    std::copy(parent.begin(), parent.end(), child.begin());
    child.resize(m.mutate(child.data(), parent.size(), child.size(), seed));
    rare += m.last_operators().find("rf_rare") != std::string::npos;
    Schedule s;
    ASSERT_TRUE(decode_schedule(child, s));
    wanted += !s.payload.empty() && s.payload[0] == 'P';
    wrong += !s.payload.empty() && s.payload[0] == 'X';
  }
  EXPECT_GT(rare, 100);
  EXPECT_GT(wanted, 100);
  EXPECT_LT(wrong, 10) << "by chance alone";
}

}  // namespace
}  // namespace heddle::mutator
