// The parts of which chan, send_chan and recv_chan are made: the handle, the end that sends and the
// end that receives.
#ifndef HEDDLE_DETAIL_CHANNEL_ENDS_H_
#define HEDDLE_DETAIL_CHANNEL_ENDS_H_

#include <heddle/detail/cell.h>
#include <heddle/detail/handle.h>
#include <heddle/detail/operations.h>

#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>

namespace heddle {

enum class receive_status {
  value,   // a value was received
  empty,   // the channel is empty now
  closed,  // the channel is closed and drained
};

namespace detail {

// What travels through a chan<void>.
struct Signal {};
template <class T>
using CellOf = Cell<std::conditional_t<std::is_void_v<T>, Signal, T>>;

template <class T>
class ChannelHandle {
  static_assert(
      std::is_void_v<T> ||
          (std::is_object_v<T> && !std::is_array_v<T> && std::is_same_v<T, std::remove_cv_t<T>>),
      "the values of a channel must have an object type without const. For an array, use std::array");
  static_assert(std::is_void_v<T> || std::is_move_constructible_v<T>,
                "the values of a channel must be movable. Send a std::unique_ptr instead");

 public:
  using value_type = T;

  // The number of values in the channel; 0 for nil. Use it only for statistics: another thread can
  // change it at once.
  [[gnu::noinline]] HEDDLE_UNSEEN size_t size() const {
    const Caller caller = HEDDLE_CALLER;
    return detail::size(use(caller), caller);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN size_t capacity() const noexcept {
    const ChannelState* const state = use(HEDDLE_CALLER);
    return state == nullptr ? 0 : state->capacity;
  }

  // False: nil.
  [[gnu::noinline]] HEDDLE_UNSEEN explicit operator bool() const noexcept {
    return use(HEDDLE_CALLER) != nullptr;
  }
  // The same channel.
  [[gnu::noinline]] HEDDLE_UNSEEN friend bool operator==(const ChannelHandle& a,
                                                         const ChannelHandle& b) noexcept {
    const Caller caller = HEDDLE_CALLER;
    return a.use(caller) == b.use(caller);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN friend bool operator==(const ChannelHandle& a,
                                                         std::nullptr_t) noexcept {
    return a.use(HEDDLE_CALLER) == nullptr;
  }

 protected:
  friend struct Access;

  HEDDLE_UNSEEN constexpr ChannelHandle() noexcept : state_(nullptr) {}
  // Takes over a reference.
  HEDDLE_UNSEEN ChannelHandle(ChannelState* state, Caller caller) noexcept {
    begin_handle(state_, state, caller);
  }
  HEDDLE_UNSEEN ChannelHandle(const ChannelHandle& other, Caller caller) noexcept
      : ChannelHandle(other.share(caller), caller) {}
  HEDDLE_UNSEEN ChannelHandle(ChannelHandle&& other, Caller caller) noexcept
      : ChannelHandle(exchange_handle(other.state_, static_cast<ChannelState*>(nullptr), caller),
                      caller) {}
  HEDDLE_UNSEEN ~ChannelHandle() {}
  ChannelHandle(const ChannelHandle&) = delete;
  ChannelHandle& operator=(const ChannelHandle&) = delete;

  HEDDLE_UNSEEN ChannelState* use(Caller caller) const { return read_handle(state_, caller); }
  HEDDLE_UNSEEN ChannelState* share(Caller caller) const {
    ChannelState* const state = use(caller);
    if (state != nullptr) keep(&state->references);
    return state;
  }
  // A nil handle has been made.
  HEDDLE_UNSEEN void announce(Caller caller) {
    begin_handle(state_, static_cast<ChannelState*>(nullptr), caller);
  }
  // `other` is a copy that the caller destroys.
  HEDDLE_UNSEEN void assign(ChannelHandle& other, Caller caller) {
    other.state_ = exchange_handle(state_, other.state_, caller);
  }
  HEDDLE_UNSEEN void release(Caller caller) { drop_channel(use(caller)); }

 private:
  ChannelState* state_;
};

// For the other headers.
struct Access {
  // The state behind a handle that nobody else uses.
  template <class T>
  HEDDLE_UNSEEN static ChannelState* state(const ChannelHandle<T>& channel) noexcept {
    return channel.state_;
  }
  template <class T>
  HEDDLE_UNSEEN static ChannelState* use(const ChannelHandle<T>& channel, Caller caller) noexcept {
    return channel.use(caller);
  }
  template <class T>
  HEDDLE_UNSEEN static ChannelState* share(const ChannelHandle<T>& channel,
                                           Caller caller) noexcept {
    return channel.share(caller);
  }
  template <class T>
  HEDDLE_UNSEEN static void assign(ChannelHandle<T>& to, ChannelHandle<T>& from,
                                   Caller caller) noexcept {
    to.assign(from, caller);
  }
};

template <class Base, class T>
class SendEnd : public Base {
  using Cell = CellOf<T>;

 public:
  // Waits until a thread receives the value or there is room for it. Throws channel_error if the
  // channel is closed before that.
  [[gnu::noinline]] HEDDLE_UNSEEN void send(T value) const {
    const Caller caller = HEDDLE_CALLER;
    Cell cell(std::in_place, static_cast<T&&>(value));
    operate(this->use(caller), cell.address(), true, false, caller);
    cell.emptied();
  }

  // Sends if it need not wait. Otherwise it returns false and leaves the value unchanged. Throws
  // channel_error if the channel is closed.
  [[gnu::noinline]] HEDDLE_UNSEEN bool try_send(
      T value) const requires std::is_trivially_copyable_v<T> {
    return try_send_cell(static_cast<T&&>(value), HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN bool try_send(const T& value) const
      requires(!std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T>) {
    return try_send_cell(value, HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN bool try_send(T&& value) const
      requires(!std::is_trivially_copyable_v<T>) {
    constexpr bool kComesBack =
        std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>;
    static_assert(kComesBack || std::is_copy_constructible_v<T>,
                  "the value could be lost, because its move may throw. Send a std::unique_ptr instead");
    const Caller caller = HEDDLE_CALLER;
    if constexpr (kComesBack) {
      Cell cell(std::in_place, static_cast<T&&>(value));
      // In a destructor, because a closed channel throws.
      GiveBack back{cell, value};
      if (operate(this->use(caller), cell.address(), true, true, caller) != heddle_case_passed)
        return false;
      cell.emptied();
      return true;
    } else {
      return try_send_cell(value, caller);
    }
  }

  // Says that no more values come. Waiting and later receives report it. Throws channel_error if
  // the channel is closed or nil.
  [[gnu::noinline]] HEDDLE_UNSEEN void close() const {
    const Caller caller = HEDDLE_CALLER;
    detail::close(this->use(caller), caller);
  }

 protected:
  HEDDLE_UNSEEN constexpr SendEnd() noexcept {}
  template <class From>
  HEDDLE_UNSEEN SendEnd(From&& from, Caller caller) noexcept
      : Base(static_cast<From&&>(from), caller) {}
  HEDDLE_UNSEEN ~SendEnd() {}

 private:
  struct GiveBack {
    Cell& cell;
    T& value;
    HEDDLE_UNSEEN ~GiveBack() {
      if (cell.full()) value = static_cast<T&&>(cell.value());
    }
  };

  template <class Value>
  HEDDLE_UNSEEN bool try_send_cell(Value&& value, Caller caller) const {
    Cell cell(std::in_place, static_cast<Value&&>(value));
    if (operate(this->use(caller), cell.address(), true, true, caller) != heddle_case_passed)
      return false;
    cell.emptied();
    return true;
  }
};

template <class Base>
class SendEnd<Base, void> : public Base {
 public:
  // Waits until a thread receives the signal or there is room for it. Throws channel_error if the
  // channel is closed before that.
  [[gnu::noinline]] HEDDLE_UNSEEN void send() const {
    const Caller caller = HEDDLE_CALLER;
    Signal signal;
    operate(this->use(caller), &signal, true, false, caller);
  }
  // Sends if it need not wait; false otherwise. Throws channel_error if the channel is closed.
  [[gnu::noinline]] HEDDLE_UNSEEN bool try_send() const {
    const Caller caller = HEDDLE_CALLER;
    Signal signal;
    return operate(this->use(caller), &signal, true, true, caller) == heddle_case_passed;
  }
  // Says that no more signals come: each waiting and later receive returns. This is how one thread
  // tells all others to stop. Throws channel_error if the channel is closed or nil.
  [[gnu::noinline]] HEDDLE_UNSEEN void close() const {
    const Caller caller = HEDDLE_CALLER;
    detail::close(this->use(caller), caller);
  }

 protected:
  HEDDLE_UNSEEN constexpr SendEnd() noexcept {}
  template <class From>
  HEDDLE_UNSEEN SendEnd(From&& from, Caller caller) noexcept
      : Base(static_cast<From&&>(from), caller) {}
  HEDDLE_UNSEEN ~SendEnd() {}
};

template <class Base, class T>
class ReceiveEnd : public Base {
  using Cell = CellOf<T>;

 public:
  class iterator;

  // Waits for a value. Empty: the channel is closed and drained.
  [[gnu::noinline]] HEDDLE_UNSEEN std::optional<T> receive() const {
    const Caller caller = HEDDLE_CALLER;
    Cell cell;
    if (operate(this->use(caller), cell.address(), false, false, caller) != heddle_case_passed)
      return std::nullopt;
    cell.filled();
    return std::optional<T>(static_cast<T&&>(cell.value()));
  }

  // Receives if it need not wait. The first form returns an empty optional both for "empty" and for
  // "closed". The second form tells them apart.
  [[gnu::noinline]] HEDDLE_UNSEEN std::optional<T> try_receive() const {
    const Caller caller = HEDDLE_CALLER;
    Cell cell;
    if (operate(this->use(caller), cell.address(), false, true, caller) != heddle_case_passed)
      return std::nullopt;
    cell.filled();
    return std::optional<T>(static_cast<T&&>(cell.value()));
  }
  // `into` is empty unless a value was received.
  [[gnu::noinline]] HEDDLE_UNSEEN receive_status try_receive(std::optional<T>& into) const {
    const Caller caller = HEDDLE_CALLER;
    Cell cell;
    const auto result = operate(this->use(caller), cell.address(), false, true, caller);
    into.reset();
    if (result != heddle_case_passed)
      return result == heddle_case_closed ? receive_status::closed : receive_status::empty;
    cell.filled();
    into.emplace(static_cast<T&&>(cell.value()));
    return receive_status::value;
  }

  // Receives until the channel is closed and drained: for (T& value : channel). The channel must
  // live until the loop ends.
  [[gnu::noinline]] HEDDLE_UNSEEN iterator begin() const {
    const Caller caller = HEDDLE_CALLER;
    return iterator(this->use(caller), caller);
  }
  HEDDLE_UNSEEN std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

 protected:
  HEDDLE_UNSEEN constexpr ReceiveEnd() noexcept {}
  template <class From>
  HEDDLE_UNSEEN ReceiveEnd(From&& from, Caller caller) noexcept
      : Base(static_cast<From&&>(from), caller) {}
  HEDDLE_UNSEEN ~ReceiveEnd() {}
};

template <class Base>
class ReceiveEnd<Base, void> : public Base {
 public:
  // Waits for a signal. False: the channel is closed and drained.
  [[gnu::noinline]] HEDDLE_UNSEEN bool receive() const {
    const Caller caller = HEDDLE_CALLER;
    Signal signal;
    return operate(this->use(caller), &signal, false, false, caller) == heddle_case_passed;
  }
  // Receives if it need not wait.
  [[gnu::noinline]] HEDDLE_UNSEEN receive_status try_receive() const {
    const Caller caller = HEDDLE_CALLER;
    Signal signal;
    const auto result = operate(this->use(caller), &signal, false, true, caller);
    return result == heddle_case_passed   ? receive_status::value
           : result == heddle_case_closed ? receive_status::closed
                                          : receive_status::empty;
  }

 protected:
  HEDDLE_UNSEEN constexpr ReceiveEnd() noexcept {}
  template <class From>
  HEDDLE_UNSEEN ReceiveEnd(From&& from, Caller caller) noexcept
      : Base(static_cast<From&&>(from), caller) {}
  HEDDLE_UNSEEN ~ReceiveEnd() {}
};

// An input iterator: each step is a receive.
template <class Base, class T>
class ReceiveEnd<Base, T>::iterator {
 public:
  using value_type = T;
  using difference_type = std::ptrdiff_t;

  HEDDLE_UNSEEN iterator(iterator&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : state_(other.state_), current_(static_cast<std::optional<T>&&>(other.current_)) {}
  HEDDLE_UNSEEN iterator& operator=(iterator&& other) noexcept(
      std::is_nothrow_move_assignable_v<T>) {
    state_ = other.state_;
    current_ = static_cast<std::optional<T>&&>(other.current_);
    return *this;
  }
  HEDDLE_UNSEEN ~iterator() {}

  HEDDLE_UNSEEN T& operator*() const { return *current_; }
  [[gnu::noinline]] HEDDLE_UNSEEN iterator& operator++() {
    receive(HEDDLE_CALLER);
    return *this;
  }
  [[gnu::noinline]] HEDDLE_UNSEEN void operator++(int) { receive(HEDDLE_CALLER); }
  HEDDLE_UNSEEN friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept {
    return !i.current_;
  }

 private:
  friend class ReceiveEnd;
  HEDDLE_UNSEEN iterator(ChannelState* state, Caller caller) : state_(state) { receive(caller); }
  HEDDLE_UNSEEN void receive(Caller caller) {
    Cell cell;
    const auto result = operate(state_, cell.address(), false, false, caller);
    current_.reset();
    if (result != heddle_case_passed) return;
    cell.filled();
    current_.emplace(static_cast<T&&>(cell.value()));
  }

  ChannelState* state_;
  mutable std::optional<T> current_;
};

template <class Channel>
concept Receiving = requires { typename Channel::value_type; } &&
                    std::is_base_of_v<ChannelHandle<typename Channel::value_type>, Channel> &&
                    requires(const Channel& channel) { channel.receive(); };
template <class Channel>
concept Sending = requires { typename Channel::value_type; } &&
                  std::is_base_of_v<ChannelHandle<typename Channel::value_type>, Channel> &&
                  requires(const Channel& channel) { channel.close(); };

}  // namespace detail
}  // namespace heddle

#endif  // HEDDLE_DETAIL_CHANNEL_ENDS_H_
