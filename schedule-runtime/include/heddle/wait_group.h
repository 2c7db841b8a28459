// Waits for a number of threads, as Go's sync.WaitGroup.
//
//   heddle::wait_group all;
//   for (Part& part : parts) all.go([&part] { work(part); });
//   all.wait();
//
// Or by hand: `all.add(1)` before you start each thread, `all.done()` at its end. A done() happens
// before the return of the wait() that it ends. After wait() has returned, that thread can destroy
// the group.
//
// An add() that finds the count zero must happen before each wait(), or after it has returned: so
// add before you start the thread, and use the group again only when all earlier wait()s have
// returned. In an execution of a fuzz target, an add() in no order with a wait() is a finding.
#ifndef HEDDLE_WAIT_GROUP_H_
#define HEDDLE_WAIT_GROUP_H_

#include <heddle/detail/wait_group_real.h>
#include <heddle/heddle.h>
#include <heddle/panic.h>

#include <cstdint>
#include <functional>
#include <thread>
#include <tuple>
#include <type_traits>

namespace heddle {

class wait_group {
 public:
  HEDDLE_UNSEEN constexpr wait_group() noexcept : count_(0) {}
  wait_group(const wait_group&) = delete;
  wait_group& operator=(const wait_group&) = delete;

  // Throws panic_error if the count would become negative, and does not change it. In an execution
  // of a fuzz target, that is a finding.
  [[gnu::noinline]] HEDDLE_UNSEEN void add(int64_t delta) { add_at(delta, HEDDLE_CALLER); }
  [[gnu::noinline]] HEDDLE_UNSEEN void done() { add_at(-1, HEDDLE_CALLER); }

  // Waits until the count is zero.
  [[gnu::noinline]] HEDDLE_UNSEEN void wait() {
    if (!under_control()) return detail::real::wait_group_wait(&count_);
    const detail::Caller caller = HEDDLE_CALLER;
    heddle_wait_group_wait(&count_, caller.pc, caller.frame);
  }

  // Adds one, and starts a thread that runs f(arguments...) and then calls done(). See heddle::go.
  // The group must live until the thread is done. If no thread can be started, the count does not
  // change.
  template <class F, class... Arguments>
  [[gnu::noinline]] void go(F&& f, Arguments&&... arguments) {
    // Without the frame: this function is instrumented. Its entry holds the user's call and must stay in the calling context.
    const detail::Caller caller{__builtin_return_address(0), nullptr};
    add_at(1, caller);
    AddedOne added{this, caller};
    std::thread(Member{this, caller.pc}, static_cast<F&&>(f),
                static_cast<Arguments&&>(arguments)...)
        .detach();
    added.group = nullptr;
  }

 private:
  struct AddedOne {
    wait_group* group;
    detail::Caller caller;
    HEDDLE_UNSEEN ~AddedOne() {
      if (group != nullptr) group->add_at(-1, caller);
    }
  };

  // What the thread runs. Its done() is reported at the place where the thread was started.
  struct Member {
    wait_group* group;
    void* started_at;
    template <class F, class... Arguments>
    HEDDLE_UNSEEN void operator()(F&& f, Arguments&&... arguments) const {
      std::invoke(static_cast<F&&>(f), static_cast<Arguments&&>(arguments)...);
      group->add_at(-1, {started_at, __builtin_frame_address(0)});
    }
  };

  HEDDLE_UNSEEN void add_at(int64_t delta, detail::Caller caller) {
    const int refused = under_control()
                            ? heddle_wait_group_add(&count_, delta, caller.pc, caller.frame)
                            : detail::real::wait_group_add(&count_, delta);
    if (refused != 0) throw panic_error("heddle::wait_group: the count would become negative");
  }

  int64_t count_;
};

}  // namespace heddle

#endif  // HEDDLE_WAIT_GROUP_H_
