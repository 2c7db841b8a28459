#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "analyses/report/function_name.h"
#include "analyses/report/story.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

volatile int written = 0;
void one() { written = 1; }
void two() { written = 2; }

uint32_t site_in(void (*function)(), int offset) {
  sites().initialise();
  return sites().index_of(reinterpret_cast<uintptr_t>(function) + static_cast<uintptr_t>(offset));
}

uint64_t signature_of(FindingType type, std::initializer_list<uint32_t> signing, std::initializer_list<uint32_t> others = {}) {
  auto story = std::make_unique<Story>();
  story->begin(type, 0);
  for (const uint32_t s : signing) story->add_stack(s, 0, true, "x");
  for (const uint32_t s : others) story->add_stack(s, 0, false, "y");
  return signature(*story);
}

TEST(Signature, IsASetOfSites) {
  const uint32_t a = site_in(one, 1), b = site_in(two, 1), c = site_in(two, 2);
  const uint64_t base = signature_of(FindingType::deadlock, {a, b});
  EXPECT_EQ(signature_of(FindingType::deadlock, {b, a}), base);
  EXPECT_EQ(signature_of(FindingType::deadlock, {a, b, a}), base);
  EXPECT_EQ(signature_of(FindingType::deadlock, {a, b}, {c}), base);
  const std::set<uint64_t> different = {base, signature_of(FindingType::deadlock, {a, c}), signature_of(FindingType::deadlock, {a}),
                                        signature_of(FindingType::data_race, {a, b})};
  EXPECT_EQ(different.size(), 4u);
}

// Which of two accesses to freed memory fails first depends on the order: that is one bug. Two assertions are two.
TEST(Signature, OfAUseAfterFreeIsASetOfFunctions) {
  const uint32_t a = site_in(one, 1), b = site_in(two, 1), c = site_in(two, 2);
  EXPECT_EQ(signature_of(FindingType::heap_use_after_free, {b, a}), signature_of(FindingType::heap_use_after_free, {c, a}));
  EXPECT_NE(signature_of(FindingType::heap_use_after_free, {b, a}), signature_of(FindingType::heap_use_after_free, {b}));
  EXPECT_NE(signature_of(FindingType::assertion, {b}), signature_of(FindingType::assertion, {c}));
}

TEST(FunctionNames, OfTheSimpleKind) {
  const auto name = [](const char* mangled) { return std::string(short_function_name(mangled)); };
  EXPECT_EQ(name("_ZN3foo3barEv"), "foo::bar");
  EXPECT_EQ(name("_ZNK5Queue4sizeEv"), "Queue::size");
  EXPECT_EQ(name("_Z4mainv"), "main");
  EXPECT_EQ(name("_ZL6setterv"), "setter");
  EXPECT_EQ(name("_ZN12_GLOBAL__N_15countE"), "(anon)::count");
  EXPECT_EQ(name("plain_c"), "plain_c");
  EXPECT_EQ(name("_ZN3fooIiE3barEv"), "_ZN3fooIiE3barEv");
  EXPECT_EQ(name("_ZN99xE"), "_ZN99xE");
  EXPECT_EQ(name("_Z"), "_Z");
}

TEST(FindingNames, AllAreThereAndDifferent) {
  std::set<std::string> names;
  for (int t = 0; t <= static_cast<int>(FindingType::leak); ++t) names.insert(finding_name(static_cast<FindingType>(t)));
  EXPECT_EQ(names.size(), static_cast<size_t>(FindingType::leak) + 1);
  EXPECT_EQ(names.count("unknown"), 0u);
}

}  // namespace
}  // namespace heddle::rt
