// Waits for one of several channel operations, as Go's select.
//
//   heddle::select(
//       heddle::on_receive(requests, [&](std::optional<Request> r) { r ? serve(*r) : finish(); }),
//       heddle::on_send(answers, answer, [&] { ++sent; }),
//       heddle::on_receive(heddle::after(1s), [&] { finish(); }));
//
// A select takes exactly one case. If several cases are ready, it takes one of them at random, with
// equal chance. If none is ready, it waits for the first that becomes ready; with
// `otherwise(handler)` it does not wait, but takes that case. The handler of the case runs on the
// calling thread, after the operation. select() returns the position of the case among the
// arguments. Handlers are optional. A channel without on_receive is received from, and the value
// is dropped:
//
//   if (heddle::select(heddle::on_send(jobs, job), stop) == 1) return;  // case <-stop: return
//   if (heddle::try_select(stop)) return;                               // ... default:
//
//   - The handler of on_receive takes a std::optional<T>, or no argument. The optional is empty if
//     the channel is closed and drained. For a chan<void> it takes a bool: false means closed.
//     Instead of a handler you can give a std::optional<T> (a bool) that takes the value.
//   - The handler of on_send takes no argument. You give the value when you make the case. If
//     another case is taken, the case keeps the value: to use it again, keep the case in a variable
//     and pass it to select again, or take the value back with `value()`. If the channel of the
//     case that is taken is closed, select throws channel_error.
//   - A channel can be in several cases, and in both directions. A select never sends to itself.
//     A nil channel is never ready. A select in which no case can become ready never returns.
//   - If a handler throws, the operation has already happened.
#ifndef HEDDLE_SELECT_H_
#define HEDDLE_SELECT_H_

#include <heddle/detail/cpp20.h>

#ifdef HEDDLE_CPP20

#include <heddle/chan.h>
#include <heddle/detail/select_cases.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <type_traits>

namespace heddle {

template <detail::Receiving Channel, class Handler = detail::NoHandler>
  requires(!std::is_same_v<Handler, detail::Received<typename Channel::value_type>&>)
HEDDLE_UNSEEN detail::ReceiveCase<Channel, Handler> on_receive(Channel channel,
                                                               Handler&& handler = {}) {
  return {static_cast<Channel&&>(channel), static_cast<Handler&&>(handler)};
}
template <detail::Receiving Channel>
HEDDLE_UNSEEN auto on_receive(Channel channel,
                              detail::Received<typename Channel::value_type>& into) {
  using Handler = detail::Into<detail::Received<typename Channel::value_type>>;
  return detail::ReceiveCase<Channel, Handler>(static_cast<Channel&&>(channel), Handler{into});
}

template <detail::Sending Channel, class Handler = detail::NoHandler>
  requires(!std::is_void_v<typename Channel::value_type>)
HEDDLE_UNSEEN detail::SendCase<Channel, Handler> on_send(
    Channel channel, std::type_identity_t<typename Channel::value_type> value,
    Handler&& handler = {}) {
  return {static_cast<Channel&&>(channel),
          static_cast<typename Channel::value_type&&>(value),
          static_cast<Handler&&>(handler)};
}
template <detail::Sending Channel, class Handler = detail::NoHandler>
  requires std::is_void_v<typename Channel::value_type>
HEDDLE_UNSEEN detail::SendCase<Channel, Handler> on_send(Channel channel, Handler&& handler = {}) {
  return {static_cast<Channel&&>(channel), detail::Signal{}, static_cast<Handler&&>(handler)};
}

template <class Handler = detail::NoHandler>
HEDDLE_UNSEEN detail::Otherwise<Handler> otherwise(Handler&& handler = {}) {
  return detail::Otherwise<Handler>(static_cast<Handler&&>(handler));
}

// Takes one of the cases and returns its position.
template <class... Cases>
[[gnu::noinline]] HEDDLE_UNSEEN size_t select(Cases&&... cases) {
  return detail::take_one(HEDDLE_CALLER, detail::as_case(cases)...);
}

// Takes one of the cases if it need not wait, and returns its position. Empty: none was ready.
template <class... Cases>
[[gnu::noinline]] HEDDLE_UNSEEN std::optional<size_t> try_select(Cases&&... cases) {
  static_assert((detail::AsCase<Cases>::kWaits && ...), "try_select needs no otherwise()");
  const size_t taken = detail::take_one(HEDDLE_CALLER, detail::as_case(cases)...,
                                        detail::Otherwise<detail::NoHandler>(detail::NoHandler{}));
  return taken != sizeof...(Cases) ? std::optional<size_t>(taken) : std::nullopt;
}

// A select whose cases are known only at run time. The position of a case is that of the call that
// added it. wait() can be called many times with the same cases; a value that was sent is not
// offered again. Only one thread can use a selector at a time.
//
//   heddle::selector any;
//   for (auto& worker : workers) any.receive(worker.results, [&](std::optional<Result> r) { ... });
//   size_t which = any.wait();
class selector {
 public:
  HEDDLE_UNSEEN selector() noexcept {}
  HEDDLE_UNSEEN ~selector() { clear(); }
  selector(const selector&) = delete;
  selector& operator=(const selector&) = delete;

  // Handlers are as in select(), and are stored by value. The 65536th case throws
  // std::length_error. A second `otherwise` throws std::logic_error.
  template <detail::Receiving Channel, class Handler = detail::NoHandler>
  HEDDLE_UNSEEN void receive(Channel channel, Handler handler = {}) {
    add(new Entry<detail::ReceiveCase<Channel, Handler>>(static_cast<Channel&&>(channel),
                                                         static_cast<Handler&&>(handler)));
  }
  template <detail::Sending Channel, class Handler = detail::NoHandler>
    requires(!std::is_void_v<typename Channel::value_type>)
  HEDDLE_UNSEEN void send(Channel channel,
                          std::type_identity_t<typename Channel::value_type> value,
                          Handler handler = {}) {
    add(new Entry<detail::SendCase<Channel, Handler>>(
        static_cast<Channel&&>(channel),
        static_cast<typename Channel::value_type&&>(value), static_cast<Handler&&>(handler)));
  }
  template <detail::Sending Channel, class Handler = detail::NoHandler>
    requires std::is_void_v<typename Channel::value_type>
  HEDDLE_UNSEEN void send(Channel channel, Handler handler = {}) {
    add(new Entry<detail::SendCase<Channel, Handler>>(
        static_cast<Channel&&>(channel), detail::Signal{}, static_cast<Handler&&>(handler)));
  }
  template <class Handler = detail::NoHandler>
  HEDDLE_UNSEEN void otherwise(Handler handler = {}) {
    add(new Entry<detail::Otherwise<Handler>>(static_cast<Handler&&>(handler)));
  }

  HEDDLE_UNSEEN size_t size() const noexcept { return size_; }
  // Removes all cases.
  HEDDLE_UNSEEN void clear() noexcept {
    while (first_ != nullptr) {
      AnyEntry* following = first_->following;
      delete first_;
      first_ = following;
    }
    last_ = nullptr;
    size_ = waiting_ = 0;
  }

  // Takes one of the cases and returns its position.
  [[gnu::noinline]] HEDDLE_UNSEEN size_t wait() {
    const Room room(waiting_);
    heddle_channel_case* next = room.cases;
    for (AnyEntry* entry = first_; entry != nullptr; entry = entry->following) entry->offer(next);
    const int32_t taken = detail::select(room.cases, static_cast<uint32_t>(waiting_),
                                         waiting_ != size_, HEDDLE_CALLER);
    size_t position = 0, answer = 0;
    int32_t index = 0;
    for (AnyEntry* entry = first_; entry != nullptr; entry = entry->following) {
      if (entry->waits ? index++ == taken : taken < 0) {
        answer = position;
        entry->taken(room.cases);
        break;
      }
      ++position;
    }
    return answer;
  }

 private:
  struct AnyEntry {
    HEDDLE_UNSEEN explicit AnyEntry(bool has_channel) : waits(has_channel) {}
    HEDDLE_UNSEEN virtual ~AnyEntry() {}
    virtual void offer(heddle_channel_case*& next) = 0;
    virtual void taken(const heddle_channel_case* cases) = 0;
    AnyEntry* following = nullptr;
    const bool waits;
    int32_t index = 0;  // among the cases with a channel
  };

  template <class Case>
  struct Entry final : AnyEntry {
    template <class... Arguments>
    HEDDLE_UNSEEN explicit Entry(Arguments&&... arguments)
        : AnyEntry(Case::kWaits), offered(static_cast<Arguments&&>(arguments)...) {}
    HEDDLE_UNSEEN ~Entry() override {}
    HEDDLE_UNSEEN void offer(heddle_channel_case*& next) override { detail::offer(offered, next); }
    HEDDLE_UNSEEN void taken(const heddle_channel_case* cases) override {
      if constexpr (Case::kWaits) offered.taken(cases[this->index]);
      else offered.taken();
    }
    Case offered;
  };

  // Memory for the cases of one operation: a few are on the stack.
  struct Room {
    HEDDLE_UNSEEN explicit Room(size_t count)
        : cases(count <= kFew ? few : new heddle_channel_case[count]) {}
    HEDDLE_UNSEEN ~Room() {
      if (cases != few) delete[] cases;
    }
    static constexpr size_t kFew = 16;
    heddle_channel_case few[kFew];
    heddle_channel_case* const cases;
  };

  HEDDLE_UNSEEN void add(AnyEntry* entry) {
    if (entry->waits ? waiting_ == detail::kMostCases : waiting_ != size_) {
      const bool waits = entry->waits;
      delete entry;
      if (waits) throw std::length_error("heddle::selector: more than 65535 cases");
      throw std::logic_error("heddle::selector: a second otherwise()");
    }
    if (entry->waits) entry->index = static_cast<int32_t>(waiting_++);
    (last_ != nullptr ? last_->following : first_) = entry;
    last_ = entry;
    ++size_;
  }

  AnyEntry* first_ = nullptr;
  AnyEntry* last_ = nullptr;
  size_t size_ = 0;
  size_t waiting_ = 0;
};

}  // namespace heddle

#endif  // HEDDLE_CPP20

#endif  // HEDDLE_SELECT_H_
