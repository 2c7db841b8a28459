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
//   - Any thread can use a channel at any time. A single handle is like any other variable: if a
//     thread assigns it while another one uses it, that is a data race.
//
// chan<void> is a channel of signals: send() takes nothing, and receive() returns true for a signal
// and false when the channel is closed. A send_chan<T> can only send and close, a recv_chan<T> can
// only receive. A chan<T> converts to both: use them as parameters and members that say who does
// what.
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

#include <heddle/detail/channel_ends.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle {

template <class T>
class chan;

namespace detail {
// For the classes with a handle inside: the accesses to it are those of the user's call.
struct Maker {
  // From a reference that the caller owns.
  template <class Channel>
  HEDDLE_UNSEEN static Channel own(ChannelState* state, Caller caller) noexcept {
    return Channel(state, caller);
  }
  template <class Channel>
  HEDDLE_UNSEEN static Channel copy(const Channel& other, Caller caller) noexcept {
    return Channel(Access::share(other, caller), caller);
  }
  template <class T>
  HEDDLE_UNSEEN static void assign(chan<T>& to, const chan<T>& from, Caller caller) noexcept {
    chan<T> copied = copy(from, caller);
    Access::assign(to, copied, caller);
  }
};
}  // namespace detail

template <class T>
class chan : public detail::SendEnd<detail::ReceiveEnd<detail::ChannelHandle<T>, T>, T> {
  using Base = detail::SendEnd<detail::ReceiveEnd<detail::ChannelHandle<T>, T>, T>;
  using Handle = detail::ChannelHandle<T>;

 public:
  [[gnu::noinline]] HEDDLE_UNSEEN constexpr chan() noexcept {
    if (!std::is_constant_evaluated()) this->announce(HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN constexpr chan(std::nullptr_t) noexcept {
    if (!std::is_constant_evaluated()) this->announce(HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN chan(const chan& other) noexcept
      : Base(static_cast<const Handle&>(other), HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN chan(chan&& other) noexcept
      : Base(static_cast<Handle&&>(other), HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN chan& operator=(chan other) noexcept {
    this->assign(other, HEDDLE_CALLER);
    return *this;
  }
  [[gnu::noinline]] HEDDLE_UNSEEN ~chan() { this->release(HEDDLE_CALLER); }

 private:
  friend struct detail::Maker;
  HEDDLE_UNSEEN chan(detail::ChannelState* state, detail::Caller caller) noexcept
      : Base(state, caller) {}
};

// A handle that can only send and close.
template <class T>
class send_chan : public detail::SendEnd<detail::ChannelHandle<T>, T> {
  using Base = detail::SendEnd<detail::ChannelHandle<T>, T>;
  using Handle = detail::ChannelHandle<T>;

 public:
  [[gnu::noinline]] HEDDLE_UNSEEN constexpr send_chan() noexcept {
    if (!std::is_constant_evaluated()) this->announce(HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN constexpr send_chan(std::nullptr_t) noexcept {
    if (!std::is_constant_evaluated()) this->announce(HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN send_chan(const send_chan& other) noexcept
      : Base(static_cast<const Handle&>(other), HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN send_chan(send_chan&& other) noexcept
      : Base(static_cast<Handle&&>(other), HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN send_chan& operator=(send_chan other) noexcept {
    this->assign(other, HEDDLE_CALLER);
    return *this;
  }
  [[gnu::noinline]] HEDDLE_UNSEEN ~send_chan() { this->release(HEDDLE_CALLER); }
  [[gnu::noinline]] HEDDLE_UNSEEN send_chan(const chan<T>& channel) noexcept
      : Base(static_cast<const Handle&>(channel), HEDDLE_CALLER) {}
};

// A handle that can only receive.
template <class T>
class recv_chan : public detail::ReceiveEnd<detail::ChannelHandle<T>, T> {
  using Base = detail::ReceiveEnd<detail::ChannelHandle<T>, T>;
  using Handle = detail::ChannelHandle<T>;

 public:
  [[gnu::noinline]] HEDDLE_UNSEEN constexpr recv_chan() noexcept {
    if (!std::is_constant_evaluated()) this->announce(HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN constexpr recv_chan(std::nullptr_t) noexcept {
    if (!std::is_constant_evaluated()) this->announce(HEDDLE_CALLER);
  }
  [[gnu::noinline]] HEDDLE_UNSEEN recv_chan(const recv_chan& other) noexcept
      : Base(static_cast<const Handle&>(other), HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN recv_chan(recv_chan&& other) noexcept
      : Base(static_cast<Handle&&>(other), HEDDLE_CALLER) {}
  [[gnu::noinline]] HEDDLE_UNSEEN recv_chan& operator=(recv_chan other) noexcept {
    this->assign(other, HEDDLE_CALLER);
    return *this;
  }
  [[gnu::noinline]] HEDDLE_UNSEEN ~recv_chan() { this->release(HEDDLE_CALLER); }
  [[gnu::noinline]] HEDDLE_UNSEEN recv_chan(const chan<T>& channel) noexcept
      : Base(static_cast<const Handle&>(channel), HEDDLE_CALLER) {}

 private:
  friend struct detail::Maker;
  HEDDLE_UNSEEN recv_chan(detail::ChannelState* state, detail::Caller caller) noexcept
      : Base(state, caller) {}
};

template <class T>
struct relocatable<chan<T>> : std::true_type {};
template <class T>
struct relocatable<send_chan<T>> : std::true_type {};
template <class T>
struct relocatable<recv_chan<T>> : std::true_type {};

// Makes a channel with room for `capacity` values. Throws std::length_error if that is more than
// 2^32 - 1, or more than fits into memory.
template <class T>
[[gnu::noinline]] HEDDLE_UNSEEN chan<T> make_chan(size_t capacity = 0) {
  using Cell = detail::CellOf<T>;
  const detail::ChannelKind kind{Cell::kSize,
                                 std::is_arithmetic_v<T> || std::is_enum_v<T>,
                                 Cell::kTrivial ? nullptr : &Cell::destroy,
                                 heddle_timer_none,
                                 HEDDLE_NEVER,
                                 0};
  const detail::Caller caller = HEDDLE_CALLER;
  return detail::Maker::own<chan<T>>(detail::make_channel(capacity, kind, caller), caller);
}

}  // namespace heddle

#endif  // HEDDLE_CPP20

#endif  // HEDDLE_CHAN_H_
