#include "mutator/modes/order_walk.h"

#include <algorithm>

namespace heddle::mutator {
namespace {

bool takes_lock(const Event& e) {
  return kind_info(e.kind).has(kHoldsLock) && !(e.flags & kEventRecursive) && e.outcome != Outcome::failure &&
         e.outcome != Outcome::timeout;
}

bool shared_lock(Kind kind) {
  return kind == Kind::rwlock_rdlock || kind == Kind::rwlock_tryrdlock || kind == Kind::annotated_rdlock;
}

}  // namespace

OrderWalk::OrderWalk(const KnownRun& run, uint32_t cut)
    : run_(run), threads_(run.threads.size()), objects_(run.objects.size() + 1),
      exit_of_(run.objects.size() + 1, kNone), delta_(run.events.size()), held_(run.events.size()),
      done_(run.events.size()) {
  for (const ChannelRecord& c : run.channels) object(c.object).capacity = c.capacity;
  std::vector<int32_t> counts(run.objects.size() + 1);
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    threads_[e.thread].events.push_back(i);
    if (e.kind == Kind::thread_exit) exit_of_[e.object] = i;
    if (e.kind == Kind::wait_group_add) {
      delta_[i] = static_cast<int32_t>(e.value) - counts[e.object];
      counts[e.object] = static_cast<int32_t>(e.value);
    }
  }
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (!e.finished() || e.done >= cut) continue;
    apply(i);
    ++threads_[e.thread].at;
  }
}

uint32_t OrderWalk::next(uint32_t thread) const {
  const Thread& t = threads_[thread];
  return t.at < t.events.size() ? t.events[t.at] : kNone;
}

bool OrderWalk::is_held(uint32_t thread) const {
  const uint32_t e = next(thread);
  return e != kNone && held_[e];
}

bool OrderWalk::anyone_held() const {
  for (uint32_t t = 0; t < threads_.size(); ++t) {
    if (is_held(t)) return true;
  }
  return false;
}

OrderWalk::Side OrderWalk::side(uint32_t i) const {
  const Event& e = run_.events[i];
  if (e.kind == Kind::channel_send) return Side::send;
  if (e.kind == Kind::channel_receive) return Side::receive;
  if (e.kind != Kind::select || e.choice == kDefaultChoice) return Side::none;
  for (const SelectCase& c : run_.select_cases) {
    if (c.event == i && c.index == e.choice) {
      return c.direction == static_cast<uint8_t>(CaseDirection::send) ? Side::send : Side::receive;
    }
  }
  return Side::none;
}

OrderWalk::Answer OrderWalk::ask_lock(const Event& e) {
  const Object& o = object(e.object);
  const bool free = o.owner == 0 && (shared_lock(e.kind) || o.readers == 0);
  if (free) return Answer::goes;
  if (!kind_info(e.kind).has(kBlocks)) lost_ = true;  // a try that would fail now
  return Answer::blocked;
}

OrderWalk::Answer OrderWalk::ask_channel(const Event& e, Side side) {
  const Object& o = object(e.object);
  if (e.object == 0) return Answer::blocked;  // a nil channel
  if (o.capacity == kNone) lost_ = true;
  const bool sends = side == Side::send;
  if (o.over) {
    lost_ |= sends;
    return Answer::goes;
  }
  if (sends ? o.count < static_cast<int32_t>(o.capacity) : o.count > 0) return Answer::goes;
  if (o.capacity == 0) {
    for (uint32_t u = 0; u < threads_.size(); ++u) {
      const uint32_t other = next(u);
      if (u == e.thread || other == kNone || held_[other] || run_.events[other].object != e.object) continue;
      if (this->side(other) == (sends ? Side::receive : Side::send)) {
        partner_ = u;
        return Answer::with_partner;
      }
    }
  }
  lost_ |= e.kind == Kind::select;  // another case may go
  return Answer::blocked;
}

OrderWalk::Answer OrderWalk::ask_once(const Event& e) {
  const Object& o = object(e.object);
  if (o.owner != 0) return Answer::blocked;
  lost_ |= o.over == (e.outcome != Outcome::failure);
  return Answer::goes;
}

OrderWalk::Answer OrderWalk::ask(uint32_t i) {
  const Event& e = run_.events[i];
  if (takes_lock(e)) return ask_lock(e);
  switch (e.kind) {
    case Kind::thread_start: {
      const uint32_t create = run_.threads[e.thread].create_event;
      return create >= done_.size() || done_[create] ? Answer::goes : Answer::blocked;
    }
    case Kind::thread_join: {
      const uint32_t exit = exit_of_[e.object];
      return exit != kNone && done_[exit] ? Answer::goes : Answer::blocked;
    }
    case Kind::cond_wake: {
      const bool alone = e.outcome == Outcome::spurious || e.outcome == Outcome::timeout;
      return alone || threads_[e.thread].notified ? Answer::goes : Answer::blocked;
    }
    case Kind::channel_send:
    case Kind::channel_receive: return ask_channel(e, side(i));
    case Kind::select: {
      const Side s = side(i);
      return s == Side::none ? Answer::goes : ask_channel(e, s);
    }
    case Kind::once_begin: return ask_once(e);
    case Kind::wait_group_wait: return object(e.object).count == 0 ? Answer::goes : Answer::blocked;
    default: return Answer::goes;
  }
}

void OrderWalk::notify(uint32_t i, bool all) {
  const Event& e = run_.events[i];
  Thread* chosen = nullptr;
  for (uint32_t u = 0; u < threads_.size(); ++u) {
    Thread& t = threads_[u];
    if (t.waits_on != e.object || e.object == 0 || t.notified) continue;
    if (all) t.notified = true;
    const uint32_t wake = next(u);
    const bool recorded = wake != kNone && run_.events[wake].partner == i;  // the one it woke in the run
    if (!chosen || recorded) chosen = &t;
  }
  if (chosen) chosen->notified = true;
}

void OrderWalk::apply(uint32_t i) {
  const Event& e = run_.events[i];
  Object& o = object(e.object);
  done_[i] = 1;
  if (takes_lock(e)) {
    if (shared_lock(e.kind)) {
      ++o.readers;
    } else {
      o.owner = e.thread + 1;
    }
    o.acquired = i;
    return;
  }
  if (kind_info(e.kind).has(kDropsLock)) {
    if (e.flags & kEventRecursive) return;
    if (o.owner == e.thread + 1) {
      o.owner = 0;
    } else if (o.readers > 0) {
      --o.readers;
    }
    return;
  }
  switch (e.kind) {
    case Kind::cond_wait:
      object(e.choice).owner = 0;
      threads_[e.thread].waits_on = e.object;
      threads_[e.thread].notified = false;
      break;
    case Kind::cond_wake: threads_[e.thread].waits_on = 0; break;
    case Kind::cond_signal: notify(i, false); break;
    case Kind::cond_broadcast: notify(i, true); break;
    case Kind::channel_close: o.over = true; break;
    case Kind::once_begin:
      if (e.outcome != Outcome::failure) o.owner = e.thread + 1;
      break;
    case Kind::once_end: o.owner = 0, o.over = true; break;
    case Kind::wait_group_add: o.count += delta_[i]; break;
    default: break;
  }
  const Side s = side(i);
  if (s == Side::send) ++o.count;
  if (s == Side::receive && !(o.over && o.count <= 0)) --o.count;
}

bool OrderWalk::step(uint32_t thread) {
  const uint32_t e = next(thread);
  if (e == kNone || held_[e]) return false;
  const Answer answer = ask(e);
  if (answer == Answer::blocked) return false;
  if (answer == Answer::with_partner) {
    apply(next(partner_));
    ++threads_[partner_].at;
  }
  apply(e);
  ++threads_[thread].at;
  return true;
}

uint32_t OrderWalk::blocker(uint32_t thread) const {
  const uint32_t i = next(thread);
  if (i == kNone) return kNobody;
  const Event& e = run_.events[i];
  if (!takes_lock(e) && e.kind != Kind::once_begin) return kNobody;
  const uint32_t owner = object(e.object).owner;
  return owner != 0 && owner != thread + 1 ? owner - 1 : kNobody;
}

bool OrderWalk::advance(uint32_t thread) {
  uint32_t t = thread;
  for (size_t n = 0; n < threads_.size() && t != kNobody && !lost_; ++n) {
    if (step(t)) return true;
    t = blocker(t);
  }
  for (t = 0; t < threads_.size() && !lost_; ++t) {
    if (step(t)) return true;
  }
  return lost_;
}

uint32_t OrderWalk::acquisition_in_the_way(uint32_t thread) const {
  for (uint32_t n = 0; n <= threads_.size(); ++n) {
    const uint32_t t = n == 0 ? thread : n - 1;
    const uint32_t owner = blocker(t);
    if (owner != kNobody && is_held(owner)) return object(run_.events[next(t)].object).acquired;
  }
  return kNone;
}

}  // namespace heddle::mutator
