// Runs a function once, as Go's sync.Once.
//
//   heddle::once ready;
//   ready.call([&] { connect(); });  // in any number of threads
//
// A call() that comes while the function runs waits for its end. The function's effects happen
// before the return of every call(). If the function throws, its caller gets the exception, and the
// next call() runs its own function. A function that calls its own once deadlocks.
#ifndef HEDDLE_ONCE_H_
#define HEDDLE_ONCE_H_

#include <heddle/detail/wait_group_real.h>
#include <heddle/heddle.h>

#include <cstdint>

namespace heddle {

class once {
 public:
  HEDDLE_UNSEEN constexpr once() noexcept : state_(0) {}
  once(const once&) = delete;
  once& operator=(const once&) = delete;

  template <class F>
  [[gnu::noinline]] HEDDLE_UNSEEN void call(F&& f) {
    const detail::Caller caller = HEDDLE_CALLER;
    if (!start(caller)) return;
    Running running{&state_, caller, false};
    static_cast<F&&>(f)();
    running.complete = true;
  }

 private:
  struct Running {
    uint32_t* state;
    detail::Caller caller;
    bool complete;
    HEDDLE_UNSEEN ~Running() {
      if (under_control()) heddle_once_finish(state, complete ? 1 : 0, caller.pc, caller.frame);
      else detail::real::once_finish(state, complete);
    }
  };

  HEDDLE_UNSEEN bool start(detail::Caller caller) {
    return under_control() ? heddle_once_start(&state_, caller.pc, caller.frame) != 0
                           : detail::real::once_start(&state_);
  }

  uint32_t state_;
};

}  // namespace heddle

#endif  // HEDDLE_ONCE_H_
