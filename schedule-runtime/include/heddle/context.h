// Tells threads that their work is no longer needed, as Go's context.Context.
//
//   auto [ctx, cancel] = heddle::with_timeout(heddle::context::background(), 1s);
//   heddle::go([ctx = ctx, jobs] {
//     for (bool more = true; more;) {
//       heddle::select(heddle::on_receive(ctx.done(), [&] { more = false; }),
//                      heddle::on_receive(jobs, [&](std::optional<Job> job) { run(*job); }));
//     }
//   });
//   ...
//   cancel();
//
// A context is over when it is cancelled, when its deadline has passed, or when its parent is over.
// Then done() is closed, and error() gives the reason. Copies are the same context. A context is
// cheap to make. It is freed with its last copy and its last child; that does not cancel it. Any
// thread can use a context and cancel it, any number of times.
#ifndef HEDDLE_CONTEXT_H_
#define HEDDLE_CONTEXT_H_

#include <heddle/detail/cpp20.h>

#ifdef HEDDLE_CPP20

#include <heddle/chan.h>
#include <heddle/detail/context_state.h>
#include <heddle/timer.h>

#include <chrono>
#include <optional>
#include <variant>

namespace heddle {

struct cancelable;

class context {
 public:
  // The background context, which is never over.
  HEDDLE_UNSEEN constexpr context() noexcept : state_(nullptr) {}
  HEDDLE_UNSEEN static context background() noexcept { return context(); }
  HEDDLE_UNSEEN context(const context& other) noexcept : state_(other.state_) {
    if (state_ != nullptr) detail::keep(&state_->references);
  }
  HEDDLE_UNSEEN context(context&& other) noexcept : state_(other.state_) { other.state_ = nullptr; }
  HEDDLE_UNSEEN context& operator=(context other) noexcept {
    detail::ContextState* old = state_;
    state_ = other.state_;
    other.state_ = old;
    return *this;
  }
  HEDDLE_UNSEEN ~context() { detail::drop_context(state_); }

  // Closed when the context is over; it never has a value. Nil for the background.
  HEDDLE_UNSEEN chan<std::monostate> done() const noexcept {
    if (state_ == nullptr) return nullptr;
    detail::keep(&state_->done->references);
    return detail::Access::own<std::monostate>(state_->done);
  }

  // Reads done(), which is an operation on that channel.
  [[gnu::noinline]] HEDDLE_UNSEEN context_error error() const {
    if (state_ == nullptr) return context_error::none;
    std::monostate nothing;
    if (detail::operate(state_->done, &nothing, false, true, HEDDLE_CALLER) != heddle_case_closed)
      return context_error::none;
    return state_->canceled ? context_error::canceled : context_error::deadline_exceeded;
  }

  // The earliest deadline of this context and its ancestors.
  HEDDLE_UNSEEN std::optional<time_point> deadline() const {
    if (state_ == nullptr || state_->deadline == HEDDLE_NEVER) return std::nullopt;
    return time_point(time_point::duration(static_cast<int64_t>(state_->deadline)));
  }

 private:
  friend struct cancelable;
  HEDDLE_UNSEEN explicit context(detail::ContextState* state) noexcept : state_(state) {}

  detail::ContextState* state_;
};

template <>
struct relocatable<context> : std::true_type {};

// A context and its canceler: auto [ctx, cancel] = with_cancel(parent).
struct cancelable {
  // Can be copied, and called by any thread, any number of times. When it returns, the context and
  // all its descendants are over.
  class canceler {
   public:
    HEDDLE_UNSEEN explicit canceler(const context& target) noexcept : target_(target) {}
    HEDDLE_UNSEEN canceler(const canceler& other) noexcept : target_(other.target_) {}
    HEDDLE_UNSEEN canceler& operator=(const canceler& other) noexcept {
      target_ = other.target_;
      return *this;
    }
    HEDDLE_UNSEEN ~canceler() {}
    [[gnu::noinline]] HEDDLE_UNSEEN void operator()() const {
      detail::cancel(cancelable::state(target_), HEDDLE_CALLER);
    }

   private:
    context target_;
  };

  context ctx;
  canceler cancel;

  HEDDLE_UNSEEN cancelable(const cancelable& other) noexcept
      : ctx(other.ctx), cancel(other.cancel) {}
  HEDDLE_UNSEEN ~cancelable() {}

 private:
  friend cancelable with_cancel(const context&);
  friend cancelable with_deadline(const context&, time_point);
  template <class Rep, class Period>
  friend cancelable with_timeout(const context&, const std::chrono::duration<Rep, Period>&);

  HEDDLE_UNSEEN static cancelable make(const context& parent, uint64_t deadline,
                                       detail::Caller caller) {
    return cancelable(
        context(detail::make_context(state(parent), deadline, sizeof(std::monostate), caller)));
  }
  HEDDLE_UNSEEN static detail::ContextState* state(const context& of) noexcept { return of.state_; }
  HEDDLE_UNSEEN explicit cancelable(const context& made) noexcept : ctx(made), cancel(made) {}
};

[[gnu::noinline]] HEDDLE_UNSEEN inline cancelable with_cancel(const context& parent) {
  return cancelable::make(parent, HEDDLE_NEVER, HEDDLE_CALLER);
}

template <class Rep, class Period>
[[gnu::noinline]] HEDDLE_UNSEEN cancelable
with_timeout(const context& parent, const std::chrono::duration<Rep, Period>& d) {
  return cancelable::make(parent, detail::from_now(detail::nanoseconds_of(d)), HEDDLE_CALLER);
}

[[gnu::noinline]] HEDDLE_UNSEEN inline cancelable with_deadline(const context& parent,
                                                                time_point deadline) {
  return cancelable::make(parent, detail::nanoseconds_of(deadline.time_since_epoch()),
                          HEDDLE_CALLER);
}

}  // namespace heddle

#endif  // HEDDLE_CPP20

#endif  // HEDDLE_CONTEXT_H_
