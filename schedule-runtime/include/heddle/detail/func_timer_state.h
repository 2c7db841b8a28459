// What a func_timer shares with its copies and its threads.
#ifndef HEDDLE_DETAIL_FUNC_TIMER_STATE_H_
#define HEDDLE_DETAIL_FUNC_TIMER_STATE_H_

#include <heddle/timer.h>

#include <type_traits>

namespace heddle::detail {

// `armed` is the timer channel of the thread that was started last. The thread receives from it:
// the time means "call", and "closed" means that the timer was stopped. The lock guards the pointer
// on real threads. Under control no lock is needed: no operation stands within.
struct FuncTimer {
  HEDDLE_UNSEEN FuncTimer() noexcept : references(1), lock{0}, armed(nullptr) {}
  HEDDLE_UNSEEN virtual ~FuncTimer() {}
  virtual void call() = 0;

  uint32_t references;
  real::Lock lock;
  ChannelState* armed;
};

template <class F>
struct FuncTimerOf final : FuncTimer {
  template <class Given>
  HEDDLE_UNSEEN explicit FuncTimerOf(Given&& given) : function(static_cast<Given&&>(given)) {}
  HEDDLE_UNSEEN ~FuncTimerOf() override {}
  HEDDLE_UNSEEN void call() override { function(); }
  F function;
};

template <class F>
HEDDLE_UNSEEN FuncTimer* make_func_timer(F&& f) {
  return new FuncTimerOf<std::decay_t<F>>(static_cast<F&&>(f));
}

// The function is destroyed after all its calls: on real threads the count says so.
HEDDLE_UNSEEN inline void drop_func_timer(FuncTimer* timer, Caller caller) {
  if (timer == nullptr) return;
  if (under_control()) heddle_order(timer, 0, caller.pc, caller.frame);
  if (!drop(&timer->references)) return;
  if (under_control()) heddle_order(timer, 1, caller.pc, caller.frame);
  drop_channel(timer->armed);
  delete timer;
}

class FuncTimerLocked {
 public:
  HEDDLE_UNSEEN explicit FuncTimerLocked(FuncTimer& timer)
      : lock_(under_control() ? nullptr : &timer.lock) {
    if (lock_ != nullptr) lock_->lock();
  }
  HEDDLE_UNSEEN ~FuncTimerLocked() {
    if (lock_ != nullptr) lock_->unlock();
  }
  FuncTimerLocked(const FuncTimerLocked&) = delete;
  FuncTimerLocked& operator=(const FuncTimerLocked&) = delete;

 private:
  real::Lock* const lock_;
};

HEDDLE_UNSEEN inline ChannelState* armed_of(FuncTimer& timer) {
  FuncTimerLocked locked(timer);
  if (timer.armed != nullptr) keep(&timer.armed->references);
  return timer.armed;
}

// A channel says only once that it was stopped in time, so it is closed only once.
HEDDLE_UNSEEN inline bool stop_func_timer(FuncTimer& timer, Caller caller) {
  ChannelState* const armed = armed_of(timer);
  if (armed == nullptr) return false;
  const bool in_time = set_timer(armed, HEDDLE_NEVER, 0, caller);
  if (in_time) try_close(armed, caller);
  drop_channel(armed);
  return in_time;
}

// A thread that sleeps, and then calls the function. It owns a reference to both.
struct FuncTimerThread {
  FuncTimer* timer;
  ChannelState* channel;
  void* place;

  HEDDLE_UNSEEN void operator()() const {
    uint64_t time = 0;
    const bool due = operate(channel, &time, false, false,
                             {place, __builtin_frame_address(0)}) == heddle_case_passed;
    drop_channel(channel);
    if (due) timer->call();
    drop_func_timer(timer, {place, __builtin_frame_address(0)});
  }
};

// A timer that is about to get its thread. If the thread cannot be started, it is not running.
class FuncTimerArmed {
 public:
  HEDDLE_UNSEEN FuncTimerArmed(FuncTimer* timer, uint64_t after, void* place)
      : worker{timer, make_timer(after, 0, {place, __builtin_frame_address(0)}), place} {
    keep(&timer->references);
    keep(&worker.channel->references);
    ChannelState* old;
    {
      FuncTimerLocked locked(*timer);
      old = timer->armed;
      timer->armed = worker.channel;
    }
    drop_channel(old);
  }
  HEDDLE_UNSEEN ~FuncTimerArmed() {
    if (started_) return;
    set_timer(worker.channel, HEDDLE_NEVER, 0, {worker.place, __builtin_frame_address(0)});
    drop_channel(worker.channel);
    drop_func_timer(worker.timer, {worker.place, __builtin_frame_address(0)});
  }
  FuncTimerArmed(const FuncTimerArmed&) = delete;
  FuncTimerArmed& operator=(const FuncTimerArmed&) = delete;

  HEDDLE_UNSEEN void started() { started_ = true; }

  const FuncTimerThread worker;

 private:
  bool started_ = false;
};

}  // namespace heddle::detail

#endif  // HEDDLE_DETAIL_FUNC_TIMER_STATE_H_
