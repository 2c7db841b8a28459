// Timers as channels, as Go's time.After, time.Timer and time.Ticker.
//
//   heddle::select(heddle::on_receive(answers, use),
//                  heddle::on_receive(heddle::after(1s), give_up));
//
//   heddle::ticker every(100ms);
//   for (auto at : every.channel()) poll(at);
//
// The value in the channel is the time at which the timer put it there. No thread stands behind a
// timer: it costs only its channel, and you can drop it without stop(). A duration that does not
// fit into 64 bits of nanoseconds never ends. A negative one ends at once. Any thread can use a
// timer, as a channel.
#ifndef HEDDLE_TIMER_H_
#define HEDDLE_TIMER_H_

#include <heddle/detail/cpp20.h>

#ifdef HEDDLE_CPP20

#include <heddle/chan.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>

namespace heddle {

using time_point = std::chrono::steady_clock::time_point;

namespace detail {

static_assert(sizeof(time_point) == 8 &&
                  std::is_same_v<time_point::duration, std::chrono::nanoseconds>,
              "a timer's cell is the time in nanoseconds");

template <class Rep, class Period>
HEDDLE_UNSEEN uint64_t nanoseconds_of(const std::chrono::duration<Rep, Period>& d) {
  using Scale = std::ratio_divide<Period, std::nano>;
  const long double ns = static_cast<long double>(d.count()) * Scale::num / Scale::den;
  if (!(ns > 0)) return 0;
  return ns < 9.2e18L ? static_cast<uint64_t>(ns) : HEDDLE_NEVER;
}

HEDDLE_UNSEEN inline uint64_t from_now(uint64_t nanoseconds) {
  const uint64_t start = now();
  return nanoseconds < HEDDLE_NEVER - start ? start + nanoseconds : HEDDLE_NEVER;
}

HEDDLE_UNSEEN inline ChannelState* make_timer(uint64_t after, uint64_t period, Caller caller) {
  const ChannelKind kind{sizeof(time_point), false,           nullptr,
                         heddle_timer_sends, from_now(after), period};
  return make_channel(1, kind, caller);
}

// True if the timer had not acted yet, or its value was not received. That value is dropped.
HEDDLE_UNSEEN inline bool set_timer(ChannelState& channel, uint64_t due, uint64_t period) {
  if (!under_control()) return real::set_timer(channel, due, period);
  const bool pending = channel.due != HEDDLE_NEVER || channel.count != 0;
  channel.count = 0;
  channel.due = due;
  channel.period = period;
  heddle_channel_touched(&channel);
  return pending;
}

// The period of a ticker.
HEDDLE_UNSEEN inline uint64_t period_of(uint64_t nanoseconds) {
  if (nanoseconds == 0) throw std::invalid_argument("heddle::ticker: the period must be positive");
  return nanoseconds;
}

}  // namespace detail

// Returns a channel that receives the time once, when `d` has passed.
template <class Rep, class Period>
[[gnu::noinline]] HEDDLE_UNSEEN chan<time_point> after(
    const std::chrono::duration<Rep, Period>& d) {
  return detail::Access::own<time_point>(
      detail::make_timer(detail::nanoseconds_of(d), 0, HEDDLE_CALLER));
}

// The same, but it can be stopped and reset. A copy is the same timer.
class timer {
 public:
  template <class Rep, class Period>
  [[gnu::noinline]] HEDDLE_UNSEEN explicit timer(const std::chrono::duration<Rep, Period>& d)
      : channel_(detail::Access::own<time_point>(
            detail::make_timer(detail::nanoseconds_of(d), 0, HEDDLE_CALLER))) {}
  HEDDLE_UNSEEN timer(const timer& other) noexcept : channel_(other.channel_) {}
  HEDDLE_UNSEEN timer& operator=(const timer& other) noexcept {
    channel_ = other.channel_;
    return *this;
  }
  HEDDLE_UNSEEN ~timer() {}

  HEDDLE_UNSEEN const chan<time_point>& channel() const noexcept { return channel_; }

  // Stops the timer. No value comes after that; a value that is already in the channel is dropped.
  // False if there was nothing to stop: the value was received, or the timer was not running.
  HEDDLE_UNSEEN bool stop() {
    return detail::set_timer(*detail::Access::state(channel_), HEDDLE_NEVER, 0);
  }
  // Stops it, as stop() does, and starts it again.
  template <class Rep, class Period>
  HEDDLE_UNSEEN bool reset(const std::chrono::duration<Rep, Period>& d) {
    return detail::set_timer(*detail::Access::state(channel_),
                             detail::from_now(detail::nanoseconds_of(d)), 0);
  }

 private:
  chan<time_point> channel_;
};

// Its channel receives the time once in every period. A receiver that comes late gets one tick, not
// all that it missed. A copy is the same ticker.
class ticker {
 public:
  // Throws std::invalid_argument for a period that is not positive.
  template <class Rep, class Period>
  [[gnu::noinline]] HEDDLE_UNSEEN explicit ticker(const std::chrono::duration<Rep, Period>& period)
      : channel_(start(detail::period_of(detail::nanoseconds_of(period)), HEDDLE_CALLER)) {}
  HEDDLE_UNSEEN ticker(const ticker& other) noexcept : channel_(other.channel_) {}
  HEDDLE_UNSEEN ticker& operator=(const ticker& other) noexcept {
    channel_ = other.channel_;
    return *this;
  }
  HEDDLE_UNSEEN ~ticker() {}

  HEDDLE_UNSEEN const chan<time_point>& channel() const noexcept { return channel_; }

  // Stops the ticks. It does not close the channel: a thread that waits for a tick stays blocked.
  HEDDLE_UNSEEN void stop() {
    detail::set_timer(*detail::Access::state(channel_), HEDDLE_NEVER, 0);
  }
  // The next tick comes after one period from now.
  template <class Rep, class Period>
  HEDDLE_UNSEEN void reset(const std::chrono::duration<Rep, Period>& period) {
    const uint64_t ns = detail::period_of(detail::nanoseconds_of(period));
    detail::set_timer(*detail::Access::state(channel_), detail::from_now(ns), ns);
  }

 private:
  HEDDLE_UNSEEN static chan<time_point> start(uint64_t period, detail::Caller caller) {
    return detail::Access::own<time_point>(detail::make_timer(period, period, caller));
  }

  chan<time_point> channel_;
};

}  // namespace heddle

#endif  // HEDDLE_CPP20

#endif  // HEDDLE_TIMER_H_
