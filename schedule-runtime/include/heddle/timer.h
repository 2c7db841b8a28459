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
//
// A default-constructed timer or ticker is empty, so that it can be a member: it is false, its
// channel is nil, and stop() does nothing. Assign a timer to it to start it.
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
HEDDLE_UNSEEN inline bool set_timer(ChannelState* channel, uint64_t due, uint64_t period,
                                    Caller caller) {
  if (!under_control()) return real::set_timer(*channel, due, period);
  const bool pending = channel->due != HEDDLE_NEVER || channel->count != 0;
  channel->count = 0;
  channel->due = due;
  channel->period = period;
  heddle_timer_set(channel, pending, caller.pc, caller.frame);
  return pending;
}

HEDDLE_UNSEEN inline bool stop_timer(ChannelState* channel, Caller caller) {
  return channel != nullptr && set_timer(channel, HEDDLE_NEVER, 0, caller);
}

HEDDLE_UNSEEN inline bool reset_timer(ChannelState* channel, uint64_t after, uint64_t period,
                                      Caller caller) {
  if (channel == nullptr) throw std::logic_error("heddle: reset of an empty timer or ticker");
  return set_timer(channel, from_now(after), period, caller);
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
  const detail::Caller caller = HEDDLE_CALLER;
  return detail::Maker::own<chan<time_point>>(
      detail::make_timer(detail::nanoseconds_of(d), 0, caller), caller);
}

// The same, but it can be stopped and reset. A copy is the same timer.
class timer {
 public:
  HEDDLE_UNSEEN constexpr timer() noexcept {}
  template <class Rep, class Period>
  [[gnu::noinline]] HEDDLE_UNSEEN explicit timer(const std::chrono::duration<Rep, Period>& d)
      : timer(detail::nanoseconds_of(d), HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN timer(const timer& other) noexcept
      : channel_(detail::Maker::copy(other.channel_, HEDDLE_CALLER)) {}
  [[gnu::noinline]] HEDDLE_UNSEEN timer& operator=(const timer& other) noexcept {
    detail::Maker::assign(channel_, other.channel_, HEDDLE_CALLER);
    return *this;
  }
  HEDDLE_UNSEEN ~timer() {}

  HEDDLE_UNSEEN const chan<time_point>& channel() const noexcept { return channel_; }
  // False: empty.
  [[gnu::noinline]] HEDDLE_UNSEEN explicit operator bool() const noexcept {
    return detail::Access::use(channel_, HEDDLE_CALLER) != nullptr;
  }

  // Stops the timer. No value comes after that; a value that is already in the channel is dropped.
  // False if there was nothing to stop: the value was received, or the timer was not running.
  [[gnu::noinline]] HEDDLE_UNSEEN bool stop() {
    const detail::Caller caller = HEDDLE_CALLER;
    return detail::stop_timer(detail::Access::use(channel_, caller), caller);
  }
  // Stops it, as stop() does, and starts it again. Throws std::logic_error if it is empty.
  template <class Rep, class Period>
  [[gnu::noinline]] HEDDLE_UNSEEN bool reset(const std::chrono::duration<Rep, Period>& d) {
    const detail::Caller caller = HEDDLE_CALLER;
    return detail::reset_timer(detail::Access::use(channel_, caller), detail::nanoseconds_of(d), 0,
                               caller);
  }

 private:
  HEDDLE_UNSEEN timer(uint64_t after, detail::Caller caller)
      : channel_(detail::Maker::own<chan<time_point>>(detail::make_timer(after, 0, caller),
                                                      caller)) {}

  chan<time_point> channel_;
};

// Its channel receives the time once in every period. A receiver that comes late gets one tick, not
// all that it missed. A copy is the same ticker.
class ticker {
 public:
  HEDDLE_UNSEEN constexpr ticker() noexcept {}
  // Throws std::invalid_argument for a period that is not positive.
  template <class Rep, class Period>
  [[gnu::noinline]] HEDDLE_UNSEEN explicit ticker(const std::chrono::duration<Rep, Period>& period)
      : ticker(detail::period_of(detail::nanoseconds_of(period)), HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN ticker(const ticker& other) noexcept
      : channel_(detail::Maker::copy(other.channel_, HEDDLE_CALLER)) {}
  [[gnu::noinline]] HEDDLE_UNSEEN ticker& operator=(const ticker& other) noexcept {
    detail::Maker::assign(channel_, other.channel_, HEDDLE_CALLER);
    return *this;
  }
  HEDDLE_UNSEEN ~ticker() {}

  HEDDLE_UNSEEN const chan<time_point>& channel() const noexcept { return channel_; }
  // False: empty.
  [[gnu::noinline]] HEDDLE_UNSEEN explicit operator bool() const noexcept {
    return detail::Access::use(channel_, HEDDLE_CALLER) != nullptr;
  }

  // Stops the ticks. It does not close the channel: a thread that waits for a tick stays blocked.
  [[gnu::noinline]] HEDDLE_UNSEEN void stop() {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::stop_timer(detail::Access::use(channel_, caller), caller);
  }
  // The next tick comes after one period from now. Throws std::logic_error if the ticker is empty.
  template <class Rep, class Period>
  [[gnu::noinline]] HEDDLE_UNSEEN void reset(const std::chrono::duration<Rep, Period>& period) {
    const uint64_t ns = detail::period_of(detail::nanoseconds_of(period));
    const detail::Caller caller = HEDDLE_CALLER;
    detail::reset_timer(detail::Access::use(channel_, caller), ns, ns, caller);
  }

 private:
  HEDDLE_UNSEEN ticker(uint64_t period, detail::Caller caller)
      : channel_(detail::Maker::own<chan<time_point>>(
            detail::make_timer(period, period, caller), caller)) {}

  chan<time_point> channel_;
};

}  // namespace heddle

#endif  // HEDDLE_CPP20

#endif  // HEDDLE_TIMER_H_
