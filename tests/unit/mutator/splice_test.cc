// Two parents: what their child prefers.
#include <gtest/gtest.h>

#include <algorithm>

#include "parent.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

SelectPreference preference(SiteId site, int32_t choice) { return {.thread = 0, .site = site, .instance = 1, .choice = choice, .kind = Kind::mutex_trylock, .reserved = {}}; }

// Two threads, and a choice.
Parent tries() {
  Parent p;
  p.add(1, 1, Kind::mutex_lock, 1);
  p.add(2, 7, Kind::mutex_trylock, 1, Outcome::failure);
  p.add(1, 2, Kind::mutex_unlock, 1);
  return p;
}

Schedule child_of(Lab& lab, const Schedule& ours, const Schedule& theirs, uint64_t seed) {
  Schedule child = ours;
  Rng rng(seed);
  Context context{child, &lab.run.relations(), {}, rng, lab.seen, lab.options, nullptr, 0};
  splice(context, theirs);
  return child;
}

TEST(Splice, OnePreferenceForAPassage) {
  Lab lab(tries());
  Schedule ours, theirs;
  ours.selects = {preference(7, 1)};
  theirs.selects = {preference(7, 1), preference(7, 0)};
  for (uint64_t seed = 0; seed < 100; ++seed) EXPECT_EQ(child_of(lab, ours, theirs, seed).selects, ours.selects);
}

// Half of a population has a useless preference. After generations, neither the whole population has it nor none of it.
TEST(Splice, APreferenceDoesNotTakeOver) {
  Lab lab(tries());
  constexpr uint32_t kSize = 400;
  std::vector<Schedule> population(kSize);
  for (uint32_t i = 0; i < kSize; i += 2) population[i].selects = {preference(7, 1)};
  Rng rng(1);
  for (uint32_t i = 0; i < 10 * kSize; ++i) {
    const Schedule &a = population[rng.below(kSize)], &b = population[rng.below(kSize)];
    population[rng.below(kSize)] = child_of(lab, a, b, i);
  }
  const auto with = std::count_if(population.begin(), population.end(), [](const Schedule& s) { return !s.selects.empty(); });
  EXPECT_GT(with, kSize / 5);
  EXPECT_LT(with, kSize * 4 / 5);
}

TEST(Mutator, SomeChildrenAreFreeOfTheirParentsPreferences) {
  Options options;
  options.opening = 0;  // every second child after an opening is free
  Mutator m(options);
  Parent p = tries();
  Schedule s;
  for (SiteId site = 100; site < 106; ++site) s.selects.push_back(preference(site, 1));
  const std::vector<uint8_t> input = encode_schedule(s);
  p.hash = hash_input(input);
  m.learn(p.summary(), input);
  uint32_t free = 0;
  for (uint32_t i = 0; i < 400; ++i) {
    std::vector<uint8_t> data = input;
    data.resize(4096);
    Schedule child;
    ASSERT_TRUE(decode_schedule({data.data(), m.mutate(data.data(), input.size(), 4096, i)}, child));
    free += std::none_of(child.selects.begin(), child.selects.end(), [](const SelectPreference& q) { return q.site >= 100; });
  }
  EXPECT_GT(free, 50u);
  EXPECT_LT(free, 200u);
}

}  // namespace
}  // namespace heddle::mutator
