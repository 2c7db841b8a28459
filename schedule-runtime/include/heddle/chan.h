// Channels, as in Go: threads send values to each other, and can wait for each other this way.
//
//   heddle::chan<int> numbers = heddle::make_chan<int>(8);  // room for 8; 0: unbuffered
//   heddle::go([numbers] {
//     for (int i = 0; i < 100; ++i) numbers.send(i);
//     numbers.close();
//   });
//   for (int i : numbers) std::printf("%d\n", i);           // until it is closed and drained
//
// A `chan` is a handle: copies are the same channel. The channel lives until its last handle is
// destroyed. A default-constructed or moved-from handle is nil: a send or receive on it never
// returns, and a select never takes it.
//
//   - Values arrive in the order in which they were sent. Waiting threads are served in the order
//     in which they came.
//   - Happens-before: a send happens before the return of its receive. With capacity n, the k-th
//     receive happens before the return of the (k+n)-th send. A close() happens before a receive
//     that finds the channel closed.
//   - After close(), the values in the channel can still be received. After them, receives report
//     that the channel is closed. A send on a closed channel throws `channel_error`, also if it
//     already waits. So does close() of a closed or nil channel.
//   - Any thread can use a channel at any time. A single handle is like any other variable: no
//     thread may assign it while another thread uses it.
//
// T can be any movable object type. Types that can be moved by copying their bytes (numbers, plain
// structs, unique_ptr, shared_ptr, channels, and types that specialise `heddle::relocatable`) need
// no allocation. Other types need one allocation for each value. If T's move constructor throws in
// send(), nothing is sent. If it throws in receive(), the value is destroyed, and the channel is as
// after the receive.
//
// In an execution of a heddle fuzz target, each operation is a decision of the schedule. A wait
// that cannot end, and a misuse, are findings. In other programs, without heddle's runtime,
// channels work on real threads. Their cost: docs/reference/channels.md.
#ifndef HEDDLE_CHAN_H_
#define HEDDLE_CHAN_H_

#include <heddle/detail/cpp20.h>

#ifdef HEDDLE_CPP20

#include <heddle/detail/cell.h>
#include <heddle/detail/operations.h>

#include <cstddef>
#include <iterator>
#include <optional>

namespace heddle {

template <class T>
class chan;

namespace detail {
// For the other headers: the state behind a handle, and a handle made from a reference that the
// caller owns.
struct Access {
  template <class T>
  HEDDLE_UNSEEN static ChannelState* state(const chan<T>& channel) noexcept {
    return channel.state_;
  }
  template <class T>
  HEDDLE_UNSEEN static chan<T> own(ChannelState* state) noexcept {
    chan<T> made;
    made.state_ = state;
    return made;
  }
};
}  // namespace detail

enum class receive_status {
  value,   // a value was received
  empty,   // the channel is empty now
  closed,  // the channel is closed and drained
};

template <class T>
class chan {
  static_assert(
      std::is_object_v<T> && !std::is_array_v<T> && std::is_same_v<T, std::remove_cv_t<T>>,
      "the values of a channel must have an object type without const. For an array, use std::array");
  static_assert(std::is_move_constructible_v<T>,
                "the values of a channel must be movable. Send a std::unique_ptr instead");

  using Cell = detail::Cell<T>;

 public:
  using value_type = T;
  class iterator;

  HEDDLE_UNSEEN constexpr chan() noexcept : state_(nullptr) {}
  HEDDLE_UNSEEN constexpr chan(std::nullptr_t) noexcept : state_(nullptr) {}
  HEDDLE_UNSEEN chan(const chan& other) noexcept : state_(other.state_) {
    if (state_ != nullptr) detail::keep(&state_->references);
  }
  HEDDLE_UNSEEN chan(chan&& other) noexcept : state_(other.state_) { other.state_ = nullptr; }
  HEDDLE_UNSEEN chan& operator=(chan other) noexcept {
    detail::ChannelState* old = state_;
    state_ = other.state_;
    other.state_ = old;
    return *this;
  }
  HEDDLE_UNSEEN ~chan() { detail::drop_channel(state_); }

  // Waits until a thread receives the value or there is room for it. Throws channel_error if the
  // channel is closed before that.
  [[gnu::noinline]] HEDDLE_UNSEEN void send(T value) const {
    Cell cell(std::in_place, static_cast<T&&>(value));
    detail::operate(state_, cell.address(), true, false, HEDDLE_CALLER);
    cell.emptied();
  }

  // Waits for a value. Empty: the channel is closed and drained.
  [[gnu::noinline]] HEDDLE_UNSEEN std::optional<T> receive() const {
    Cell cell;
    if (detail::operate(state_, cell.address(), false, false, HEDDLE_CALLER) != heddle_case_passed)
      return std::nullopt;
    cell.filled();
    return std::optional<T>(static_cast<T&&>(cell.value()));
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
    if constexpr (kComesBack) {
      Cell cell(std::in_place, static_cast<T&&>(value));
      // In a destructor, because a closed channel throws.
      GiveBack back{cell, value};
      if (detail::operate(state_, cell.address(), true, true, HEDDLE_CALLER) != heddle_case_passed)
        return false;
      cell.emptied();
      return true;
    } else {
      return try_send_cell(value, HEDDLE_CALLER);
    }
  }

  // Receives if it need not wait. The first form returns an empty optional both for "empty" and for
  // "closed". The second form tells them apart.
  [[gnu::noinline]] HEDDLE_UNSEEN std::optional<T> try_receive() const {
    Cell cell;
    if (detail::operate(state_, cell.address(), false, true, HEDDLE_CALLER) != heddle_case_passed)
      return std::nullopt;
    cell.filled();
    return std::optional<T>(static_cast<T&&>(cell.value()));
  }
  // `into` is empty unless a value was received.
  [[gnu::noinline]] HEDDLE_UNSEEN receive_status try_receive(std::optional<T>& into) const {
    Cell cell;
    const auto result = detail::operate(state_, cell.address(), false, true, HEDDLE_CALLER);
    into.reset();
    if (result != heddle_case_passed)
      return result == heddle_case_closed ? receive_status::closed : receive_status::empty;
    cell.filled();
    into.emplace(static_cast<T&&>(cell.value()));
    return receive_status::value;
  }

  // Says that no more values come. Waiting and later receives report it. Throws channel_error if
  // the channel is closed or nil.
  [[gnu::noinline]] HEDDLE_UNSEEN void close() const { detail::close(state_, HEDDLE_CALLER); }

  // The number of values in the channel; 0 for nil. Use it only for statistics: another thread can
  // change it at once.
  [[gnu::noinline]] HEDDLE_UNSEEN size_t size() const {
    return detail::size(state_, HEDDLE_CALLER);
  }
  HEDDLE_UNSEEN size_t capacity() const noexcept {
    return state_ == nullptr ? 0 : state_->capacity;
  }

  // False: nil.
  HEDDLE_UNSEEN explicit operator bool() const noexcept { return state_ != nullptr; }
  // The same channel.
  HEDDLE_UNSEEN friend bool operator==(const chan& a, const chan& b) noexcept {
    return a.state_ == b.state_;
  }

  // Receives until the channel is closed and drained: for (T& value : channel). The channel must
  // live until the loop ends.
  [[gnu::noinline]] HEDDLE_UNSEEN iterator begin() const { return iterator(state_, HEDDLE_CALLER); }
  HEDDLE_UNSEEN std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

 private:
  friend struct detail::Access;

  struct GiveBack {
    Cell& cell;
    T& value;
    HEDDLE_UNSEEN ~GiveBack() {
      if (cell.full()) value = static_cast<T&&>(cell.value());
    }
  };

  template <class Value>
  HEDDLE_UNSEEN bool try_send_cell(Value&& value, detail::Caller caller) const {
    Cell cell(std::in_place, static_cast<Value&&>(value));
    if (detail::operate(state_, cell.address(), true, true, caller) != heddle_case_passed)
      return false;
    cell.emptied();
    return true;
  }

  detail::ChannelState* state_;
};

template <class T>
struct relocatable<chan<T>> : std::true_type {};

// Makes a channel with room for `capacity` values. Throws std::length_error if that is more than
// 2^32 - 1, or more than fits into memory.
template <class T>
[[gnu::noinline]] HEDDLE_UNSEEN chan<T> make_chan(size_t capacity = 0) {
  using Cell = detail::Cell<T>;
  const detail::ChannelKind kind{Cell::kSize,
                                 std::is_arithmetic_v<T> || std::is_enum_v<T>,
                                 Cell::kTrivial ? nullptr : &Cell::destroy,
                                 heddle_timer_none,
                                 HEDDLE_NEVER,
                                 0};
  return detail::Access::own<T>(detail::make_channel(capacity, kind, HEDDLE_CALLER));
}

// An input iterator: each step is a receive.
template <class T>
class chan<T>::iterator {
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
  friend class chan<T>;
  HEDDLE_UNSEEN iterator(detail::ChannelState* state, detail::Caller caller) : state_(state) {
    receive(caller);
  }
  HEDDLE_UNSEEN void receive(detail::Caller caller) {
    Cell cell;
    const auto result = detail::operate(state_, cell.address(), false, false, caller);
    current_.reset();
    if (result != heddle_case_passed) return;
    cell.filled();
    current_.emplace(static_cast<T&&>(cell.value()));
  }

  detail::ChannelState* state_;
  mutable std::optional<T> current_;
};

}  // namespace heddle

#endif  // HEDDLE_CPP20

#endif  // HEDDLE_CHAN_H_
