#include "primitives/futex.h"

#include <errno.h>
#include <linux/futex.h>

#include "base/asan.h"
#include "primitives/atomic.h"
#include "primitives/atomic_weak.h"
#include "primitives/interruption.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

// A wait without a time limit wakes spuriously with probability 1/16, and at most once.
constexpr uint32_t kNoSpuriousWeight = 31;

// On the stack of the waiting thread. The thread is parked as long as the object is in use.
struct Waiter {
  uint32_t bitset;
  bool woken;
  bool spurious;
  uint32_t wake_event;
};

Waiter& waiter_of(const Pending& p) { return *reinterpret_cast<Waiter*>(p.detail); }

bool may_leave(const Pending& p) { return waiter_of(p).woken || waiter_of(p).spurious; }

// The atomic at the word's address is a separate object. A futex word is aligned to four bytes, so no other object begins at the second
// byte of the word.
Object& futex_object(const uint32_t* word, Place place) {
  return engine().object(reinterpret_cast<uintptr_t>(word) + 1, Family::futex, place);
}

// Only a wait reads the word. A wake uses its address alone. The memory may have been freed by then: whoever waited needs no wake-up to see the new value, and
// libraries rely on that (std::atomic::notify_one behind the last store to an atomic).
void check_read(const uint32_t* word, Place place) {
  asan_check(word, sizeof *word, false, place.pc, place.frame);
  Engine::check_use(reinterpret_cast<uintptr_t>(word) + 1, Family::futex, place);
}

bool waits_for(const Pending& p, uint32_t bitset) { return !waiter_of(p).woken && (waiter_of(p).bitset & bitset) != 0; }

uint32_t count_waiters(const Object& o, uint32_t bitset) {
  uint32_t n = 0;
  for (const Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) n += waits_for(*p, bitset);
  return n;
}

// The n-th waiter in order of arrival. The list has the newest first.
Pending& nth_waiter(const Object& o, uint32_t bitset, uint32_t n, uint32_t count) {
  uint32_t skip = count - 1 - n;
  for (Pending* p = o.pending_head;; p = p->owner->next_pending) {
    if (waits_for(*p, bitset) && skip-- == 0) return *p;
  }
}

// Null: the wake is no operation of its own, but belongs to the one that the thread has just made. `moves`: other waiters will be moved.
uint32_t wake_waiters(Object& o, const OpSpec& spec, Pending* p, uint32_t limit, uint32_t bitset, bool moves = false) {
  Engine& e = engine();
  const uint32_t count = count_waiters(o, bitset);
  const uint32_t woken = limit < count ? limit : count;
  Commit how{.outcome = woken != 0 || (moves && count != 0) ? Outcome::success : Outcome::failure, .value = woken};
  // Which waiters, if not all: one choice for each waiter that is woken.
  uint32_t chosen[8];
  const uint32_t choices = woken == count ? 0 : woken < 8 ? woken : 8;
  for (uint32_t i = 0; i < choices; ++i) {
    bool preferred;
    chosen[i] = e.choose(spec, count - i, 1, &preferred);
    if (preferred) how.flags |= kEventPreferred;
  }
  if (choices != 0) how.choice = chosen[0];
  const uint32_t event = p != nullptr ? e.commit(*p, how) : e.announce(spec, how);
  for (uint32_t i = 0; i < woken; ++i) {
    Waiter& waiter = waiter_of(nth_waiter(o, bitset, i < choices ? chosen[i] : 0, count - i));
    waiter.woken = true;
    waiter.wake_event = event;
  }
  e.touched(o);
  return woken;
}

// `arrives`: the wake is an operation of its own.
uint32_t wake(const uint32_t* word, uint32_t limit, uint32_t bitset, Place place, bool arrives) {
  Object& o = futex_object(word, place);
  const OpSpec spec{.kind = Kind::futex_wake, .object = &o, .place = place};
  Pending* const p = arrives ? &engine().arrive(spec) : nullptr;
  if (graph::active()) weak_barrier();
  return wake_waiters(o, spec, p, limit, bitset);
}

bool fulfils(uint32_t condition, int before, int argument) {
  switch (condition) {
    case FUTEX_OP_CMP_EQ: return before == argument;
    case FUTEX_OP_CMP_NE: return before != argument;
    case FUTEX_OP_CMP_LT: return before < argument;
    case FUTEX_OP_CMP_LE: return before <= argument;
    case FUTEX_OP_CMP_GT: return before > argument;
    default: return before >= argument;  // FUTEX_OP_CMP_GE
  }
}

int signed_12_bits(uint32_t bits) { return static_cast<int>(bits << 20) >> 20; }

}  // namespace

int futex_wait(const uint32_t* word, uint32_t expected, uint32_t bitset, uint64_t deadline, Place place) {
  check_read(word, place);
  Object& o = futex_object(word, place);
  Engine& e = engine();
  Pending& enter = e.arrive({.kind = Kind::futex_wait, .object = &o, .place = place});
  if (graph::active()) weak_glance(word, place);
  const uint32_t value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  if (value != expected) {
    e.commit(enter, {.outcome = Outcome::failure, .value = value, .stored = false});
    return EAGAIN;
  }
  e.commit(enter, {.value = value, .stored = false});

  Waiter waiter{bitset, false, false, kNoEvent};
  OpSpec spec{.kind = Kind::futex_wait, .object = &o, .place = place, .may_go = may_leave, .deadline = deadline,
              .detail = reinterpret_cast<uintptr_t>(&waiter)};
  bool preferred;
  bool early;
  if (deadline != kNever) {
    early = spec.may_time_out_early = draws_early_timeout(spec, preferred);
  } else {
    early = waiter.spurious = draws_spurious_wake(spec, kNoSpuriousWeight, preferred);
  }
  spec.prefers = early && preferred;  // it then goes at once: what happens next could be its cause
  waiter.spurious |= wakes_for_handler();
  Pending& leave = e.arrive(spec);
  Commit how{.value = value, .choice = early ? 1u : 0u,
             .flags = static_cast<uint8_t>(preferred ? kEventPreferred : 0), .stored = false};
  int result = 0;
  if (waiter.woken) {
    how.outcome = Outcome::signalled;
    how.partner = waiter.wake_event;
  } else if (leave.timed_out) {
    how.outcome = Outcome::timeout;
    result = ETIMEDOUT;
  } else {
    how.outcome = Outcome::spurious;
  }
  e.commit(leave, how);
  if (spec.prefers && !waiter.woken) e.go_first();
  return result;
}

void futex_label(const uint32_t* word, const char* label, Place place) { futex_object(word, place).label = label; }

void futex_wake_without_cause(Pending& p) {
  waiter_of(p).spurious = true;
  engine().wake(p);
}

uint32_t futex_wake(const uint32_t* word, uint32_t limit, uint32_t bitset, Place place) { return wake(word, limit, bitset, place, true); }

long futex_requeue(const uint32_t* word, uint32_t limit, const uint32_t* other, uint32_t other_limit, const uint32_t* expected, Place place) {
  if (expected != nullptr) check_read(word, place);
  Engine& e = engine();
  Object &from = futex_object(word, place), &to = futex_object(other, place);
  const OpSpec spec{.kind = Kind::futex_wake, .object = &from, .place = place};
  Pending& p = e.arrive(spec);
  if (graph::active()) weak_barrier();
  if (expected != nullptr && __atomic_load_n(word, __ATOMIC_SEQ_CST) != *expected) {
    e.commit(p, {.outcome = Outcome::failure, .stored = false});
    return -EAGAIN;
  }
  const uint32_t woken = wake_waiters(from, spec, &p, limit, FUTEX_BITSET_MATCH_ANY, other_limit != 0);
  const uint32_t left = count_waiters(from, FUTEX_BITSET_MATCH_ANY), moved = other_limit < left ? other_limit : left;
  // Those that have waited for longest.
  for (uint32_t i = 0; i < moved && &from != &to; ++i) e.move_to(nth_waiter(from, FUTEX_BITSET_MATCH_ANY, 0, left - i), to);
  e.touched(to);
  return woken + (expected != nullptr ? moved : 0);
}

long futex_wake_op(const uint32_t* word, uint32_t limit, uint32_t* other, uint32_t other_limit, uint32_t how, Place place) {
  constexpr int kOrder = __ATOMIC_SEQ_CST;
  const uint32_t change = how >> 28 & 7, condition = how >> 24 & 15;
  const bool shifted = (how >> 28 & FUTEX_OP_OPARG_SHIFT) != 0;
  const auto argument = static_cast<uint32_t>(shifted ? 1 << (how >> 12 & 31) : signed_12_bits(how >> 12 & 0xFFF));
  if (condition > FUTEX_OP_CMP_GE) return -ENOSYS;
  uint32_t before;
  switch (change) {
    case FUTEX_OP_SET: before = atomic_rmw<Rmw::exchange>(other, argument, kOrder, place); break;
    case FUTEX_OP_ADD: before = atomic_rmw<Rmw::add>(other, argument, kOrder, place); break;
    case FUTEX_OP_OR: before = atomic_rmw<Rmw::bit_or>(other, argument, kOrder, place); break;
    case FUTEX_OP_ANDN: before = atomic_rmw<Rmw::bit_and>(other, ~argument, kOrder, place); break;
    case FUTEX_OP_XOR: before = atomic_rmw<Rmw::bit_xor>(other, argument, kOrder, place); break;
    default: return -ENOSYS;
  }
  uint32_t woken = wake(word, limit, FUTEX_BITSET_MATCH_ANY, place, false);
  if (fulfils(condition, static_cast<int>(before), signed_12_bits(how & 0xFFF))) woken += wake(other, other_limit, FUTEX_BITSET_MATCH_ANY, place, false);
  return woken;
}

}  // namespace heddle::rt::primitives
