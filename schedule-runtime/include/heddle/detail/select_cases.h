// The cases of a select. Each has its channel, its handler and its cell. It is offered to the
// operation, and if it is taken, it finishes the operation.
#ifndef HEDDLE_DETAIL_SELECT_CASES_H_
#define HEDDLE_DETAIL_SELECT_CASES_H_

#include <heddle/chan.h>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace heddle {
namespace detail {

struct NoHandler {
  HEDDLE_UNSEEN void operator()() const {}
};

inline constexpr size_t kMostCases = 65535;

// Stores what a case has received.
template <class Value>
struct Into {
  Value& into;
  HEDDLE_UNSEEN void operator()(Value value) const { into = static_cast<Value&&>(value); }
};

// What the handler of on_receive takes.
template <class T>
using Received = std::conditional_t<std::is_void_v<T>, bool, std::optional<T>>;

// Handler: the type as given; an lvalue is stored as a reference.
template <class Channel, class Handler>
class ReceiveCase {
  using T = typename Channel::value_type;
  static constexpr bool kTakesValue = std::is_invocable_v<Handler&, Received<T>>;
  static_assert(kTakesValue || std::is_invocable_v<Handler&>,
                "the handler of on_receive takes a std::optional<T> (empty: the channel is "
                "closed; for a chan<void>: a bool), or nothing");

 public:
  static constexpr bool kWaits = true;

  HEDDLE_UNSEEN ReceiveCase(Channel&& channel, Handler&& handler)
      : channel_(static_cast<Channel&&>(channel)), handler_(static_cast<Handler&&>(handler)) {}
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
    CellOf<T>& cell;
    HEDDLE_UNSEEN ~Cleared() { cell.clear(); }
  };

  // Not inlined: otherwise gcc 12 warns of an uninitialised value where there is none.
  [[gnu::noinline]] HEDDLE_UNSEEN Received<T> received() {
    if constexpr (std::is_void_v<T>) {
      return cell_.full();
    } else {
      if (!cell_.full()) return std::nullopt;
      return std::optional<T>(static_cast<T&&>(cell_.value()));
    }
  }

  Channel channel_;
  Handler handler_;
  CellOf<T> cell_;
};

template <class Channel, class Handler>
class SendCase {
  using T = std::conditional_t<std::is_void_v<typename Channel::value_type>, Signal,
                               typename Channel::value_type>;
  static_assert(std::is_invocable_v<Handler&>, "the handler of on_send takes nothing");

 public:
  static constexpr bool kWaits = true;

  template <class Value>
  HEDDLE_UNSEEN SendCase(Channel&& channel, Value&& value, Handler&& handler)
      : channel_(static_cast<Channel&&>(channel)),
        handler_(static_cast<Handler&&>(handler)),
        cell_(std::in_place, static_cast<Value&&>(value)) {}
  HEDDLE_UNSEEN ~SendCase() {}
  SendCase(const SendCase&) = delete;
  SendCase& operator=(const SendCase&) = delete;

  // The value. After it was sent, this is null, and the case is never ready again.
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
  Channel channel_;
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

// A channel among the cases is received from, and the value is dropped.
template <class Case>
HEDDLE_UNSEEN decltype(auto) as_case(Case& given) {
  using Given = std::remove_cv_t<Case>;
  if constexpr (Receiving<Given>) {
    return ReceiveCase<Given, NoHandler>(Given(given), NoHandler{});
  } else {
    return (given);
  }
}
template <class Case>
using AsCase = std::remove_reference_t<decltype(as_case(std::declval<std::remove_reference_t<Case>&>()))>;

template <class Case>
HEDDLE_UNSEEN void offer(Case& offered, heddle_channel_case*& next) {
  if constexpr (Case::kWaits) offered.offer(*next++);
}

// `position` counts the arguments, `index` the cases with a channel.
template <class Case>
HEDDLE_UNSEEN void finish(Case& offered, const heddle_channel_case* cases, int32_t taken,
                          size_t& position, int32_t& index, size_t& answer) {
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

// Takes one of the cases and returns its position.
template <class... Cases>
HEDDLE_UNSEEN size_t take_one(Caller caller, Cases&&... cases) {
  constexpr size_t kCount = (size_t{0} + ... + (std::remove_reference_t<Cases>::kWaits ? 1 : 0));
  static_assert(sizeof...(Cases) - kCount <= 1, "a select can have at most one otherwise()");
  static_assert(kCount <= kMostCases, "a select can have at most 65535 cases");
  heddle_channel_case list[kCount + 1];
  heddle_channel_case* next = list;
  (offer(cases, next), ...);
  const int32_t taken = select(list, kCount, sizeof...(Cases) != kCount, caller);
  size_t position = 0, answer = 0;
  int32_t index = 0;
  (finish(cases, list, taken, position, index, answer), ...);
  return answer;
}

}  // namespace detail
}  // namespace heddle

#endif  // HEDDLE_DETAIL_SELECT_CASES_H_
