// The tracker as it goes along, where the number of messages under way matters.
#include <gtest/gtest.h>

#include "order/clock_rules.h"
#include "order/owned_memory.h"

namespace heddle::order {
namespace {

constexpr uint32_t kChannel = 1, kCondition = 2;

struct Online {
  OwnedMemory memory;
  ClockTracker tracker{Relation::strong, memory.memory()};
  uint32_t events = 0;
  std::vector<uint32_t> epochs;

  uint32_t add(uint32_t thread, Kind kind, uint32_t object, uint32_t partner = kNoEvent, Outcome outcome = Outcome::none,
               uint32_t with = kNoThread) {
    epochs.resize(events);
    epochs.push_back(tracker.apply({.thread = thread, .object = object, .kind = kind, .outcome = outcome, .event = events,
                                    .partner = partner, .partner_thread = with}));
    return events++;
  }
  bool knows(uint32_t thread, uint32_t sender, uint32_t event) { return tracker.in_past(sender, epochs[event], thread); }
};

// Each receiver learns only of the sender of its own value. Each later sender learns of the receiver that made room. At any capacity.
TEST(Messages, AreToldApartAtAnyCapacity) {
  for (uint32_t capacity : {1u, 15u, 16u, 17u, 100u, 1000u}) {
    Online o;
    std::vector<uint32_t> sends, receives, later;
    const uint32_t receiver = capacity, third = 2 * capacity;
    for (uint32_t i = 0; i < capacity; ++i) sends.push_back(o.add(i, Kind::channel_send, kChannel));
    for (uint32_t i = 0; i < capacity; ++i) receives.push_back(o.add(receiver + i, Kind::channel_receive, kChannel, sends[i]));
    for (uint32_t i = 0; i < capacity; ++i) later.push_back(o.add(third + i, Kind::channel_send, kChannel, receives[i]));
    for (uint32_t i = 0; i < capacity; ++i) {
      const uint32_t j = (i + 1) % capacity;
      ASSERT_TRUE(o.knows(receiver + i, i, sends[i])) << i << " of " << capacity;
      ASSERT_TRUE(o.knows(third + i, receiver + i, receives[i])) << i << " of " << capacity;
      if (i == j) continue;
      ASSERT_FALSE(o.knows(receiver + i, j, sends[j])) << i << " of " << capacity;
      ASSERT_FALSE(o.knows(third + i, receiver + j, receives[j])) << i << " of " << capacity;
    }
  }
}

// However many values pass, there are no more clocks than slots.
TEST(Messages, NeedMemoryForTheSlotsOnly) {
  Online o;
  constexpr uint32_t kCapacity = 40;
  std::vector<uint32_t> notes(kCapacity, kNoEvent);
  size_t bytes = 0;
  for (uint32_t i = 0; i < 10000; ++i) {
    uint32_t& note = notes[i % kCapacity];
    note = o.add(0, Kind::channel_send, kChannel, note);
    note = o.add(1, Kind::select, kChannel, note);
    o.add(1, Kind::channel_receive, kChannel, kNoEvent, Outcome::failure);  // nothing there
    o.tracker.apply({.thread = 1, .object = kChannel, .kind = Kind::select, .event = o.events++, .choice = kDefaultChoice});
    if (i == kCapacity) bytes = o.memory.bytes();
  }
  EXPECT_EQ(o.memory.bytes(), bytes);
}

// A close is remembered, no matter what is sent before it and after it was seen.
TEST(Messages, ACloseIsKept) {
  Online o;
  std::vector<uint32_t> sends;
  for (uint32_t i = 0; i < 40; ++i) sends.push_back(o.add(0, Kind::channel_send, kChannel));
  const uint32_t close = o.add(1, Kind::channel_close, kChannel);
  for (uint32_t i = 0; i < 40; ++i) o.add(2, Kind::channel_receive, kChannel, sends[i]);
  EXPECT_FALSE(o.knows(2, 1, close));
  o.add(3, Kind::select, kChannel, close, Outcome::failure);
  EXPECT_TRUE(o.knows(3, 1, close));
  EXPECT_FALSE(o.knows(3, 0, sends[0]));
}

// Several rendezvous of one channel may be under way, and end in another order than they began.
TEST(Messages, RendezvousUnderWayAreToldApart) {
  Online o;
  const uint32_t past_of_2 = o.add(2, Kind::yield, 0), past_of_3 = o.add(3, Kind::yield, 0);
  const uint32_t a = o.add(0, Kind::channel_send, kChannel, kNoEvent, Outcome::none, 2);
  const uint32_t b = o.add(1, Kind::channel_send, kChannel, kNoEvent, Outcome::none, 3);
  EXPECT_TRUE(o.knows(0, 2, past_of_2));
  EXPECT_FALSE(o.knows(0, 3, past_of_3));
  EXPECT_FALSE(o.knows(2, 0, a));  // its half is not over
  o.add(3, Kind::channel_receive, kChannel, b);
  o.add(2, Kind::channel_receive, kChannel, a);
  EXPECT_TRUE(o.knows(2, 0, a));
  EXPECT_FALSE(o.knows(2, 1, b));
  EXPECT_TRUE(o.knows(3, 1, b));
  EXPECT_FALSE(o.knows(3, 0, a));
}

// A condition variable distinguishes the last sixteen notifications. A thread that an earlier one has woken joins all earlier ones.
TEST(Messages, LateWakersMayLearnMoreButNeverLess) {
  Online o;
  std::vector<uint32_t> signals;
  for (uint32_t i = 0; i < 20; ++i) signals.push_back(o.add(i, Kind::cond_signal, kCondition));
  o.add(30, Kind::cond_wake, kCondition, signals[10], Outcome::signalled);
  EXPECT_TRUE(o.knows(30, 10, signals[10]));
  EXPECT_FALSE(o.knows(30, 11, signals[11]));
  EXPECT_FALSE(o.knows(30, 0, signals[0]));
  o.add(31, Kind::cond_wake, kCondition, signals[0], Outcome::signalled);
  EXPECT_TRUE(o.knows(31, 0, signals[0]));
  EXPECT_FALSE(o.knows(31, 10, signals[10]));
}

}  // namespace
}  // namespace heddle::order
