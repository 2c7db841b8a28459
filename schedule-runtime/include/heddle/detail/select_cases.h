// The cases of a select. Each has its channel, its handler and its cell. It is offered to the
// operation, and if it is taken, it finishes the operation.
#ifndef HEDDLE_DETAIL_SELECT_CASES_H_
#define HEDDLE_DETAIL_SELECT_CASES_H_

#include <heddle/chan.h>

#include <cstddef>
#include <optional>
#include <type_traits>

namespace heddle {
namespace detail {

struct NoHandler {
  HEDDLE_UNSEEN void operator()() const {}
};

inline constexpr size_t kMostCases = 65535;

// Handler: the type as given; an lvalue is stored as a reference.
template <class T, class Handler>
class ReceiveCase {
  static constexpr bool kTakesValue = std::is_invocable_v<Handler&, std::optional<T>>;
  static_assert(kTakesValue || std::is_invocable_v<Handler&>,
                "the handler of on_receive takes a std::optional<T> (empty: the channel is "
                "closed), or nothing");

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

  // Not inlined: otherwise gcc 12 warns of an uninitialised value where there is none.
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
      : channel_(static_cast<chan<T>&&>(channel)),
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

}  // namespace detail
}  // namespace heddle

#endif  // HEDDLE_DETAIL_SELECT_CASES_H_
