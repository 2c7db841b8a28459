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

namespace heddle {

struct cancelable;
class canceler;

class context {
 public:
  // The background context, which is never over.
  HEDDLE_UNSEEN constexpr context() noexcept : state_(nullptr) {}
  HEDDLE_UNSEEN static context background() noexcept { return context(); }
  [[gnu::noinline]] HEDDLE_UNSEEN context(const context& other) noexcept
      : context(other, HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN context(context&& other) noexcept {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::ContextState* const nothing = nullptr;
    detail::begin_handle(state_, detail::exchange_handle(other.state_, nothing, caller), caller);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN context& operator=(context other) noexcept {
    other.state_ = detail::exchange_handle(state_, other.state_, HEDDLE_CALLER);
    return *this;
  }
  [[gnu::noinline]] HEDDLE_UNSEEN ~context() {
    detail::drop_context(detail::read_handle(state_, HEDDLE_CALLER));
  }

  // Closed when the context is over; it never has a value. Nil for the background.
  [[gnu::noinline]] HEDDLE_UNSEEN recv_chan<void> done() const noexcept {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::ContextState* const state = detail::read_handle(state_, caller);
    if (state == nullptr) return nullptr;
    detail::keep(&state->done->references);
    return detail::Maker::own<recv_chan<void>>(state->done, caller);
  }

  // Reads done(), which is an operation on that channel.
  [[gnu::noinline]] HEDDLE_UNSEEN context_error error() const {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::ContextState* const state = detail::read_handle(state_, caller);
    if (state == nullptr) return context_error::none;
    detail::Signal nothing;
    if (detail::operate(state->done, &nothing, false, true, caller) != heddle_case_closed)
      return context_error::none;
    return state->canceled ? context_error::canceled : context_error::deadline_exceeded;
  }

  // The earliest deadline of this context and its ancestors.
  [[gnu::noinline]] HEDDLE_UNSEEN std::optional<time_point> deadline() const {
    const detail::ContextState* const state = detail::read_handle(state_, HEDDLE_CALLER);
    if (state == nullptr || state->deadline == HEDDLE_NEVER) return std::nullopt;
    return time_point(time_point::duration(static_cast<int64_t>(state->deadline)));
  }

 private:
  friend struct cancelable;
  friend class canceler;
  HEDDLE_UNSEEN explicit context(detail::ContextState* state) noexcept : state_(state) {}
  HEDDLE_UNSEEN context(const context& other, detail::Caller caller) noexcept {
    detail::ContextState* const state = detail::read_handle(other.state_, caller);
    if (state != nullptr) detail::keep(&state->references);
    detail::begin_handle(state_, state, caller);
  }

  detail::ContextState* state_;
};

template <>
struct relocatable<context> : std::true_type {};

// Cancels a context. Can be copied, and called by any thread, any number of times. When it returns,
// the context and all its descendants are over. A default-constructed one is empty, so that it can
// be a member: it is false, and calling it does nothing.
class canceler {
 public:
  HEDDLE_UNSEEN constexpr canceler() noexcept {}
  HEDDLE_UNSEEN explicit canceler(const context& target) noexcept : target_(target) {}
  [[gnu::noinline]] HEDDLE_UNSEEN canceler(const canceler& other) noexcept
      : target_(other.target_, HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN canceler& operator=(const canceler& other) noexcept {
    const detail::Caller caller = HEDDLE_CALLER;
    context copied(other.target_, caller);
    copied.state_ = detail::exchange_handle(target_.state_, copied.state_, caller);
    return *this;
  }
  HEDDLE_UNSEEN ~canceler() {}

  // False: empty.
  [[gnu::noinline]] HEDDLE_UNSEEN explicit operator bool() const noexcept {
    return detail::read_handle(target_.state_, HEDDLE_CALLER) != nullptr;
  }
  [[gnu::noinline]] HEDDLE_UNSEEN void operator()() const {
    const detail::Caller caller = HEDDLE_CALLER;
    detail::ContextState* const state = detail::read_handle(target_.state_, caller);
    if (state != nullptr) detail::cancel(state, caller);
  }

 private:
  context target_;
};

// A context and its canceler: auto [ctx, cancel] = with_cancel(parent). A default-constructed one
// is the background, with an empty canceler.
struct cancelable {
  using canceler = heddle::canceler;

  context ctx;
  heddle::canceler cancel;

  HEDDLE_UNSEEN constexpr cancelable() noexcept {}
  HEDDLE_UNSEEN cancelable(const cancelable& other) noexcept
      : ctx(other.ctx), cancel(other.cancel) {}
  HEDDLE_UNSEEN cancelable& operator=(const cancelable& other) noexcept {
    ctx = other.ctx;
    cancel = other.cancel;
    return *this;
  }
  HEDDLE_UNSEEN ~cancelable() {}

 private:
  friend cancelable with_cancel(const context&);
  friend cancelable with_deadline(const context&, time_point);
  template <class Rep, class Period>
  friend cancelable with_timeout(const context&, const std::chrono::duration<Rep, Period>&);

  HEDDLE_UNSEEN static cancelable make(const context& parent, uint64_t deadline,
                                       detail::Caller caller) {
    detail::ContextState* const above = detail::read_handle(parent.state_, caller);
    return cancelable(
        context(detail::make_context(above, deadline, sizeof(detail::Signal), caller)));
  }
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
