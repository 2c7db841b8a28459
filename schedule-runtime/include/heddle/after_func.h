// Calls a function later, as Go's time.AfterFunc.
//
//   heddle::func_timer watchdog = heddle::after_func(5s, [conn] { conn->close(); });
//   ...
//   if (!watchdog.stop()) log("too late: it has been started");
//
// When the time has come, the function runs in a thread of its own. stop() does not wait for it: if
// you need its end, let it close a channel or call done(). A timer that is dropped still calls its
// function. The thread exists from the start of the timer on, and sleeps: a program with very many
// such timers is better served by one thread and a `selector`. An exception that leaves the function
// ends the program.
#ifndef HEDDLE_AFTER_FUNC_H_
#define HEDDLE_AFTER_FUNC_H_

#include <heddle/detail/cpp20.h>

#ifdef HEDDLE_CPP20

#include <heddle/detail/func_timer_state.h>
#include <heddle/timer.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <type_traits>

namespace heddle {

// A copy is the same timer. A default-constructed one is empty, so that it can be a member: it is
// false, and stop() does nothing. Any thread can use it.
class func_timer {
 public:
  HEDDLE_UNSEEN constexpr func_timer() noexcept : state_(nullptr) {}
  [[gnu::noinline]] HEDDLE_UNSEEN func_timer(const func_timer& other) noexcept {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::begin_handle(state_, share(other, caller), caller);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN func_timer& operator=(const func_timer& other) noexcept {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::FuncTimer* const shared = share(other, caller);
    detail::drop_func_timer(detail::exchange_handle(state_, shared, caller), caller);
    return *this;
  }
  [[gnu::noinline]] HEDDLE_UNSEEN ~func_timer() {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::drop_func_timer(detail::read_handle(state_, caller), caller);
  }

  // False: empty.
  [[gnu::noinline]] HEDDLE_UNSEEN explicit operator bool() const noexcept {
    return detail::read_handle(state_, HEDDLE_CALLER) != nullptr;
  }

  // True: the function will not be called. False: it has been started already, or the timer was
  // stopped before.
  [[gnu::noinline]] HEDDLE_UNSEEN bool stop() {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::FuncTimer* const state = detail::read_handle(state_, caller);
    return state != nullptr && detail::stop_func_timer(*state, caller);
  }

  // Stops it, as stop() does, and starts it again: the function is called, once more if need be,
  // when `d` has passed. Throws std::logic_error if it is empty.
  template <class Rep, class Period>
  [[gnu::noinline]] bool reset(const std::chrono::duration<Rep, Period>& d) {
    void* const place = __builtin_return_address(0);
    detail::FuncTimer* const state = begin_reset(place);
    const bool stopped = detail::stop_func_timer(*state, {place, nullptr});
    start(state, detail::nanoseconds_of(d), place);
    return stopped;
  }

 private:
  template <class Rep, class Period, class F>
  friend func_timer after_func(const std::chrono::duration<Rep, Period>& d, F&& f);

  // Takes over a reference.
  HEDDLE_UNSEEN func_timer(detail::FuncTimer* state, detail::Caller caller) noexcept {
    detail::begin_handle(state_, state, caller);
  }
  HEDDLE_UNSEEN static detail::FuncTimer* share(const func_timer& other, detail::Caller caller) {
    detail::FuncTimer* const state = detail::read_handle(other.state_, caller);
    if (state != nullptr) detail::keep(&state->references);
    return state;
  }
  HEDDLE_UNSEEN detail::FuncTimer* begin_reset(void* place) const {
    detail::FuncTimer* const state =
        detail::read_handle(state_, {place, __builtin_frame_address(0)});
    if (state == nullptr) throw std::logic_error("heddle: reset of an empty timer");
    return state;
  }
  // Instrumented, as heddle::go is.
  static void start(detail::FuncTimer* state, uint64_t after, void* place) {
    detail::FuncTimerArmed armed(state, after, place);
    std::thread(armed.worker).detach();
    armed.started();
  }

  detail::FuncTimer* state_;
};

template <class Rep, class Period, class F>
[[gnu::noinline]] func_timer after_func(const std::chrono::duration<Rep, Period>& d, F&& f) {
  void* const place = __builtin_return_address(0);
  func_timer timer(detail::make_func_timer(static_cast<F&&>(f)), {place, nullptr});
  func_timer::start(timer.state_, detail::nanoseconds_of(d), place);
  return timer;
}

}  // namespace heddle

#endif  // HEDDLE_CPP20

#endif  // HEDDLE_AFTER_FUNC_H_
