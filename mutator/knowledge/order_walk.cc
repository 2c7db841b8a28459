#include "mutator/knowledge/order_walk.h"

#include <algorithm>

namespace heddle::mutator {
namespace {

bool takes_lock(const Event& e) {
  return kind_info(e.kind).has(kHoldsLock) && !(e.flags & kEventRecursive) &&
         !in_vain(e.outcome);
}

bool shared_lock(Kind kind) {
  return kind == Kind::rwlock_rdlock || kind == Kind::rwlock_tryrdlock ||
         kind == Kind::annotated_rdlock;
}

}  // namespace

OrderWalk::OrderWalk(const KnownRun& run, uint32_t cut, const BranchBook* branches)
    : run_(run),
      relations_(run.relations()),
      branches_(branches),
      threads_(run.threads.size()),
      objects_(run.objects.size() + 1),
      exit_of_(run.objects.size() + 1, kNone),
      flags_(run.events.size()) {
  if (branches_ != nullptr) recorded_.assign(run.events.size(), kNone);
  for (const ChannelRecord& c : run.channels) object(c.object).capacity = c.capacity;
  for (const SelectCase& c : run.select_cases) {
    const Event& e = run.events[c.event];
    if (e.kind != Kind::select || e.choice == kDefaultChoice || c.index != e.choice) continue;
    const bool sends = c.direction == static_cast<uint8_t>(CaseDirection::send);
    flags_[c.event] |= sends ? kSends : kReceives;
  }
  for (auto i = static_cast<uint32_t>(run.events.size()); i-- > 0;) {
    const Event& e = run.events[i];
    threads_[e.thread].next = i;
    if (e.kind == Kind::channel_send) flags_[i] |= kSends;
    if (e.kind == Kind::channel_receive) flags_[i] |= kReceives;
    if (e.kind == Kind::thread_exit) exit_of_[e.object] = i;
    if (e.kind == Kind::wait_group_add && delta_.empty()) delta_.resize(run.events.size());
  }
  if (!delta_.empty()) note_deltas();
  for (uint32_t i = 0; branches_ != nullptr && i < run.events.size(); ++i) note_source(i);
  for (Object& o : objects_) o.last = kNone, o.received = 0, o.sent.clear();
  for (uint32_t i = 0; cut != 0 && i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (!e.finished() || e.done >= cut) continue;
    apply(i);
    go_on(e.thread);
  }
}

void OrderWalk::note_deltas() {
  std::vector<int32_t> counts(run_.objects.size() + 1);
  for (uint32_t i = 0; i < run_.events.size(); ++i) {
    const Event& e = run_.events[i];
    if (e.kind != Kind::wait_group_add) continue;
    delta_[i] = static_cast<int32_t>(e.value) - counts[e.object];
    counts[e.object] = static_cast<int32_t>(e.value);
  }
}

void OrderWalk::go_on(uint32_t thread) {
  uint32_t& next = threads_[thread].next;
  if (next != kNone) next = relations_.next_in_thread(next);
}

// What the operation would read now: the last change of its object, of a lock its last release.
uint32_t OrderWalk::source(uint32_t i) const {
  const Object& o = object(run_.events[i].object);
  if (side(i) == Side::receive) return o.received < o.sent.size() ? o.sent[o.received] : kNone;
  return o.last;
}

// Keeps what source() is made of.
void OrderWalk::note_change(uint32_t i) {
  const Event& e = run_.events[i];
  const KindInfo& kind = kind_info(e.kind);
  const Side s = side(i);
  if (s == Side::send) object(e.object).sent.push_back(i);
  else if (s == Side::receive) ++object(e.object).received;
  else if (kind.has(kWrites) && !kind.has(kHoldsLock)) object(e.object).last = i;
  if (e.kind == Kind::cond_wait) object(e.choice).last = i;
}

void OrderWalk::note_source(uint32_t i) {
  recorded_[i] = source(i);
  if (run_.events[i].finished()) note_change(i);
}

// A thread that has read something else, and then comes to an operation after which there were
// different ways, may go another way.
void OrderWalk::judge(uint32_t i, uint32_t source) {
  if (branches_ == nullptr) return;
  const Event& e = run_.events[i];
  Thread& t = threads_[e.thread];
  if (kind_info(e.kind).has(kReads))
    t.doubtful |= source != recorded_[i] || (source != kNone && (flags_[source] & kDoubtful) != 0);
  if (t.doubtful) flags_[i] |= kDoubtful;
  if (t.doubtful && branches_->branches(run_, e)) lose(i);
}

// Nothing is known of what the thread does after this operation. Whoever gets a lock that it has
// finds what it has left there.
void OrderWalk::lose(uint32_t i) {
  const uint32_t thread = run_.events[i].thread;
  lost_ = threads_[thread].lost = true;
  if (branches_ == nullptr) return;
  flags_[i] |= kDoubtful;
  for (Object& o : objects_) {
    if (o.owner == thread + 1) o.last = i;
  }
}

bool OrderWalk::is_held(uint32_t thread) const {
  const uint32_t e = next(thread);
  return e != kNone && held(e) && !threads_[thread].lost;
}

bool OrderWalk::anyone_held() const {
  for (uint32_t t = 0; t < threads_.size(); ++t) {
    if (is_held(t)) return true;
  }
  return false;
}

OrderWalk::Side OrderWalk::side(uint32_t i) const {
  if ((flags_[i] & kSends) != 0) return Side::send;
  return (flags_[i] & kReceives) != 0 ? Side::receive : Side::none;
}

OrderWalk::Answer OrderWalk::ask_lock(const Event& e) {
  const Object& o = object(e.object);
  const bool free = !owned(o) && (shared_lock(e.kind) || o.readers == 0), taken = takes_lock(e);
  if (free) return taken ? Answer::goes : Answer::otherwise;  // a try that failed would succeed now
  if (!taken) return Answer::goes;
  return kind_info(e.kind).has(kBlocks) ? Answer::blocked : Answer::otherwise;
}

// Could a case of a select on this channel go now?
bool OrderWalk::ready(uint32_t thread, uint32_t channel, Side side) const {
  const Object& o = object(channel);
  if (channel == 0 || o.capacity == kNone) return false;
  if (o.over) return true;
  const bool sends = side == Side::send;
  if (sends ? o.count < static_cast<int32_t>(o.capacity) : o.count > 0) return true;
  for (uint32_t u = 0; o.capacity == 0 && u < threads_.size(); ++u) {
    const uint32_t other = next(u);
    if (u == thread || other == kNone || held(other) || threads_[u].lost ||
        run_.events[other].object != channel)
      continue;
    if (this->side(other) == (sends ? Side::receive : Side::send)) return true;
  }
  return false;
}

bool OrderWalk::another_case_ready(uint32_t i) const {
  const Event& e = run_.events[i];
  for (const SelectCase& c : run_.select_cases) {
    const bool taken =
        c.index == e.choice || (c.index == kDefaultCase && e.choice == kDefaultChoice);
    if (c.event != i || (taken && e.finished())) continue;
    if (c.index == kDefaultCase) return true;
    if (ready(
            e.thread, c.object,
            c.direction == static_cast<uint8_t>(CaseDirection::send) ? Side::send : Side::receive))
      return true;
  }
  return false;
}

OrderWalk::Answer OrderWalk::ask_channel(const Event& e, Side side) {
  const Object& o = object(e.object);
  if (e.object == 0) return Answer::blocked;  // a nil channel
  if (o.capacity == kNone) return Answer::otherwise;
  const bool sends = side == Side::send, ended = e.outcome == Outcome::failure;
  if (o.over) return sends || ended != (o.count <= 0) ? Answer::otherwise : Answer::goes;
  const Answer usual =
      ended ? Answer::otherwise : Answer::goes;  // a receive that found the channel closed
  if (sends ? o.count < static_cast<int32_t>(o.capacity) : o.count > 0) return usual;
  if (o.capacity == 0) {
    for (uint32_t u = 0; u < threads_.size(); ++u) {
      const uint32_t other = next(u);
      if (u == e.thread || other == kNone || held(other) || threads_[u].lost ||
          run_.events[other].object != e.object)
        continue;
      if (this->side(other) == (sends ? Side::receive : Side::send)) {
        partner_ = u;
        return ended ? Answer::otherwise : Answer::with_partner;
      }
    }
  }
  return Answer::blocked;
}

OrderWalk::Answer OrderWalk::ask_once(const Event& e) {
  const Object& o = object(e.object);
  if (owned(o)) return Answer::blocked;
  return o.over == (e.outcome != Outcome::failure) ? Answer::otherwise : Answer::goes;
}

OrderWalk::Answer OrderWalk::ask(uint32_t i) {
  const Event& e = run_.events[i];
  if (i == diverted_) return Answer::otherwise;
  if (e.outcome == Outcome::timeout || e.outcome == Outcome::interrupted) return Answer::goes;
  if (takes_lock(e) || (e.outcome == Outcome::failure && kind_info(e.kind).has(kHoldsLock)))
    return ask_lock(e);
  switch (e.kind) {
    case Kind::thread_start: {
      const uint32_t create = run_.threads[e.thread].create_event;
      return create >= flags_.size() || done(create) ? Answer::goes : Answer::blocked;
    }
    case Kind::thread_join: {
      const uint32_t exit = exit_of_[e.object];
      return exit != kNone && done(exit) ? Answer::goes : Answer::blocked;
    }
    case Kind::cond_wake: {
      const bool alone = e.outcome == Outcome::spurious || e.outcome == Outcome::timeout;
      return alone || threads_[e.thread].notified ? Answer::goes : Answer::blocked;
    }
    case Kind::channel_send:
    case Kind::channel_receive: return ask_channel(e, side(i));
    case Kind::select: {
      const Side s = side(i);
      if (!e.finished()) return another_case_ready(i) ? Answer::otherwise : Answer::blocked;
      if (s == Side::none) return another_case_ready(i) ? Answer::otherwise : Answer::goes;
      const Answer own = ask_channel(e, s);
      return own == Answer::blocked && another_case_ready(i) ? Answer::otherwise : own;
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
    const bool recorded =
        wake != kNone && run_.events[wake].partner == i;  // the one it woke in the run
    if (!chosen || recorded) chosen = &t;
  }
  if (chosen) chosen->notified = true;
}

void OrderWalk::apply(uint32_t i) {
  const Event& e = run_.events[i];
  Object& o = object(e.object);
  flags_[i] |= kDone;
  if (branches_ != nullptr) note_change(i);
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
  if (e == kNone || held(e) || threads_[thread].lost) return false;
  const Answer answer = ask(e);
  if (answer == Answer::blocked) return false;
  went_[0] = e;
  went_count_ = 1;
  if (answer == Answer::otherwise) {
    lose(e);
    flags_[e] |= kDone;
    return true;
  }
  uint32_t read = source(e);
  if (answer == Answer::with_partner) {
    const uint32_t other = next(partner_);
    const bool receives = side(e) == Side::receive;
    if (receives) read = other;
    went_[went_count_++] = other;
    go_on(partner_);
    judge(other, receives ? source(other) : e);
    apply(receives ? other : e);
    apply(receives ? e : other);
  } else {
    apply(e);
  }
  judge(e, read);
  go_on(thread);
  return true;
}

uint32_t OrderWalk::blocker(uint32_t thread) const {
  const uint32_t i = next(thread);
  if (i == kNone) return kNobody;
  const Event& e = run_.events[i];
  if (!takes_lock(e) && e.kind != Kind::once_begin) return kNobody;
  const uint32_t owner = object(e.object).owner;
  return owned(object(e.object)) && owner != thread + 1 ? owner - 1 : kNobody;
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

bool OrderWalk::wander(Rng& rng) {
  const auto n = static_cast<uint32_t>(threads_.size()), first = rng.below(n);
  for (uint32_t t = 0; t < n; ++t) {
    if (step((first + t) % n)) return true;
  }
  return false;
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
