// Waiting for one of several channel operations, as Go's select.
//
//   heddle::select(
//       heddle::on_receive(requests, [&](std::optional<Request> r) { if (r) serve(*r); else done = true; }),
//       heddle::on_send(answers, answer, [&] { ++sent; }),
//       heddle::on_receive(heddle::after(1s), [&](auto) { done = true; }));
//
// Exactly one case is taken: one that can go now, and if several can, any of them with equal chance; else the first that
// can. With `otherwise(handler)` a select does not wait: where no case can go, that is taken. Then the case's handler runs
// (on the calling thread, after the operation), and the position of the case among the arguments is returned. Handlers
// may be left out: `switch (heddle::select(on_receive(a), on_receive(b)))`.
//
//   - on_receive's handler takes a std::optional<T>, which is empty if the channel is closed and drained, or nothing.
//   - on_send's handler takes nothing. The value is given when the case is made. If another case is taken it remains the
//     case's: keep a case whose value matters in a variable, and use it again or take `value()` back.
//     Sending on a closed channel throws channel_error when that case is taken.
//   - The same channel may appear in several cases, and in both directions; a select never meets itself. A nil channel is never ready.
//     A select without a case that can ever go blocks for ever.
//   - If a handler throws, the operation has happened.
#ifndef HEDDLE_SELECT_H_
#define HEDDLE_SELECT_H_

#include <heddle/chan.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>

namespace heddle {
namespace detail {

struct NoHandler {
  HEDDLE_UNSEEN void operator()() const {}
};

inline constexpr size_t kMostCases = 65535;

// Handler: as it was given; an lvalue is referred to.
template <class T, class Handler>
class ReceiveCase {
  static constexpr bool kTakesValue = std::is_invocable_v<Handler&, std::optional<T>>;
  static_assert(kTakesValue || std::is_invocable_v<Handler&>,
                "the handler of on_receive takes a std::optional<T> (empty: the channel is closed), or nothing");

 public:
  static constexpr bool kWaits = true;

  HEDDLE_UNSEEN ReceiveCase(chan<T>&& channel, Handler&& handler)
      : channel_(static_cast<chan<T>&&>(channel)), handler_(static_cast<Handler&&>(handler)) {}
  HEDDLE_UNSEEN ~ReceiveCase() {}
  ReceiveCase(const ReceiveCase&) = delete;
  ReceiveCase& operator=(const ReceiveCase&) = delete;

  HEDDLE_UNSEEN void offer(heddle_channel_case& c) {
    c.channel = Access::state(channel_);
    c.cell = cell_.address();
    c.send = 0;
    c.result = heddle_case_none;
  }
  HEDDLE_UNSEEN void taken(const heddle_channel_case& c) {
    if (c.result == heddle_case_passed) cell_.filled();
    Cleared cleared{cell_};
    if constexpr (kTakesValue) handler_(received());
    else handler_();
  }

 private:
  struct Cleared {
    Cell<T>& cell;
    HEDDLE_UNSEEN ~Cleared() { cell.clear(); }
  };

  // Not inlined, or gcc 12 sees an uninitialised value where there is none.
  [[gnu::noinline]] HEDDLE_UNSEEN std::optional<T> received() {
    if (!cell_.full()) return std::nullopt;
    return std::optional<T>(static_cast<T&&>(cell_.value()));
  }

  chan<T> channel_;
  Handler handler_;
  Cell<T> cell_;
};

template <class T, class Handler>
class SendCase {
  static_assert(std::is_invocable_v<Handler&>, "the handler of on_send takes nothing");

 public:
  static constexpr bool kWaits = true;

  template <class Value>
  HEDDLE_UNSEEN SendCase(chan<T>&& channel, Value&& value, Handler&& handler)
      : channel_(static_cast<chan<T>&&>(channel)), handler_(static_cast<Handler&&>(handler)),
        cell_(std::in_place, static_cast<Value&&>(value)) {}
  HEDDLE_UNSEEN ~SendCase() {}
  SendCase(const SendCase&) = delete;
  SendCase& operator=(const SendCase&) = delete;

  // The value, until it has been sent: then the case is never ready again, and this is null.
  HEDDLE_UNSEEN T* value() { return cell_.full() ? &cell_.value() : nullptr; }

  HEDDLE_UNSEEN void offer(heddle_channel_case& c) {
    c.channel = cell_.full() ? Access::state(channel_) : nullptr;
    c.cell = cell_.address();
    c.send = 1;
    c.result = heddle_case_none;
  }
  HEDDLE_UNSEEN void taken(const heddle_channel_case& c) {
    if (c.result == heddle_case_closed) throw_sent_on_closed();
    cell_.emptied();
    handler_();
  }

 private:
  chan<T> channel_;
  Handler handler_;
  Cell<T> cell_;
};

template <class Handler>
class Otherwise {
  static_assert(std::is_invocable_v<Handler&>, "the handler of otherwise takes nothing");

 public:
  static constexpr bool kWaits = false;

  HEDDLE_UNSEEN explicit Otherwise(Handler&& handler) : handler_(static_cast<Handler&&>(handler)) {}
  HEDDLE_UNSEEN ~Otherwise() {}
  Otherwise(const Otherwise&) = delete;
  Otherwise& operator=(const Otherwise&) = delete;

  HEDDLE_UNSEEN void taken() { handler_(); }

 private:
  Handler handler_;
};

template <class Case>
HEDDLE_UNSEEN void offer(Case& offered, heddle_channel_case*& next) {
  if constexpr (Case::kWaits) offered.offer(*next++);
}

// `position` and `index` go along the arguments and along the list of those that wait.
template <class Case>
HEDDLE_UNSEEN void finish(Case& offered, const heddle_channel_case* cases, int32_t taken, size_t& position, int32_t& index,
                          size_t& answer) {
  if constexpr (Case::kWaits) {
    if (index++ == taken) {
      answer = position;
      offered.taken(cases[taken]);
    }
  } else if (taken < 0) {
    answer = position;
    offered.taken();
  }
  ++position;
}

}  // namespace detail

template <class T, class Handler = detail::NoHandler>
HEDDLE_UNSEEN detail::ReceiveCase<T, Handler> on_receive(chan<T> channel, Handler&& handler = {}) {
  return {static_cast<chan<T>&&>(channel), static_cast<Handler&&>(handler)};
}

template <class T, class Handler = detail::NoHandler>
HEDDLE_UNSEEN detail::SendCase<T, Handler> on_send(chan<T> channel, std::type_identity_t<T> value, Handler&& handler = {}) {
  return {static_cast<chan<T>&&>(channel), static_cast<T&&>(value), static_cast<Handler&&>(handler)};
}

template <class Handler = detail::NoHandler>
HEDDLE_UNSEEN detail::Otherwise<Handler> otherwise(Handler&& handler = {}) {
  return detail::Otherwise<Handler>(static_cast<Handler&&>(handler));
}

// Takes one of the cases and returns its position.
template <class... Cases>
[[gnu::noinline]] HEDDLE_UNSEEN size_t select(Cases&&... cases) {
  constexpr size_t kCount = (size_t{0} + ... + (std::remove_reference_t<Cases>::kWaits ? 1 : 0));
  static_assert(sizeof...(Cases) - kCount <= 1, "a select has one otherwise() at most");
  static_assert(kCount <= detail::kMostCases, "a select has 65535 cases at most");
  heddle_channel_case list[kCount + 1];
  heddle_channel_case* next = list;
  (detail::offer(cases, next), ...);
  const int32_t taken = detail::select(list, kCount, sizeof...(Cases) != kCount, HEDDLE_CALLER);
  size_t position = 0, answer = 0;
  int32_t index = 0;
  (detail::finish(cases, list, taken, position, index, answer), ...);
  return answer;
}

// A select whose cases are known only at run time. Positions are those of the calls that added the cases. It may wait again
// and again, with the same cases: a value that has been sent is not offered again. Belongs to one thread at a time.
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

  // Handlers as in select(), kept by value. Each throws std::length_error for the 65536th case, and `otherwise`
  // std::logic_error for the second one.
  template <class T, class Handler = detail::NoHandler>
  HEDDLE_UNSEEN void receive(chan<T> channel, Handler handler = {}) {
    add(new Entry<detail::ReceiveCase<T, Handler>>(static_cast<chan<T>&&>(channel), static_cast<Handler&&>(handler)));
  }
  template <class T, class Handler = detail::NoHandler>
  HEDDLE_UNSEEN void send(chan<T> channel, std::type_identity_t<T> value, Handler handler = {}) {
    add(new Entry<detail::SendCase<T, Handler>>(static_cast<chan<T>&&>(channel), static_cast<T&&>(value),
                                                static_cast<Handler&&>(handler)));
  }
  template <class Handler = detail::NoHandler>
  HEDDLE_UNSEEN void otherwise(Handler handler = {}) {
    add(new Entry<detail::Otherwise<Handler>>(static_cast<Handler&&>(handler)));
  }

  HEDDLE_UNSEEN size_t size() const noexcept { return size_; }
  // Forgets all cases.
  HEDDLE_UNSEEN void clear() noexcept {
    while (first_ != nullptr) {
      AnyEntry* next = first_->next;
      delete first_;
      first_ = next;
    }
    last_ = nullptr;
    size_ = waiting_ = 0;
  }

  // Takes one of the cases and returns its position.
  [[gnu::noinline]] HEDDLE_UNSEEN size_t wait() {
    const Room room(waiting_);
    heddle_channel_case* next = room.cases;
    for (AnyEntry* entry = first_; entry != nullptr; entry = entry->next) entry->offer(next);
    const int32_t taken =
        detail::select(room.cases, static_cast<uint32_t>(waiting_), waiting_ != size_, HEDDLE_CALLER);
    size_t position = 0, answer = 0;
    int32_t index = 0;
    for (AnyEntry* entry = first_; entry != nullptr; entry = entry->next) {
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
    AnyEntry* next = nullptr;
    const bool waits;
    int32_t index = 0;  // in the list of those that wait
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

  // Of the operation; a few lie on the stack.
  struct Room {
    HEDDLE_UNSEEN explicit Room(size_t count) : cases(count <= kFew ? few : new heddle_channel_case[count]) {}
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
    (last_ != nullptr ? last_->next : first_) = entry;
    last_ = entry;
    ++size_;
  }

  AnyEntry* first_ = nullptr;
  AnyEntry* last_ = nullptr;
  size_t size_ = 0;
  size_t waiting_ = 0;
};

}  // namespace heddle

#endif  // HEDDLE_SELECT_H_
