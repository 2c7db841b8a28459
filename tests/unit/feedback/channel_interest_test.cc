#include "feedback/channel_interest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "feedback/interest.h"
#include "tests/unit/analyses/run_builder.h"
#include "tests/unit/feedback/features_of.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

// Events with a channel at the line 5, and what is found in them.
struct ChannelRun {
  RunBuilder b;
  uint32_t other = b.thread(0, 10);
  uint32_t channel = b.object();
  std::vector<SelectCase> cases;
  ChannelRecord record;

  explicit ChannelRun(uint32_t capacity, uint32_t peak = 1, bool closed = false)
      : record{mix(5, 7), channel, capacity, peak, 1, closed, 0} {}

  void send(uint32_t line = 20) { b.op(0, Kind::channel_send, channel, line); }
  uint32_t receive(uint32_t line = 30, uint32_t from = kNoEvent) {
    return b.op(other, Kind::channel_receive, channel, line, Outcome::success, from);
  }
  RunSummary run() {
    RunSummary r = b.run();
    r.channels = &record;
    r.channel_count = 1;
    r.select_cases = cases.data();
    r.select_case_count = static_cast<uint32_t>(cases.size());
    return r;
  }
  // Only the features of channels.
  Features features() {
    return features_of([&](Collector& collector) {
      const RunSummary r = run();
      if (r.channel_count != 0) collect_channel_features(r, collector);
    });
  }
};

TEST(ChannelInterest, MadeAndClosedAndDeciles) {
  const auto of = [](uint32_t capacity, uint32_t peak, bool closed) { return ChannelRun(capacity, peak, closed).features(); };
  EXPECT_EQ(of(0, 0, false).size(), 1u);
  EXPECT_EQ(of(20, 5, false).size(), 2u);
  EXPECT_NE(of(0, 0, false), of(0, 0, true));
  EXPECT_EQ(of(20, 4, false), of(20, 5, false));
  EXPECT_NE(of(20, 5, false), of(20, 6, false));
}

// Life and fullness aside: each place of an operation in a state is a feature, and each pair of places that a value went between.
TEST(ChannelInterest, WhatOperationsFindAndLeave) {
  ChannelRun r(2);
  r.send();
  EXPECT_EQ(r.features().size(), 2u + 1);
  r.send();  // the same place leaves it full
  EXPECT_EQ(r.features().size(), 2u + 2);
  r.receive();  // of a full one
  EXPECT_EQ(r.features().size(), 2u + 3);
  r.receive();  // leaves it empty
  EXPECT_EQ(r.features().size(), 2u + 4);
  r.send();  // as the first one
  EXPECT_EQ(r.features().size(), 2u + 4);
  r.b.block(r.other, Kind::channel_send, r.channel, 20);
  EXPECT_EQ(r.features().size(), 2u + 5);
}

TEST(ChannelInterest, FoundClosed) {
  ChannelRun a(0), b(0);
  for (ChannelRun* r : {&a, &b}) r->b.op(0, Kind::channel_close, r->channel, r == &a ? 40 : 41);
  const size_t closed = a.features().size();
  a.b.op(a.other, Kind::channel_receive, a.channel, 30, Outcome::failure);
  EXPECT_EQ(a.features().size(), closed + 1);
}

TEST(ChannelInterest, MessagesAreCountedByTheirPlaces) {
  ChannelRun r(0);
  const auto messages = [&r](int count) {
    for (int i = 0; i < count; ++i) {
      r.send();
      r.receive(30, static_cast<uint32_t>(r.b.events().size() - 1));
    }
    return r.features();
  };
  const Features one = messages(1), five = messages(4);
  EXPECT_EQ(five.size(), one.size());
  std::vector<Features::value_type> same;
  std::set_intersection(one.begin(), one.end(), five.begin(), five.end(), std::back_inserter(same));
  EXPECT_EQ(five.size() - same.size(), 3u);  // the send, the receive, the message
  for (int i = 0; i < 5; ++i) {
    r.send();
    r.receive(31, static_cast<uint32_t>(r.b.events().size() - 1));
  }
  EXPECT_EQ(r.features().size(), five.size() + 2);  // the other receive, and what it gets
}

TEST(ChannelInterest, ASelectCountsAsTheCaseItTook) {
  const auto with = [](CaseDirection direction, uint32_t choice) {
    ChannelRun r(2);
    const uint32_t event = r.b.op(0, Kind::select, r.channel, 20, Outcome::success);
    r.b.events()[event].choice = choice;
    r.cases = {{event, r.channel, 0, static_cast<uint8_t>(direction), 1}};
    return r.features();
  };
  const Features sent = with(CaseDirection::send, 0), received = with(CaseDirection::receive, 0);
  EXPECT_EQ(sent.size(), 3u);
  EXPECT_NE(sent, received);
  EXPECT_EQ(with(CaseDirection::send, kDefaultChoice).size(), 2u);  // nothing happened to the channel
}

TEST(ChannelInterest, NothingOfEarlierRunsIsLeft) {
  ChannelRun closed(0);
  closed.b.op(0, Kind::channel_close, closed.channel, 40);
  closed.features();
  ChannelRun a(0), b(0);
  a.receive();
  b.receive();
  EXPECT_EQ(a.features(), b.features());
  EXPECT_EQ(a.features().size(), 2u);
}

TEST(ChannelInterest, IsPartOfARunsFeatures) {
  ChannelRun r(2);
  r.send();
  static auto collector = std::make_unique<Collector>();
  collector->begin();
  collect_features(r.run(), *collector);
  const uint32_t with = collector->touched();
  RunSummary bare = r.run();
  bare.channel_count = 0;
  collector->begin();
  collect_features(bare, *collector);
  EXPECT_EQ(with, collector->touched() + 3);
}

}  // namespace
}  // namespace heddle::rt
