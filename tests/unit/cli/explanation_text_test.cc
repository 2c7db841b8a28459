// How an explanation says it.
#include "harness/cli/explanation_text.h"

#include <gtest/gtest.h>

#include <fstream>

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

// If it never came the other way round, what it came before is no matter.
TEST(ExplanationText, AnOperationThatComesOnlyWithTheFindingHappens) {
  SiteNames names;
  names.add(1, {"/src/a.cc:5", "work", "work+0x1c"});
  Explanation e = load_before_store();
  e.happens = {true};
  EXPECT_TRUE(explanation_text(e, names, {}).starts_with("The finding comes if and only if the load in `work` at a.cc:5 (main) happens.")) << explanation_text(e, names, {});
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
