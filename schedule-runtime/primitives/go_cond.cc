// sync.Cond: a wait ends by a notification alone.
#include "primitives/go_lock.h"

namespace heddle::rt::primitives {
namespace {

bool notified(const Pending& p) { return reinterpret_cast<const heddle_cond_waiter*>(p.detail)->notified != 0; }

Object& cond_object(heddle_cond* cond, Place place) {
  Object& o = go_object(cond, sizeof *cond, cond->tag, Family::go_cond, place);
  o.modelled = true;
  return o;
}

uint32_t count_waiters(const heddle_cond& cond) {
  uint32_t n = 0;
  for (const heddle_cond_waiter* w = cond.first; w != nullptr; w = w->next) ++n;
  return n;
}

void remove(heddle_cond& cond, heddle_cond_waiter& waiter) {
  (waiter.previous != nullptr ? waiter.previous->next : cond.first) = waiter.next;
  (waiter.next != nullptr ? waiter.next->previous : cond.last) = waiter.previous;
}

}  // namespace

void go_cond_begin(heddle_cond* cond, heddle_cond_waiter* waiter, Place place) {
  Object& o = cond_object(cond, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::cond_wait, .object = &o, .place = place});
  waiter->next = nullptr;
  waiter->previous = cond->last;
  (cond->last != nullptr ? cond->last->next : cond->first) = waiter;
  cond->last = waiter;
  e.commit(p, {});
}

void go_cond_sleep(heddle_cond* cond, heddle_cond_waiter* waiter, Place place) {
  Object& o = cond_object(cond, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::cond_wake, .object = &o, .place = place, .may_go = notified,
                         .detail = reinterpret_cast<uintptr_t>(waiter)});
  e.commit(p, {.outcome = Outcome::signalled, .partner = waiter->event, .stored = false});
}

void go_cond_notify(heddle_cond* cond, bool all, Place place) {
  Object& o = cond_object(cond, place);
  Engine& e = engine();
  const OpSpec spec{.kind = all ? Kind::cond_broadcast : Kind::cond_signal, .object = &o, .place = place};
  Pending& p = e.arrive(spec);
  const uint32_t count = count_waiters(*cond);
  if (count == 0) {
    e.commit(p, {.outcome = Outcome::failure});
    return;
  }
  if (all) {
    heddle_cond_waiter* w = cond->first;
    cond->first = cond->last = nullptr;
    for (heddle_cond_waiter* n = w; n != nullptr; n = n->next) n->notified = 1;
    const uint32_t event = e.commit(p, {.outcome = Outcome::success, .value = count});
    for (; w != nullptr; w = w->next) w->event = event;
    e.touched(o);
    return;
  }
  bool preferred = false;
  const uint32_t chosen = e.choose(spec, count, 1, &preferred);
  heddle_cond_waiter* w = cond->first;
  for (uint32_t i = 0; i < chosen; ++i) w = w->next;
  remove(*cond, *w);
  w->notified = 1;
  w->event = e.commit(p, {.outcome = Outcome::success, .value = count, .choice = chosen,
                          .flags = static_cast<uint8_t>(preferred ? kEventPreferred : 0)});
  e.touched(o);
}

}  // namespace heddle::rt::primitives
