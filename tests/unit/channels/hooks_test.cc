// The line to the runtime (detail/hooks.h): under control each operation is one call of the
// runtime, with the position of the user's call, and nothing of the real-thread side. The runtime
// here is a small one: one thread, nothing waits.
#include <gtest/gtest.h>
#include <heddle/csp.h>

#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

bool controlled = false;
uint64_t virtual_now = 1'000;

struct Call {
  std::string what;
  void* object;
  void* pc;
  void* frame;
};
std::vector<Call> calls;
std::vector<heddle_channel_case> offered;  // of the last wait
std::set<heddle_channel*> gone;

void note(const char* what, void* object, void* pc, void* frame) {
  calls.push_back({what, object, pc, frame});
}

bool go(heddle_channel_case& c) {
  heddle_channel* channel = c.channel;
  if (channel == nullptr) return false;
  if (channel->due <= virtual_now) {
    if (channel->timer == heddle_timer_closes) channel->closed = 1;
    else if (channel->count == 0) std::memcpy(channel->cells, &virtual_now, 8), channel->count = 1;
    channel->due = channel->period == 0 ? HEDDLE_NEVER : channel->due + channel->period;
  }
  c.result = heddle_case_passed;
  if (c.send != 0) {
    if (channel->closed != 0) return c.result = heddle_case_closed, true;
    if (channel->count == channel->capacity) return false;
    const size_t place = (channel->head + channel->count++) % channel->capacity;
    std::memcpy(channel->cells + place * channel->cell_size, c.cell, channel->cell_size);
    return true;
  }
  if (channel->count == 0) return c.result = heddle_case_closed, channel->closed != 0;
  std::memcpy(c.cell, channel->cells + size_t{channel->head} * channel->cell_size,
              channel->cell_size);
  channel->head = (channel->head + 1) % channel->capacity;
  --channel->count;
  return true;
}

}  // namespace

extern "C" {
int heddle_under_control() { return controlled; }
int32_t heddle_channel_wait(heddle_channel_case* cases, uint32_t count,
                            heddle_channel_operation operation, int otherwise, void* pc,
                            void* frame) {
  const char* const names[] = {"send", "receive", "select"};
  note(names[operation], count == 0 ? nullptr : cases[0].channel, pc, frame);
  offered.assign(cases, cases + count);
  for (uint32_t i = 0; i < count; ++i) {
    if (go(cases[i])) return static_cast<int32_t>(i);
  }
  EXPECT_TRUE(otherwise) << "nothing may wait here";
  return -1;
}
void heddle_channel_made(heddle_channel* channel, void* pc, void* frame) {
  for (uint32_t i = 0; i < channel->capacity; ++i) EXPECT_EQ(channel->notes[i], UINT32_MAX);
  gone.erase(channel);
  note("made", channel, pc, frame);
}
void heddle_channel_gone(heddle_channel* channel) {
  EXPECT_TRUE(gone.insert(channel).second);
  note("gone", channel, nullptr, nullptr);
}
int heddle_channel_close(heddle_channel* channel, void* pc, void* frame) {
  note("close", channel, pc, frame);
  return channel == nullptr ? 2 : std::exchange(channel->closed, 1);
}
uint32_t heddle_channel_size(heddle_channel* channel, void* pc, void* frame) {
  note("size", channel, pc, frame);
  return channel->count;
}
void heddle_channel_touched(heddle_channel* channel) { note("touched", channel, nullptr, nullptr); }
void heddle_timer_set(heddle_channel* channel, int, void* pc, void* frame) { note("timer", channel, pc, frame); }
uint64_t heddle_channel_now() { return virtual_now; }
int heddle_wait_group_add(int64_t* count, int64_t delta, void* pc, void* frame) {
  note("add", count, pc, frame);
  if (*count + delta < 0) return 1;
  *count += delta;
  return 0;
}
void heddle_wait_group_wait(int64_t* count, void* pc, void* frame) {
  note("wait", count, pc, frame);
  EXPECT_EQ(*count, 0);
}
int heddle_once_start(uint32_t* state, void* pc, void* frame) {
  note("once_start", state, pc, frame);
  return *state == 2 ? 0 : 1;
}
void heddle_once_finish(uint32_t* state, int complete, void* pc, void* frame) {
  note("once_finish", state, pc, frame);
  *state = complete != 0 ? 2 : 0;
}
}

namespace {

using namespace std::chrono_literals;

class Hooks : public testing::Test {
 protected:
  void SetUp() override {
    controlled = true;
    calls.clear();
  }
  void TearDown() override { controlled = false; }

  // What was called since the last time.
  static std::vector<std::string> called() {
    std::vector<std::string> names;
    for (const Call& c : calls) names.push_back(c.what);
    calls.clear();
    return names;
  }
};
using Names = std::vector<std::string>;

// Runs f from a place that is known: all calls must name a position in this function, within its
// code.
template <class F>
[[gnu::noinline]] void from_here(F f, size_t wanted) {
  calls.clear();
  f();
  const char* const frame = static_cast<char*>(__builtin_frame_address(0));
  ASSERT_GE(calls.size(), wanted);
  for (const Call& c : calls) {
    if (c.pc == nullptr) continue;
    // The frame is that of the library's function, which lies below the caller's.
    EXPECT_LT(static_cast<char*>(c.frame), frame) << c.what;
    EXPECT_GT(static_cast<char*>(c.frame) + 4096, frame) << c.what;
  }
}

// One position, even if the compiler changes the loops; and no tail call, whose position would be the caller's.
[[gnu::noinline]] void receive_here(const heddle::chan<int>& c) {
  c.try_receive();
  asm volatile("");
}

TEST_F(Hooks, EachOperationIsOneCall) {
  auto c = heddle::make_chan<int>(2);
  EXPECT_EQ(called(), Names{"made"});
  c.send(1);
  EXPECT_EQ(called(), Names{"send"});
  EXPECT_EQ(c.size(), 1u);
  EXPECT_EQ(called(), Names{"size"});
  EXPECT_EQ(c.receive(), 1);
  EXPECT_EQ(called(), Names{"receive"});
  EXPECT_TRUE(c.try_send(2));
  EXPECT_EQ(called(), Names{"send"});
  EXPECT_EQ(c.try_receive(), 2);
  EXPECT_EQ(c.try_receive(), std::nullopt);
  EXPECT_EQ(called(), (Names{"receive", "receive"}));
  c.close();
  EXPECT_EQ(called(), Names{"close"});
  for (int i : c) ADD_FAILURE() << i;
  EXPECT_EQ(called(), Names{"receive"});
  auto copy = c;
  c = nullptr;
  EXPECT_EQ(called(), Names{});
  copy = nullptr;
  EXPECT_EQ(called(), Names{"gone"});
}

TEST_F(Hooks, WhatTheRuntimeRefusesIsThrown) {
  auto c = heddle::make_chan<int>(1);
  c.close();
  EXPECT_THROW(c.close(), heddle::channel_error);
  EXPECT_THROW(c.send(1), heddle::channel_error);
  EXPECT_THROW(heddle::chan<int>().close(), heddle::channel_error);
  EXPECT_EQ(called(), (Names{"made", "close", "close", "send", "close"}));
  heddle::wait_group all;
  EXPECT_THROW(all.done(), std::logic_error);
}

TEST_F(Hooks, ASelectOffersItsCasesInOrder) {
  auto a = heddle::make_chan<int>(1), b = heddle::make_chan<int>(1);
  called();
  EXPECT_EQ(heddle::select(heddle::on_receive(a), heddle::otherwise(), heddle::on_send(b, 5)), 2u);
  EXPECT_EQ(called(), Names{"select"});
  ASSERT_EQ(offered.size(), 2u);
  EXPECT_EQ(offered[0].channel, heddle::detail::Access::state(a));
  EXPECT_EQ(offered[0].send, 0);
  EXPECT_EQ(offered[1].send, 1);
  EXPECT_EQ(heddle::select(heddle::on_receive(a), heddle::on_receive(heddle::chan<int>()),
                           heddle::otherwise()),
            2u);
  EXPECT_EQ(offered[1].channel, nullptr);
  heddle::selector s;
  s.otherwise();
  s.receive(a);
  s.receive(b);
  EXPECT_EQ(s.wait(), 2u);
  s.clear();
  s.otherwise();
  EXPECT_EQ(s.wait(), 0u);
  EXPECT_TRUE(offered.empty());
}

TEST_F(Hooks, CallsNameTheUsersPosition) {
  auto c = heddle::make_chan<int>(4);
  heddle::wait_group all;
  heddle::once once;
  from_here(
      [&] {
        c.send(1);
        c.try_send(2);
        c.receive();
        heddle::select(heddle::on_receive(c), heddle::on_send(c, 1));
        c.close();
        c.size();
        all.add(1);
        all.done();
        all.wait();
        once.call([] {});
        heddle::after(1s);
        heddle::with_cancel({}).cancel();
      },
      14);
  // Two calls from two lines have two positions, one call from one line has one.
  std::set<void*> positions;
  calls.clear();
  for (int i = 0; i < 3; ++i) receive_here(c);
  c.try_receive();
  for (const Call& call : calls) positions.insert(call.pc);
  EXPECT_EQ(positions.size(), 2u);
}

TEST_F(Hooks, NumbersAreToldFromOtherValues) {
  enum class Colour { red };
  const auto numbers = [](const auto& c) { return heddle::detail::Access::state(c)->numbers; };
  EXPECT_EQ(numbers(heddle::make_chan<int>()), 1);
  EXPECT_EQ(numbers(heddle::make_chan<double>()), 1);
  EXPECT_EQ(numbers(heddle::make_chan<Colour>()), 1);
  EXPECT_EQ(numbers(heddle::make_chan<std::string>()), 0);
  EXPECT_EQ(numbers(heddle::make_chan<std::pair<int, int>>()), 0);
}

TEST_F(Hooks, LeftoversAreDestroyedAfterTheRuntimeWasTold) {
  struct Noting {
    bool live;
    explicit Noting(bool l) : live(l) {}
    Noting(Noting&& other) noexcept : live(std::exchange(other.live, false)) {}
    Noting& operator=(Noting&&) = default;
    ~Noting() {
      if (live) note("destroyed", nullptr, nullptr, nullptr);
    }
  };
  auto c = heddle::make_chan<Noting>(2);
  c.send(Noting(true));
  c.send(Noting(true));
  called();
  c = nullptr;
  EXPECT_EQ(called(), (Names{"gone", "destroyed", "destroyed"}));
}

TEST_F(Hooks, TimersLiveInVirtualTime) {
  auto c = heddle::after(1h);
  EXPECT_EQ(heddle::detail::Access::state(c)->due, virtual_now + 3'600'000'000'000);
  EXPECT_EQ(heddle::detail::Access::state(c)->timer, heddle_timer_sends);
  EXPECT_FALSE(c.try_receive());
  virtual_now += 3'600'000'000'000;
  EXPECT_EQ(c.try_receive(), heddle::time_point(heddle::time_point::duration(virtual_now)));
  heddle::ticker every(1s);
  EXPECT_EQ(heddle::detail::Access::state(every.channel())->period, 1'000'000'000u);
  called();
  every.stop();
  EXPECT_EQ(called(), Names{"timer"});
  heddle::timer t(1s);
  EXPECT_TRUE(t.reset(2s));
  EXPECT_EQ(heddle::detail::Access::state(t.channel())->due, virtual_now + 2'000'000'000);
}

TEST_F(Hooks, CancelClosesFromTheTopAndOnce) {
  auto [outer, cancel_outer] = heddle::with_timeout(heddle::context::background(), 1h);
  auto [inner, cancel_inner] = heddle::with_cancel(outer);
  EXPECT_EQ(heddle::detail::Access::state(inner.done())->timer, heddle_timer_closes);
  calls.clear();
  cancel_outer();
  std::vector<void*> closed;
  for (const Call& c : calls) {
    if (c.what == "close") closed.push_back(c.object);
  }
  EXPECT_EQ(closed, (std::vector<void*>{heddle::detail::Access::state(outer.done()),
                                        heddle::detail::Access::state(inner.done())}));
  calls.clear();
  cancel_inner();
  cancel_outer();
  EXPECT_EQ(called(), Names{});
  EXPECT_EQ(inner.error(), heddle::context_error::canceled);
  EXPECT_EQ(called(), Names{"receive"});
}

TEST_F(Hooks, ADeadlineThatHasPassedIsNotClosedAgain) {
  auto [outer, cancel] = heddle::with_timeout(heddle::context::background(), 1s);
  virtual_now += 1'000'000'000;
  called();
  cancel();
  EXPECT_EQ(called(), Names{});
  EXPECT_EQ(outer.error(), heddle::context_error::deadline_exceeded);
}

TEST_F(Hooks, OnceFinishesAlsoByAnException) {
  heddle::once o;
  EXPECT_THROW(o.call([] { throw 1; }), int);
  o.call([] {});
  o.call([] { ADD_FAILURE(); });
  EXPECT_EQ(called(),
            (Names{"once_start", "once_finish", "once_start", "once_finish", "once_start"}));
}

TEST_F(Hooks, OutsideOfControlNothingIsCalled) {
  controlled = false;
  auto c = heddle::make_chan<int>();
  std::jthread sender([&] { c.send(1); });
  EXPECT_EQ(c.receive(), 1);
  c.close();
  heddle::wait_group all;
  all.go([] {});
  all.wait();
  heddle::once().call([] {});
  c = nullptr;
  EXPECT_EQ(called(), Names{});
}

}  // namespace
