// Which observers a finished run is shown to.
#include "trace/observer.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::rt {
namespace {

std::string g_calls;

constexpr Observer kUnfinished = {.name = "unfinished", .execution_ended = [](RunSummary&) { g_calls += "unfinished "; }, .only_unfinished = true};
constexpr Observer kAll = {.name = "all",
                           .execution_ended = [](RunSummary&) { g_calls += "all "; },
                           .execution_begins = [] { g_calls += "begin "; },
                           .let_go = [] { g_calls += "let go "; }};

std::string calls_for(ThreadEnd end) {
  ThreadRecord threads[2] = {};
  threads[1].state = static_cast<uint8_t>(end);
  RunSummary run{};
  run.threads = threads;
  run.thread_count = 2;
  g_calls.clear();
  notify_begin();
  notify_observers(run);
  notify_let_go();
  return g_calls;
}

TEST(Observers, AreAskedInTheirOrderIfTheyCare) {
  add_observer(kUnfinished);
  add_observer(kAll);
  EXPECT_EQ(calls_for(ThreadEnd::finished), "begin all let go ");
  for (const ThreadEnd end : {ThreadEnd::blocked, ThreadEnd::joinable_blocked, ThreadEnd::running, ThreadEnd::sleeping, ThreadEnd::resting}) {
    EXPECT_EQ(calls_for(end), "begin unfinished all let go ");
  }
  leave_out(kAll);
  EXPECT_EQ(calls_for(ThreadEnd::finished), "");
  EXPECT_EQ(calls_for(ThreadEnd::blocked), "unfinished ");
}

}  // namespace
}  // namespace heddle::rt
