// flatc's accessors read each field of the hand-written records where it was written.
#include <gtest/gtest.h>

#include <cstring>

#include "schedule_generated.h"
#include "schema/event.h"
#include "schema/schedule.h"
#include "trace_generated.h"

namespace heddle {
namespace {

template <typename To, typename From>
To as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}

constexpr Element kElement{1, 2, 3, 4, 5, Kind::mutex_lock, 6, 7, {}};

TEST(Layout, Schedule) {
  const auto e = as<fbs::Element>(kElement);
  EXPECT_EQ(e.thread(), 1u);
  EXPECT_EQ(e.site(), 2u);
  EXPECT_EQ(e.object(), 3u);
  EXPECT_EQ(e.occurrence(), 4u);
  EXPECT_EQ(e.context(), 5u);
  EXPECT_EQ(e.kind(), 10);
  EXPECT_EQ(e.chain(), 6);
  EXPECT_EQ(e.thread_var(), 7);
  const auto r = as<fbs::ReadsFrom>(ReadsFrom{{}, kElement, 8, 9, {}});
  EXPECT_EQ(r.write().thread_var(), 7);
  EXPECT_EQ(r.negative(), 8);
  EXPECT_EQ(r.shield(), 9);
  const auto p = as<fbs::SelectPreference>(SelectPreference{1, 2, 3, -4, Kind::select, {}});
  EXPECT_EQ(p.thread(), 1u);
  EXPECT_EQ(p.site(), 2u);
  EXPECT_EQ(p.instance(), 3u);
  EXPECT_EQ(p.choice(), -4);
  EXPECT_EQ(p.kind(), 103);
  EXPECT_EQ(as<fbs::Delay>(Delay{{}, kElement}).until().site(), 2u);
  const auto g = as<fbs::GraphNode>(GraphNode{1, 2, 3, 4, 5, Kind::select, 6, {}});
  EXPECT_EQ(g.thread(), 1u);
  EXPECT_EQ(g.site(), 2u);
  EXPECT_EQ(g.from_thread(), 3u);
  EXPECT_EQ(g.index(), 4u);
  EXPECT_EQ(g.from_index(), 5u);
  EXPECT_EQ(g.kind(), 103);
  EXPECT_EQ(g.order(), 6);
  EXPECT_EQ(as<fbs::ThreadWeight>(ThreadWeight{1, 2, 0}).count(), 2u);
}

TEST(Layout, Trace) {
  const auto e = as<fbs::Event>(Event{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, Kind::mutex_lock,
                                      MemoryOrder::plain, Outcome::timeout, 12, 0});
  EXPECT_EQ(e.site(), 1u);
  EXPECT_EQ(e.thread(), 2u);
  EXPECT_EQ(e.object(), 3u);
  EXPECT_EQ(e.occurrence(), 4u);
  EXPECT_EQ(e.context(), 5u);
  EXPECT_EQ(e.req(), 6u);
  EXPECT_EQ(e.done(), 7u);
  EXPECT_EQ(e.partner(), 8u);
  EXPECT_EQ(e.value(), 9u);
  EXPECT_EQ(e.choice(), 10u);
  EXPECT_EQ(e.pc_index(), 11u);
  EXPECT_EQ(e.kind(), 10);
  EXPECT_EQ(e.order(), 255);
  EXPECT_EQ(e.outcome(), 3);
  EXPECT_EQ(e.flags(), 12);
  const auto t = as<fbs::ThreadRecord>(ThreadRecord{1, 2, 3, 4, 5, {}});
  EXPECT_EQ(t.parent(), 2u);
  EXPECT_EQ(t.create_event(), 3u);
  EXPECT_EQ(t.blocked_on(), 4u);
  EXPECT_EQ(t.state(), 5);
  EXPECT_EQ(as<fbs::ObjectRecord>(ObjectRecord{1, 2, 3}).first_event(), 3u);
  EXPECT_EQ(as<fbs::SiteRecord>(SiteRecord{1, 2}).module_offset(), 2u);
  const auto p = as<fbs::RacingPair>(RacingPair{1, 2, 3, 4, 5, Kind::mutex_lock, Kind::atomic_cas});
  EXPECT_EQ(p.object_hash(), 3u);
  EXPECT_EQ(p.first_writes(), 4);
  EXPECT_EQ(p.second_writes(), 5);
  EXPECT_EQ(p.first_kind(), static_cast<uint8_t>(Kind::mutex_lock));
  EXPECT_EQ(p.second_kind(), static_cast<uint8_t>(Kind::atomic_cas));
  EXPECT_EQ(as<fbs::ChainResult>(ChainResult{1, 2}).realised(), 2u);
  const auto c = as<fbs::Comparison>(Comparison{1, 2, 3, {4, 5}, 6, {{7, 8}, {9}}});
  EXPECT_EQ(c.place(), 1u);
  EXPECT_EQ(c.kind(), 2u);
  EXPECT_EQ(c.nth(), 3u);
  EXPECT_EQ(c.size()->Get(1), 5u);
  EXPECT_EQ(c.near(), 6u);
  EXPECT_EQ(c.side()->Get(1), 8u);
  EXPECT_EQ(c.side()->Get(Comparison::kLongest), 9u);
}

}  // namespace
}  // namespace heddle
