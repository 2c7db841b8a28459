// Where signal handlers ran, as conditions and in words.
#include "harness/cli/interruptions.h"

#include <gtest/gtest.h>

#include "harness/cli/explanation_text.h"
#include "harness/cli/run_condition.h"

namespace heddle::cli {
namespace {

Event made(uint32_t thread, Kind kind, SiteId site, uint32_t value = 0) {
  Event e = {};
  e.thread = thread;
  e.kind = kind;
  e.site = site;
  e.value = value;
  e.occurrence = e.done = 1;
  e.partner = kNoEvent;
  return e;
}

// A handler that another thread's signal starts has the position of what it interrupts.
TEST(Interruptions, WhereAHandlerRanIsBetweenTwoOperationsOfItsThread) {
  StoredTrace run;
  run.threads.resize(2);
  run.threads[0].id = kMainThread;
  run.threads[1].id = child_thread(kMainThread, 0);
  run.objects.resize(1);
  constexpr uint32_t kSignal = 10, kOtherSignal = 12;
  run.events = {made(0, Kind::plain_read, 1), made(1, Kind::signal_send, 2, kSignal), made(1, Kind::signal_send, 3, kOtherSignal),
                made(0, Kind::signal_handle, 4, kSignal), made(0, Kind::plain_write, 5), made(0, Kind::plain_write, 4)};
  const std::vector<Order> orders = orders_of_interruptions(run);
  ASSERT_EQ(orders.size(), 3u);
  EXPECT_EQ(orders[0], (Order{element_of(run, run.events[0]), element_of(run, run.events[1])}));
  EXPECT_EQ(orders[1], (Order{element_of(run, run.events[1]), element_of(run, run.events[5])}));
  EXPECT_EQ(orders[2], (Order{element_of(run, run.events[3]), element_of(run, run.events[5])}));
  EXPECT_TRUE(is_interruption(orders[2]));
  EXPECT_FALSE(is_interruption(orders[0]) || is_interruption(orders[1]) || can_be_demanded(Condition(orders[2])));
  EXPECT_TRUE(RunIndex(run, true).holds(orders[2]));
  run.events[1].thread = run.events[2].thread = 0;  // the thread's own signal comes where its program has it
  EXPECT_TRUE(orders_of_interruptions(run).empty());
}

TEST(Interruptions, AHandlerRunsBeforeTheOperationAtItsPosition) {
  Explanation e;
  e.found = true;
  e.with = {20, 20};
  e.opposite.resize(1);
  e.conditions = {Order{Element{.thread = child_thread(kMainThread, 0), .site = 1, .occurrence = 1, .kind = Kind::signal_send},
                        Element{.thread = kMainThread, .site = 2, .occurrence = 1, .kind = Kind::signal_handle}}};
  EXPECT_NE(explanation_text(e, {}, {}).find("the run of the handler at 0x0000000000000002 (main) comes right before the operation there"), std::string::npos)
      << explanation_text(e, {}, {});
}

// The signal can be sent long before the handler runs: what is said is where it runs.
TEST(Interruptions, InWords) {
  Explanation e;
  e.found = true;
  e.with = {20, 20};
  e.without = {20, 0};
  e.opposite.resize(1);
  const Element handler = {.thread = kMainThread, .site = 2, .occurrence = 1, .kind = Kind::signal_handle};
  Element read = handler;
  read.kind = Kind::descriptor_read;
  e.conditions = {Order{handler, read}};
  const std::string text = explanation_text(e, {}, {});
  EXPECT_NE(text.find("if and only if a signal handler runs in main right before the read at 0x0000000000000002 (main)"), std::string::npos) << text;
  EXPECT_NE(text.find("no schedule can demand it"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::cli
