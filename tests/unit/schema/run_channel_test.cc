#include "schema/run_channel.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

class RunChannel : public ::testing::Test {
 protected:
  RunChannelHeader& header() { return *reinterpret_cast<RunChannelHeader*>(memory.data()); }
  RunSummary run() {
    RunSummary r{};
    r.input_hash = 7;
    r.seed = 9;
    r.flags = kRunNovel;
    r.events = events.data();
    r.event_count = static_cast<uint32_t>(events.size());
    r.threads = threads.data();
    r.thread_count = static_cast<uint32_t>(threads.size());
    r.select_cases = cases.data();
    r.select_case_count = static_cast<uint32_t>(cases.size());
    r.comparisons = comparisons.data();
    r.comparison_count = static_cast<uint32_t>(comparisons.size());
    return r;
  }

  std::vector<uint64_t> memory = std::vector<uint64_t>(kRunChannelSize / sizeof(uint64_t));
  std::vector<Event> events;
  std::vector<ThreadRecord> threads{1};
  std::vector<SelectCase> cases;
  std::vector<Comparison> comparisons;
};

Event event(uint32_t occurrence, bool finished) {
  Event e{};
  e.site = 1;
  e.occurrence = occurrence;
  e.done = finished ? occurrence : 0;
  return e;
}

TEST_F(RunChannel, NothingIsThereBeforeTheFirstRun) {
  RunSummary out;
  uint64_t number = 0;
  EXPECT_FALSE(read_run(memory.data(), out, number));
}

TEST_F(RunChannel, CarriesARunAndNumbersIt) {
  for (uint32_t i = 1; i <= 10; ++i) events.push_back(event(i, true));
  cases.push_back({3, 0, 1, 0, 1});
  comparisons.push_back({7, 1, 0, {4, 4}, 2, {{'a'}, {'b'}}});
  RunSummary out;
  uint64_t number = 0;
  for (uint64_t n = 1; n <= 3; ++n) {
    write_run(memory.data(), run());
    ASSERT_TRUE(read_run(memory.data(), out, number));
    EXPECT_EQ(number, n);
  }
  EXPECT_EQ(out.input_hash, 7u);
  EXPECT_EQ(out.flags, static_cast<uint32_t>(kRunNovel));
  ASSERT_EQ(out.event_count, 10u);
  for (uint32_t i = 0; i < 10; ++i) EXPECT_EQ(out.events[i].occurrence, i + 1);
  ASSERT_EQ(out.select_case_count, 1u);
  EXPECT_EQ(out.select_cases[0].event, 3u);
  ASSERT_EQ(out.comparison_count, 1u);
  EXPECT_EQ(out.comparisons[0].side[1][0], 'b');
}

TEST_F(RunChannel, ALongRunLosesItsMiddleNotWhatNeverFinished) {
  for (uint32_t i = 1; i <= 3 * kChannelEvents; ++i) events.push_back(event(i, true));
  events.push_back(event(777777, false));
  write_run(memory.data(), run());
  RunSummary out;
  uint64_t number;
  ASSERT_TRUE(read_run(memory.data(), out, number));
  ASSERT_EQ(out.event_count, kChannelEvents + 1);
  EXPECT_EQ(out.events[kChannelEvents - 1].occurrence, kChannelEvents);
  EXPECT_EQ(out.events[kChannelEvents].occurrence, 777777u);
}

TEST_F(RunChannel, AnIncompleteOrDamagedOneReadsAsNothing) {
  events.push_back(event(1, true));
  write_run(memory.data(), run());
  RunSummary out;
  uint64_t number;
  ASSERT_TRUE(read_run(memory.data(), out, number));
  const RunChannelHeader good = header();
  header().complete = 0;  // the writer died
  EXPECT_FALSE(read_run(memory.data(), out, number));
  header() = good;
  header().events = 0xFFFFFFFF;
  EXPECT_FALSE(read_run(memory.data(), out, number));
  header() = good;
  header().magic ^= 1;
  EXPECT_FALSE(read_run(memory.data(), out, number));
  header() = good;
  ++header().layout;
  EXPECT_FALSE(read_run(memory.data(), out, number));
}

// What comes before the second thread is left out first, and what speaks of events speaks of those that are there.
TEST_F(RunChannel, OfALongRunKeepsWhatSeveralThreadsDid) {
  constexpr uint32_t kAlone = 3 * kChannelEvents, kTogether = 2 * kChannelEvents;
  for (uint32_t i = 1; i <= kAlone + kTogether; ++i) {
    events.push_back(event(i, true));
    events.back().partner = i >= 2 ? i - 2 : kNoEvent;  // the event before
  }
  for (uint32_t i = 1; i <= 2; ++i) events.push_back(event(events.size() + i, false));
  threads.resize(2);
  threads[0].create_event = kNoEvent;
  threads[1].create_event = kAlone;
  cases.push_back({kAlone - 1, 0, 1, 0, 1});
  cases.push_back({kAlone + 5, 0, 1, 0, 1});
  write_run(memory.data(), run());
  RunSummary out;
  uint64_t number = 0;
  ASSERT_TRUE(read_run(memory.data(), out, number));
  ASSERT_EQ(out.event_count, kChannelEvents + 2);
  EXPECT_EQ(out.events[0].occurrence, kAlone + 1);
  EXPECT_EQ(out.events[0].partner, kNoEvent);
  for (uint32_t i = 1; i < kChannelEvents; ++i) EXPECT_EQ(out.events[i].partner, i - 1);
  EXPECT_FALSE(out.events[kChannelEvents].finished());
  EXPECT_EQ(out.threads[0].create_event, kNoEvent);
  EXPECT_EQ(out.threads[1].create_event, 0u);
  EXPECT_EQ(out.select_cases[0].event, kNoEvent);
  EXPECT_EQ(out.select_cases[1].event, 5u);
}

// As much as there is room for, where the others do little.
TEST_F(RunChannel, FillsItsRoomWithWhatCameBefore) {
  for (uint32_t i = 1; i <= 2 * kChannelEvents; ++i) events.push_back(event(i, true));
  threads.resize(2);
  threads[1].create_event = 2 * kChannelEvents - 10;
  write_run(memory.data(), run());
  RunSummary out;
  uint64_t number = 0;
  ASSERT_TRUE(read_run(memory.data(), out, number));
  ASSERT_EQ(out.event_count, kChannelEvents);
  EXPECT_EQ(out.events[0].occurrence, kChannelEvents + 1);
  EXPECT_EQ(out.threads[1].create_event, kChannelEvents - 10);
}

}  // namespace
}  // namespace heddle
