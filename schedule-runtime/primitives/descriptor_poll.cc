// A wait for many descriptors at once: poll, select, epoll_wait.
//
// Its result is a decision of the select kind, within what a kernel may do. A descriptor that was ready when the thread came is always reported. One
// that became ready later may be missed, as long as something is reported. Choice 0 is all; 1, for a wait with a time limit, is an early time-out;
// 2 + i is the i-th case, and those that must be reported. A case that the schedule prefers is waited for until nothing else can run.
#include <errno.h>

#include <algorithm>

#include "primitives/descriptor.h"
#include "primitives/descriptor_made.h"
#include "primitives/interruption.h"
#include "primitives/select_log.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint32_t kAll = 0, kEarly = 1, kFirstCase = 2;
constexpr uint32_t kMaxLogged = 64;

Stream* stream_of_case(const pollfd& c) {
  const Description* d = find_description(c.fd);
  if (d == nullptr) return nullptr;
  return (c.events & POLLOUT) != 0 && (c.events & POLLIN) == 0 ? d->out : d->in;
}

bool is_outside(const pollfd& c) {
  if (c.fd < 0) return false;
  const Description* d = find_description(c.fd);
  return d == nullptr || may_end_outside(*d);
}

class Operation {
 public:
  Operation(PollWait& wait, Place place) : wait_(wait), place_(place) {}
  long run();

 private:
  Object* first_object() const;
  void look_at_first();
  int preferred() const;
  void log(const Pending& p);
  long ask();
  void report(long ready);
  uint32_t count_ready() const;
  long finish(long result);
  bool interrupted();

  PollWait& wait_;
  Place place_;
  Engine& e_ = engine();
  OpSpec spec_{};
  DescriptorWaiter waiter_{};
  SelectLog log_;
  bool timed_ = false;
  uint32_t choice_ = kAll;
  uint8_t flags_ = 0;
};

Object* Operation::first_object() const {
  if (wait_.epoll != nullptr) return wait_.epoll->in->object;
  for (const pollfd& c : wait_.cases) {
    if (Stream* s = stream_of_case(c)) return s->object;
  }
  return nullptr;
}

// Which cases are ready when the thread arrives. Stored in a bit of `events` until the operation has its turn.
void Operation::look_at_first() {
  settle_for(*current_thread());
  raw_poll(wait_.cases.data(), wait_.cases.size());
  for (pollfd& c : wait_.cases) {
    // The kernel ignores this bit and never sets it.
    c.events = static_cast<short>(c.revents != 0 ? c.events | kReadyAtFirst : c.events & ~kReadyAtFirst);
  }
}

int Operation::preferred() const {
  const SelectPreference* s = e_.preference(spec_);
  if (s == nullptr || s->choice < static_cast<int32_t>(kFirstCase) || wait_.cases.empty()) return -1;
  const size_t i = (static_cast<uint32_t>(s->choice) - kFirstCase) % wait_.cases.size();
  return wait_.cases[i].fd >= 0 ? static_cast<int>(i) : -1;
}

void Operation::log(const Pending& p) {
  const size_t count = wait_.cases.size() < kMaxLogged ? wait_.cases.size() : kMaxLogged;
  if (!log_.begin(p, count)) return;
  for (uint32_t i = 0; i < count; ++i) {
    const Stream* s = stream_of_case(wait_.cases[i]);
    const bool out = (wait_.cases[i].events & POLLOUT) != 0 && (wait_.cases[i].events & POLLIN) == 0;
    log_.add(s != nullptr ? s->object->index : 0, kFirstCase + i, out ? CaseDirection::send : CaseDirection::receive, false);
  }
}

// The number of ready cases. For an epoll: whether it has an event.
long Operation::ask() {
  settle_for(*current_thread());
  const int ready = raw_poll(wait_.cases.data(), wait_.cases.size());
  if (wait_.epoll == nullptr || ready < 0) return ready;
  pollfd gate = {wait_.epoll->number, POLLIN, 0};
  return raw_poll(&gate, 1);
}

uint32_t Operation::count_ready() const {
  uint32_t n = 0;
  for (const pollfd& c : wait_.cases) n += c.revents != 0;
  return n;
}

// Chooses which of the ready cases are reported.
void Operation::report(long ready) {
  uint32_t optional = 0;
  for (uint32_t i = 0; i < wait_.cases.size(); ++i) {
    const pollfd& c = wait_.cases[i];
    log_.set_ready(i, c.revents != 0);
    optional += c.revents != 0 && (wait_.epoll != nullptr || (c.events & kReadyAtFirst) == 0);
  }
  const uint32_t n = count_ready();
  if (ready <= 0 || n < 2 || optional == 0) return;
  // An epoll has its events in the order in which they came. If the only thread has made them, that is the order of its calls, and tests rely on it.
  if (wait_.epoll != nullptr && e_.thread_count() == 1) return;
  int only = waiter_.only;
  if (only >= 0 && wait_.cases[static_cast<size_t>(only)].revents != 0) {
    flags_ |= kEventPreferred;
  } else {
    if (e_.preference(spec_) != nullptr) return;
    const uint32_t nth = e_.draw(spec_, n + 1, n);
    if (nth == 0) return;
    only = -1;
    for (uint32_t seen = 0; seen != nth;) seen += wait_.cases[static_cast<size_t>(++only)].revents != 0;
  }
  choice_ = kFirstCase + static_cast<uint32_t>(only);
  if (wait_.epoll != nullptr) {
    wait_.first = only;
    return;
  }
  for (uint32_t i = 0; i < wait_.cases.size(); ++i) {
    pollfd& c = wait_.cases[i];
    if (static_cast<int>(i) != only && (c.events & kReadyAtFirst) == 0) c.revents = 0;
  }
}

long Operation::finish(long result) {
  Pending& p = *waiter_.op;
  // A hash of the reported cases. So a loop that gets the same result again and again counts as spinning.
  uint64_t told = static_cast<uint64_t>(result);
  Stream* reported = nullptr;
  long count = 0;
  for (uint32_t i = 0; i < wait_.cases.size(); ++i) {
    const pollfd& c = wait_.cases[i];
    if (c.revents == 0) continue;
    ++count;
    told = mix(told, static_cast<uint64_t>(i) << 16 | static_cast<uint16_t>(c.revents));
    if (reported == nullptr || wait_.first == static_cast<int>(i)) reported = stream_of_case(c);
  }
  if (result > 0 && reported != nullptr) Engine::settle_on(p, reported->object);
  Commit how{.value = static_cast<uint32_t>(told), .choice = choice_, .flags = flags_, .stored = false};
  if (timed_) how.outcome = result != 0 ? Outcome::success : Outcome::timeout;
  else if (wait_.limit != kNever) how.outcome = result != 0 ? Outcome::success : Outcome::failure;
  if (result < 0) how.outcome = result == -EINTR ? Outcome::interrupted : Outcome::failure;
  log_.close(e_.commit(p, how));
  // The registration or arming of a descriptor happens before the wait that reports it. The event itself comes from the descriptor.
  if (result > 0 && wait_.epoll != nullptr) e_.announce({.kind = Kind::order_acquire, .object = wait_.epoll->in->object, .place = place_}, {});
  return result > 0 && wait_.epoll == nullptr ? count : result;
}

bool Operation::interrupted() {
  uint32_t event;
  if (!was_interrupted(&event)) return false;
  log_.close(event);
  return true;
}

long Operation::run() {
  spec_ = {.kind = Kind::descriptor_wait, .object = first_object(), .place = place_};
  timed_ = wait_.limit != kNever && wait_.limit > e_.now();
  const int wanted = e_.has_preferences() ? preferred() : -1;
  bool early = false;
  if (timed_ && wanted < 0) {
    const SelectPreference* s = e_.preference(spec_);
    bool by_preference = false;
    if (s == nullptr || s->choice <= static_cast<int32_t>(kEarly)) early = draws_early_timeout(spec_, by_preference);
    if (by_preference) flags_ |= kEventPreferred;
  }
  look_at_first();
  waiter_.op = &e_.arrive(spec_);
  waiter_.many = &wait_;
  waiter_.limit = wait_.limit;
  waiter_.early = early;
  log(*waiter_.op);
  const bool signal_ends_it = signals_interrupt_again(Kind::descriptor_wait);
  if (signal_ends_it) wait_.limit = e_.now();
  if (wanted >= 0 && wait_.limit > e_.now()) {
    waiter_.only = wanted;
    if (!poll_ready(wait_, wanted)) {
      const bool others = ask() > 0;
      waiter_.limit = others ? kNever : wait_.limit;
      wait_for_change(waiter_, spec_, false, true);
      if (interrupted()) return -EINTR;
      waiter_.limit = wait_.limit;
    }
    if (!poll_ready(wait_, wanted)) waiter_.only = -1;
  }
  for (;;) {
    long ready = ask();
    if (ready != 0) report(ready);
    if (ready > 0 && wait_.epoll != nullptr) ready = fetch_events(wait_);
    if (ready != 0) return finish(ready);
    if (wait_.limit <= e_.now()) {
      if (early) choice_ = kEarly;
      return finish(signal_ends_it ? -EINTR : 0);
    }
    // If it only found nothing ready any more, it waits again: what another thread did in between can end the readiness.
    if (waiter_.op->asked_at_end) return finish(kWaitsOutside);
    const bool outside = wait_.limit == kNever && std::any_of(wait_.cases.begin(), wait_.cases.end(), is_outside);
    wait_for_change(waiter_, spec_, outside, false);
    if (interrupted()) return -EINTR;
  }
}

}  // namespace

bool poll_ready(const PollWait& wait, int only) {
  if (wait.epoll != nullptr) {
    pollfd gate = {wait.epoll->number, POLLIN, 0};
    if (raw_poll(&gate, 1) <= 0) return false;
    if (only < 0) return true;
  }
  const size_t first = only < 0 ? 0 : static_cast<size_t>(only);
  const size_t count = only < 0 ? wait.cases.size() : 1;
  if (raw_poll(wait.cases.data() + first, count) <= 0) return false;
  // A descriptor that is closed meanwhile does not end the wait. It is noticed when something else ends it.
  for (size_t i = first; i < first + count; ++i) {
    if ((wait.cases[i].revents & ~POLLNVAL) != 0) return true;
  }
  return false;
}

long descriptor_poll(PollWait& wait, Place place) { return Operation(wait, place).run(); }

}  // namespace heddle::rt::primitives
