// Reports as text, compared with tests/golden/*.txt. HEDDLE_UPDATE_GOLDEN=1 writes the files again: review the difference.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "analyses/analyses.h"
#include "analyses/live_findings.h"
#include "analyses/report/names.h"
#include "analyses/report/next_steps.h"
#include "analyses/report/positions.h"
#include "analyses/report/report.h"
#include "tests/unit/analyses/run_builder.h"

namespace heddle::rt::testing {

// Line n of queue.cc is in the function whose number is its tens.
inline Position by_line(uint32_t site) {
  static constexpr const char* kFunctions[] = {"harness", "make", "push", "pop", "drain", "stop", "log", "join", "close", "open"};
  static Frame frames[128];  // reports keep pointers to them
  Frame& frame = frames[site % 128] = {kFunctions[site / 10 % 10], "/src/queue.cc", site, 5};
  return {&frame, 1};
}

// The build's own line.
inline std::string without_build_id(std::string report) {
  const size_t at = report.find("Build ID: ");
  return at == std::string::npos ? report : report.erase(at, report.find('\n', at) + 1 - at);
}

struct GoldenReport : ::testing::Test {
  void SetUp() override { set_position_source(by_line); }
  void TearDown() override { set_position_source(nullptr); }

  void expect(const std::string& name, const RunSummary& run, bool ended = true, uint32_t width = 100) {
    Text text;
    text.clear();
    forget_names();
    set_saved_input([](const char*) -> const char* { return "./crash-0123"; }, false);
    put_report(text, *story, run, ended, width, 4711, "./queue_fuzz");
    const std::string report = without_build_id(std::string(text.view()));
    const std::string path = std::string(HEDDLE_GOLDEN) + "/" + name + ".txt";
    if (getenv("HEDDLE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << report;
    std::stringstream wanted;
    wanted << std::ifstream(path).rdbuf();
    EXPECT_EQ(report, wanted.str()) << "in " << path;
  }
  // A report of something that an analysis finds at the end.
  void expect_found(bool (*find)(const RunSummary&, Story&), const std::string& name, const RunSummary& run, uint32_t width = 100) {
    forget_names();
    ASSERT_TRUE(find(run, *story));
    expect(name, run, true, width);
  }
  void expect_raised(const Finding& finding, const std::string& name, const RunSummary& run) {
    forget_names();
    tell_raised(finding, run, *story);
    expect(name, run, false);
  }
  std::unique_ptr<Story> story = std::make_unique<Story>();
};

}  // namespace heddle::rt::testing
