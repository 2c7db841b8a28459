// How findings are told apart in the text of heddle triage.
#include <gtest/gtest.h>

#include "harness/cli/triage.h"

namespace heddle::cli {
namespace {

Group finding(const std::string& caller) {
  Group group;
  group.kind = "assertion-failure";
  group.place = "queue.cc:36:5 in Queue::check";
  group.report = "main fails here:\n    #0 0x55330c in Queue::check /src/queue.cc:36:5\n    #1 0x55330c in use " + caller +
                 "\n    #2 0x55330c in main /src/main.cc:9:1\n\nThreads:\n";
  return group;
}

TEST(TriageFormats, FindingsAtOnePlaceAreToldApartByTheirCallers) {
  Triage triage;
  triage.groups = {finding("/src/main.cc:4:2"), finding("/src/main.cc:5:2")};
  const std::string text = triage_formats().front().write(triage);
  EXPECT_NE(text.find("\n  called at /src/main.cc:4:2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  called at /src/main.cc:5:2\n"), std::string::npos) << text;
  triage.groups.pop_back();
  EXPECT_EQ(triage_formats().front().write(triage).find("called at"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cli
