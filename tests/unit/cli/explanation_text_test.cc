// How an explanation says it.
#include "harness/cli/explanation_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

namespace heddle::cli {
namespace {

// Of sites 1 and 2; it always decides.
Explanation load_before_store() {
  Explanation e;
  e.found = true;
  e.conditions.push_back(Order{Element{.thread = kMainThread, .site = 1, .occurrence = 1, .kind = Kind::atomic_load},
                               Element{.thread = child_thread(kMainThread, 0), .site = 2, .occurrence = 1, .kind = Kind::atomic_store}});
  e.with = {.runs = 10, .findings = 10};
  e.opposite.resize(1);
  e.without = {10, 0};
  return e;
}

TEST(ExplanationText, FewExecutionsAreSaidToBeFew) {
  Explanation e;
  e.found = true;
  e.with = {.runs = 1, .findings = 1};
  EXPECT_TRUE(explanation_text(e, {}, {}).starts_with("The finding came in the only execution that there was time for"));
  e.with = {.runs = 3, .findings = 3};
  EXPECT_TRUE(explanation_text(e, {}, {}).starts_with("The finding came in all of 3 executions, in any order. They are few"));
}

TEST(ExplanationText, AFindingOfMostOrdersIsSaidToBeOne) {
  Explanation e = load_before_store();
  e.without = {.runs = 66, .findings = 62};
  EXPECT_TRUE(explanation_text(e, {}, {}).starts_with("The finding comes in most orders: in 72 of 76 random schedules. ")) << explanation_text(e, {}, {});
  e.without = {.runs = 66, .findings = 30};
  EXPECT_TRUE(explanation_text(e, {}, {}).starts_with("The finding comes if "));
}

// If it never came the other way round, what it came before is no matter.
TEST(ExplanationText, AnOperationThatComesOnlyWithTheFindingHappens) {
  SiteNames names;
  names.add(1, {"/src/a.cc:5", "work", "work+0x1c"});
  Explanation e = load_before_store();
  e.happens = {true};
  EXPECT_TRUE(explanation_text(e, names, {}).starts_with("The finding comes if and only if the load in `work` at a.cc:5 (main) happens.")) << explanation_text(e, names, {});
}

TEST(ExplanationText, AnOperationThatIsSkippedDoesNotCome) {
  SiteNames names;
  names.add(1, {"/src/a.cc:5", "work", "work+0x1c"});
  names.add(2, {"/src/a.cc:9", "stop", "stop+0x1c"});
  Explanation e = load_before_store();
  e.skipped = {true};
  EXPECT_NE(explanation_text(e, names, {}).find("(main.0), which then does not come.\n"), std::string::npos) << explanation_text(e, names, {});
}

TEST(ExplanationText, AJumpOfTheClockHasItsLength) {
  SiteNames names;
  names.add(1, {"/src/a.cc:5", "purge", "purge+0x1c"});
  Explanation e = load_before_store();
  SelectPreference jump = {};
  jump.site = 1;
  jump.kind = Kind::clock_jump;
  jump.thread = child_thread(kMainThread, 0);
  jump.instance = 1;
  for (const auto& [choice, text] : {std::pair(1, "at least 100 ms pass"), std::pair(2, "at least 10 s pass"), std::pair(4, "at least 90000 s pass"), std::pair(0, "little time passes")}) {
    jump.choice = choice;
    e.conditions = {jump};
    const std::string said = explanation_text(e, names, {});
    EXPECT_NE(said.find(std::string(text) + " before the reading of the clock in `purge` at a.cc:5 (main.0)"), said.npos) << said;
  }
}

TEST(ExplanationText, ManyConditionsThatDecideTogetherAreListedAndCounted) {
  Explanation e = load_before_store();
  e.one_way.assign(18, e.conditions[0]);
  e.found = false;
  e.conditions.clear();
  e.nonpreemptive = true;
  e.one_way_held = {.runs = 9, .findings = 9};
  EXPECT_FALSE(e.is_chain());  // too few
  e.one_way_held = {.runs = 54, .findings = 53};
  EXPECT_FALSE(e.is_chain());
  e.one_way_held = {.runs = 54, .findings = 54};
  e.one_way_without.assign(18, {.runs = 20, .findings = 0});
  e.one_way_without[1] = {.runs = 20, .findings = 3};
  e.one_way_without[2] = {};
  ASSERT_TRUE(e.is_chain());
  const std::string text = explanation_text(e, {}, {});
  EXPECT_TRUE(text.starts_with("The finding comes if 18 conditions hold together. No few of them decide.\nAll of this, ")) << text;
  EXPECT_NE(text.find("all of this demanded, and it came so            54 of 54 have the finding\n"), std::string::npos) << text;
  EXPECT_NE(text.find("all but [1] demanded, and [1] was not so         0 of 20 have the finding\n"), std::string::npos) << text;
  EXPECT_NE(text.find("all but [2] demanded, and [2] was not so         3 of 20 have the finding\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("all but [3] demanded"), std::string::npos) << text;  // that never came about
  EXPECT_NE(text.find("  [18] the load at "), std::string::npos) << text;
  EXPECT_EQ(text.find("Each of them is needed"), std::string::npos) << text;
  e.each_is_needed = true;
  EXPECT_NE(explanation_text(e, {}, {}).find("Each of them is needed: if one is not demanded"), std::string::npos) << text;
  EXPECT_EQ(text.find("each thread runs"), std::string::npos) << text;  // it was counted under other strategies
}

TEST(ExplanationText, ThreadsWithTheSameCodeAreSaidToHaveIt) {
  Explanation e = load_before_store();
  EXPECT_EQ(explanation_text(e, {}, {}).find("the same code"), std::string::npos);
  const auto& [load, store] = std::get<Order>(e.conditions[0]);
  Order other = {load, store};
  std::swap(other.first.thread, other.second.thread);
  e.conditions.emplace_back(other);
  e.opposite.resize(2);
  EXPECT_NE(explanation_text(e, {}, {}).find("\nmain and main.0 run the same code: note which of them each part names.\n"), std::string::npos)
      << explanation_text(e, {}, {});
}

TEST(ExplanationText, WhatThereWasNoTimeForIsSaid) {
  Explanation e = load_before_store();
  EXPECT_TRUE(untried_words(e, 100).empty());
  e.untried = {Untried::executions, Untried::causes};
  EXPECT_EQ(untried_words(e, 100), (std::vector<std::string>{"whether what is named follows from something else", "100 executions for each count"}));
}

TEST(ExplanationText, DataBytesThatDecideHaveTheirValues) {
  Explanation e = load_before_store();
  EXPECT_EQ(explanation_text(e, {}, {}).find("Data bytes"), std::string::npos);
  e.data = {{.position = 0, .value = 'u'}, {.position = 3, .value = '1', .others = {'0', '3', '2', 0}}};
  std::vector<uint8_t> odd, all_but_zero;
  for (unsigned i = 2; i < 256; ++i) {
    if (i % 2 == 1) odd.push_back(static_cast<uint8_t>(i));
    all_but_zero.push_back(static_cast<uint8_t>(i));
  }
  e.data.push_back({.position = 4, .value = 1, .others = odd});
  e.data.push_back({.position = 5, .value = 1, .others = all_but_zero});
  const std::string text = explanation_text(e, {}, {});
  for (const char* const line : {"  byte 0 is 0x75 ('u'): the finding comes with no other value\n",
                                 "  byte 3 is 0x31 ('1'): the finding comes with 0x00, 0x30 ('0') to 0x33 ('3')\n",
                                 "  byte 4 is 0x01: the finding comes with 128 of 256 values\n",
                                 "  byte 5 is 0x01: the finding comes with 0x01 to 0xff\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(ExplanationText, TheLinesThatItNamesAreThere) {
  const std::string path = testing::TempDir() + "/named_lines.cc";
  std::ofstream(path) << "void work() {\n  second = 1;\n  if (first) {}\n}\n";
  SiteNames names;
  names.add(1, {path + ":3:7", "work", "work+0x1c"});
  names.add(2, {path + ":2:3", "work", "work+0x8"});
  const Explanation e = load_before_store();
  EXPECT_NE(explanation_text(e, names, {}).find("A repair makes this impossible, or harmless.\n\nThe lines that it names:\n"
                                                "  named_lines.cc:2  second = 1;\n  named_lines.cc:3  if (first) {}\n"),
            std::string::npos)
      << explanation_text(e, names, {});
}

}  // namespace
}  // namespace heddle::cli
