#include "analyses/report/names.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <iterator>
#include <string>

#include "analyses/report/operation_text.h"
#include "analyses/report/thread_local_name.h"
#include "run_builder.h"
#include "trace/live_state.h"

namespace a_namespace_with_a_long_name::and_another_one_in_it {
int counter = 0;
}
int short_name = 0;

namespace heddle::rt {
namespace {

using testing::RunBuilder;

uint32_t g_long = 0, g_short = 0;

uintptr_t address_of(uint32_t object) {
  if (object == g_long) return reinterpret_cast<uintptr_t>(&a_namespace_with_a_long_name::and_another_one_in_it::counter);
  return object == g_short ? reinterpret_cast<uintptr_t>(&short_name) : 0;
}

TEST(Names, OfVariablesStandInTheTableUnlessTheyFillIt) {
  RunBuilder b;
  g_long = b.object(), g_short = b.object();
  b.op(0, Kind::atomic_store, g_long, 3);
  b.op(0, Kind::atomic_store, g_short, 4);
  const LiveState before = live_state();
  LiveState state = before;
  state.object_address = address_of;
  set_live_state(state);
  forget_names();
  EXPECT_STREQ(object_name(b.run(), g_short), "short_name");
  EXPECT_STREQ(object_name(b.run(), g_long), "A1");
  Text origin;
  origin.clear();
  put_object_origin(origin, b.run(), g_long);
  EXPECT_NE(origin.view().find("a global variable, a_namespace_with_a_long_name::and_another_one_in_it::counter,"), std::string_view::npos)
      << origin.view();
  set_live_state(before);
  forget_names();
}

std::string words_of(RunBuilder& b, uint32_t event) {
  Text text;
  text.clear();
  forget_names();
  put_operation(text, b.run(), b.events()[event], event);
  return std::string(text.view());
}

TEST(Names, OfSignals) {
  RunBuilder b;
  const uint32_t signals = b.object();
  const auto op = [&](Kind kind, int number) {
    const uint32_t event = b.op(0, kind, signals, 3);
    b.events()[event].value = static_cast<uint32_t>(number);
    return event;
  };
  const uint32_t handles = op(Kind::signal_handle, SIGALRM), sends = op(Kind::signal_send, SIGUSR1), waits = op(Kind::signal_wait, SIGRTMIN + 2);
  const uint32_t open = b.block(0, Kind::signal_wait, signals, 4);
  EXPECT_EQ(words_of(b, handles), "handle SIGALRM");
  EXPECT_EQ(words_of(b, sends), "send SIGUSR1");
  EXPECT_EQ(words_of(b, waits), "wait for SIGRTMIN+2");
  EXPECT_EQ(words_of(b, open), "wait for a signal");
}

TEST(Names, OfOperationsOnSemaphoresSayTheCount) {
  RunBuilder b;
  const uint32_t s = b.object();
  const auto op = [&](Kind kind, uint32_t count, Outcome outcome) {
    const uint32_t event = b.op(0, kind, s, 3, outcome);
    b.events()[event].value = count;
    return event;
  };
  const uint32_t post = op(Kind::semaphore_post, 2, Outcome::none), wait = op(Kind::semaphore_wait, 1, Outcome::none);
  const uint32_t takes = op(Kind::semaphore_trywait, 0, Outcome::success), fails = op(Kind::semaphore_trywait, 0, Outcome::failure);
  const uint32_t late = op(Kind::semaphore_wait, 0, Outcome::timeout);
  EXPECT_EQ(words_of(b, post), "post S1: 1 -> 2");
  EXPECT_EQ(words_of(b, wait), "wait S1: 2 -> 1");
  EXPECT_EQ(words_of(b, takes), "trywait S1: 1 -> 0");
  EXPECT_EQ(words_of(b, fails), "trywait S1: failed");
  EXPECT_EQ(words_of(b, late), "wait S1: timed out");
}

TEST(Names, TellObjectsWithOneLabelApart) {
  RunBuilder b;
  g_long = b.object(), g_short = b.object();
  b.op(0, Kind::descriptor_read, g_long, 3);
  b.op(0, Kind::descriptor_read, g_short, 4);
  const LiveState before = live_state();
  LiveState state = before;
  state.object_label = [](uint32_t object) { return object == g_long || object == g_short ? "pipe 4->3" : nullptr; };
  set_live_state(state);
  forget_names();
  EXPECT_STREQ(object_name(b.run(), g_long), "pipe 4->3");
  EXPECT_STREQ(object_name(b.run(), g_short), "pipe 4->3 (2)");
  set_live_state(before);
  forget_names();
}

// A wait on an atomic variable has an object of its own. The variable has the name, and no number is missing in the report.
TEST(Names, OfBothHalvesAreOne) {
  RunBuilder b;
  const uint32_t variable = b.object(), its_waiters = b.object();
  g_short = b.object();  // a word elsewhere
  b.op(0, Kind::atomic_load, variable, 3);
  b.op(0, Kind::futex_wait, its_waiters, 4);
  b.op(0, Kind::futex_wait, g_short, 5);
  const LiveState before = live_state();
  LiveState state = before;
  state.object_address = [](uint32_t object) -> uintptr_t { return object == g_short ? 0x9000 : 0x8000; };
  set_live_state(state);
  forget_names();
  EXPECT_STREQ(object_name(b.run(), variable), "A1");
  EXPECT_STREQ(object_name(b.run(), its_waiters), "A1");
  EXPECT_STREQ(object_name(b.run(), g_short), "F1");
  set_live_state(before);
  forget_names();
}

// The first name that a process asks for is the same as all later ones. (ctest runs each test in a process of its own.)
TEST(Names, AskedForFirst) {
  RunBuilder b;
  const uint32_t variable = b.object(), its_waiters = b.object();
  g_short = b.object();
  b.op(0, Kind::atomic_load, variable, 3);
  b.op(0, Kind::futex_wait, its_waiters, 4);
  b.op(0, Kind::atomic_load, g_short, 5);
  const LiveState before = live_state();
  LiveState state = before;
  state.object_address = [](uint32_t object) -> uintptr_t { return object == g_short ? 0x9000 : 0x8000; };
  set_live_state(state);
  forget_names();
  EXPECT_STREQ(object_name(b.run(), g_short), "A2");
  forget_names();
  EXPECT_STREQ(object_name(b.run(), g_short), "A2");
  set_live_state(before);
  forget_names();
}

TEST(Names, OfWhatIsOnlyAboutToBeUsed) {
  RunBuilder b;
  g_short = b.object();
  const LiveState before = live_state();
  LiveState state = before;
  state.pending = [](uint32_t thread, Event& event, uint32_t&) {
    event = {};
    event.kind = Kind::plain_read;
    event.object = g_short;
    return thread == 0;
  };
  set_live_state(state);
  forget_names();
  EXPECT_STREQ(object_name(b.run(), g_short), "P1");
  EXPECT_EQ(object_noun(b.run(), g_short), "variable");
  state.pending = before.pending;
  set_live_state(state);
  forget_names();
  EXPECT_EQ(object_noun(b.run(), g_short), "object");
  set_live_state(before);
  forget_names();
}

TEST(Names, ALiteralIsNoVariable) {
  RunBuilder b;
  g_short = b.object();
  b.op(0, Kind::plain_read, g_short, 3);
  const LiveState before = live_state();
  LiveState state = before;
  state.object_address = [](uint32_t) { return reinterpret_cast<uintptr_t>("a literal"); };
  set_live_state(state);
  forget_names();
  Text origin;
  origin.clear();
  put_object_origin(origin, b.run(), g_short);
  EXPECT_EQ(origin.view().substr(0, 39), "constant of the program, first used at ");
  set_live_state(before);
  forget_names();
}

TEST(Names, SayWhoseVariableItIs) {
  RunBuilder b;
  g_long = b.object(), g_short = b.object();
  b.op(0, Kind::plain_read, g_long, 3);
  b.op(0, Kind::plain_read, g_short, 4);
  const LiveState before = live_state();
  LiveState state = before;
  state.object_address = [](uint32_t object) { return object == g_long ? uintptr_t{120} : object == g_short ? uintptr_t{180} : 0; };
  state.stack = [](uint32_t, uintptr_t& low, uintptr_t& high) { return low = 100, high = 200, true; };
  state.is_thread_local = [](uint32_t, uintptr_t address) { return address >= 150; };
  set_live_state(state);
  forget_names();
  Text text;
  text.clear();
  put_object_origin(text, b.run(), g_long);
  text.put("; ");
  put_object_origin(text, b.run(), g_short);
  EXPECT_EQ(text.view().find("variable on the stack of main, first used at "), 0) << text.view();
  EXPECT_NE(text.view().find("; variable, thread-local to main, first used at "), text.view().npos) << text.view();
  set_live_state(before);
  forget_names();
}

TEST(Names, OfThreadLocalVariables) {
  RunBuilder b;
  const LiveState before = live_state();
  LiveState state = before;
  state.thread_local_at = [](uint32_t, uintptr_t address, uintptr_t& offset_within) -> const char* {
    constexpr const char* kNames[] = {"errno", "_ZZ4minevE1c", "_ZN12_GLOBAL__N_17counterE"};
    offset_within = address % 100;
    return address / 100 < std::size(kNames) ? kNames[address / 100] : nullptr;
  };
  set_live_state(state);
  char name[64];
  const auto name_at = [&](uintptr_t address) { return name_thread_local(b.run(), address, name, sizeof name) ? std::string(name) : "none"; };
  EXPECT_EQ(name_at(0), "errno of main");
  EXPECT_EQ(name_at(100), "c of main");
  EXPECT_EQ(name_at(204), "counter+4 of main");
  EXPECT_EQ(name_at(300), "none");
  set_live_state(before);
}

}  // namespace
}  // namespace heddle::rt
