// Comes in front of libc++'s header of the same name in code compiled for heddle. It defines what std::atomic::wait, latches, semaphores
// and barriers of libc++ do while they wait.
//
// libc++ polls 64 times, then polls together with the clock, and sleeps only after some microseconds. A barrier (before libc++ 20), and a
// semaphore's wait with a limit, only poll with pauses. Under control one poll is as good as 64, because nothing changes while no other
// thread runs, and each poll would be a step of the schedule. So this header polls once and then waits for a notification. Outside of
// executions libc++'s own function does the work.
#pragma once
#pragma GCC system_header

#define __libcpp_thread_poll_with_backoff __heddle_poll_with_backoff
#include_next <__thread/poll_with_backoff.h>
#undef __libcpp_thread_poll_with_backoff

#if __has_include(<__chrono/duration.h>)
#include <__chrono/duration.h>
#else
#include <chrono>
#endif

extern "C" {
__attribute__((weak)) int heddle_under_control(void);
// Returns how often any atomic was notified. The second function waits until that number changes, or for so many nanoseconds (0: no limit).
__attribute__((weak)) unsigned heddle_libcxx_notifications(void);
__attribute__((weak)) void heddle_libcxx_wait(unsigned notifications, unsigned long long nanoseconds);
}

_LIBCPP_BEGIN_NAMESPACE_STD

struct __libcpp_timed_backoff_policy;

struct __heddle_waiting {
  bool __looks_;
  unsigned __notifications_;
  unsigned long long __limit_;  // nanoseconds; 0: none
};

template <class _Poll>
struct __heddle_look {
  _Poll& __poll_;
  __heddle_waiting& __waiting_;

  _LIBCPP_HIDE_FROM_ABI bool operator()() const {
    if (!__waiting_.__looks_) return false;
    __waiting_.__looks_ = false;
    __waiting_.__notifications_ = heddle_libcxx_notifications();
    return __poll_();
  }
};

// Waits on an atomic, without polling again.
template <class _Backoff>
struct __heddle_wait {
  _Backoff& __backoff_;
  __heddle_waiting& __waiting_;

  _LIBCPP_HIDE_FROM_ABI auto operator()(chrono::nanoseconds __elapsed) const -> decltype(__backoff_(__elapsed)) {
    __waiting_.__looks_ = true;
    const chrono::nanoseconds __long(1000 * 1000), __enough(5000);  // a millisecond: with this, libc++ sleeps if there is a limit
    if (__waiting_.__limit_ == 0) return __backoff_(__elapsed + __long);
    if (__elapsed < __enough && __waiting_.__limit_ > 5000) return __backoff_(__enough);
    return __backoff_(__elapsed);
  }
};

// libc++ would poll again and again.
template <>
struct __heddle_wait<__libcpp_timed_backoff_policy> {
  __libcpp_timed_backoff_policy& __backoff_;
  __heddle_waiting& __waiting_;

  template <class _Policy = __libcpp_timed_backoff_policy>
  _LIBCPP_HIDE_FROM_ABI auto operator()(chrono::nanoseconds __elapsed) const -> decltype(static_cast<_Policy&>(__backoff_)(__elapsed)) {
    __waiting_.__looks_ = true;
    const unsigned long long __so_far = static_cast<unsigned long long>(__elapsed.count()), __limit = __waiting_.__limit_;
    heddle_libcxx_wait(__waiting_.__notifications_, __limit == 0 ? 0 : __limit > __so_far ? __limit - __so_far : 1);
    return static_cast<_Policy&>(__backoff_)(chrono::nanoseconds(0));
  }
};

template <class _Poll, class _Backoff>
_LIBCPP_HIDE_FROM_ABI auto __libcpp_thread_poll_with_backoff(_Poll&& __poll, _Backoff&& __backoff, chrono::nanoseconds __max_elapsed = chrono::nanoseconds::zero())
    -> decltype(std::__heddle_poll_with_backoff(__poll, __backoff, __max_elapsed)) {
  if (heddle_under_control == nullptr || heddle_under_control() == 0) return std::__heddle_poll_with_backoff(__poll, __backoff, __max_elapsed);
  __heddle_waiting __waiting = {true, 0, static_cast<unsigned long long>(__max_elapsed.count())};
  __heddle_look<typename remove_reference<_Poll>::type> __look = {__poll, __waiting};
  __heddle_wait<typename remove_reference<_Backoff>::type> __wait = {__backoff, __waiting};
  return std::__heddle_poll_with_backoff(__look, __wait, __max_elapsed);
}

_LIBCPP_END_NAMESPACE_STD
