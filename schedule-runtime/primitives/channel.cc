#include "primitives/channel.h"

#include <string.h>

#include "base/asan.h"
#include "primitives/panic.h"
#include "trace/recorder.h"
#include "trace/run_notes.h"
#include "trace/sites.h"

namespace heddle::rt::primitives {
namespace {

bool timer_due(const heddle_channel& c) { return c.due <= engine().now(); }

bool has_value(const heddle_channel& c) {
  return c.count != 0 || (c.timer == heddle_timer_sends && c.capacity != 0 && timer_due(c));
}

bool is_closed(const heddle_channel& c) { return c.closed != 0 || (c.timer == heddle_timer_closes && timer_due(c)); }

ChannelWaiter& waiter_of(const heddle_channel_case& c) { return *static_cast<ChannelWaiter*>(c.owner); }

// The operation has no partner yet, and would take one.
bool waits(const ChannelWaiter& w) { return w.taken < 0 && !w.wants_default; }

// Could the case go if operations that wait for a single preferred case counted like all others?
bool roughly_ready(const heddle_channel_case& c, const ChannelWaiter& self) {
  if (c.channel == nullptr) return false;
  const heddle_channel& channel = *c.channel;
  if (is_closed(channel)) return true;
  if (channel.capacity != 0) return c.send ? channel.count < channel.capacity : has_value(channel);
  Object* o = engine().find_object(reinterpret_cast<uintptr_t>(c.channel));
  if (o == nullptr) return false;
  for (const heddle_channel_case* other = queue_of(*o, !c.send).first; other != nullptr; other = other->next) {
    if (other->owner != &self && waits(waiter_of(*other))) return true;
  }
  return false;
}

// Could the operation take another case, or go on without any?
bool has_other(const ChannelWaiter& w, const heddle_channel_case& c) {
  if (w.otherwise) return true;
  for (const heddle_channel_case& other : w.cases) {
    if (&other != &c && roughly_ready(other, w)) return true;
  }
  return false;
}

// If two selects meet, one came first and found nothing ready. A select that waits for a single preferred case although others are ready
// can only have come second. So can one that has other ready cases or need not wait. Two such selects never meet.
bool may_meet(const heddle_channel_case& mine, const ChannelWaiter& self, const heddle_channel_case& theirs) {
  const ChannelWaiter& other = waiter_of(theirs);
  if (other.only < 0 || !has_other(other, theirs)) return true;
  return !has_other(self, mine);
}

void record_channel(Object& o, const heddle_channel& channel, Place place) {
  ChannelState& s = o.as<ChannelState>();
  s = {};
  s.record = kNoEvent;
  s.close_event = kNoEvent;
  auto& records = recorder().channels;
  if (records.full()) return;
  s.record = static_cast<uint32_t>(records.size());
  const SiteId site = Engine::spot_of(*current_thread(), place).id;
  records.push() = {site, o.index, channel.capacity, channel.count, 0, channel.closed, 0};
  if (channel.timer == heddle_timer_sends) o.label = channel.period != 0 ? "ticker" : "timer";
  if (channel.timer == heddle_timer_closes) o.label = "end of a context";
}

}  // namespace

Object& channel_object(heddle_channel* channel, Place place) {
  asan_check(channel, sizeof *channel, false, place.pc, place.frame);
  Object& o = engine().object(reinterpret_cast<uintptr_t>(channel), Family::channel, place);
  if (!o.modelled) {
    o.modelled = true;
    record_channel(o, *channel, place);
  }
  return o;
}

void channel_made(heddle_channel* channel, Place place) {
  engine().forget_object(reinterpret_cast<uintptr_t>(channel));
  const uint32_t record = channel_object(channel, place).as<ChannelState>().record;
  if (record != kNoEvent) recorder().channels[record].made = 1;
}

// The owner of the last handle drains the channel, like receives: this comes after the sends of the values.
void channel_gone(heddle_channel* channel, Place place) {
  Engine& e = engine();
  Object* o = e.find_object(reinterpret_cast<uintptr_t>(channel));
  if (o == nullptr || o->family != Family::channel) return;
  for (uint32_t i = 0; i < channel->count; ++i) {
    Pending& p = e.arrive({.kind = Kind::channel_receive, .object = o, .place = place});
    e.commit(p, {.outcome = Outcome::success, .partner = channel->notes[(channel->head + i) % channel->capacity], .news = true});
  }
  e.forget_object(o->address);
}

// Reading the size: a choice point like others. Repeating it teaches the thread nothing.
uint32_t channel_size(heddle_channel* channel, Place place) {
  Object& o = channel_object(channel, place);
  Pending& p = engine().arrive({.kind = Kind::select, .object = &o, .place = place});
  settle_timer(*channel);
  engine().commit(p, {.outcome = Outcome::failure, .value = channel->count, .choice = kDefaultChoice, .stored = false});
  return channel->count;
}

void channel_touched(heddle_channel* channel) {
  Engine& e = engine();
  Object* o = e.find_object(reinterpret_cast<uintptr_t>(channel));
  if (o == nullptr || o->family != Family::channel) return;
  for (Pending* p = o->pending_head; p != nullptr; p = p->owner->next_pending) {
    if (p->kind == Kind::channel_receive) p->deadline = channel->due;
  }
  e.touched(*o);
  for (heddle_channel_case* c = queue_of(*o, false).first; c != nullptr; c = c->next) {
    Pending& p = *waiter_of(*c).op;
    if (channel->due < p.deadline) p.deadline = channel->due;
    e.wake(p);
  }
}

void timer_set(heddle_channel* channel, bool was_pending, Place place) {
  channel_touched(channel);
  const Object* const o = engine().find_object(reinterpret_cast<uintptr_t>(channel));
  if (o == nullptr || o->family != Family::channel) return;
  Thread& t = *current_thread();
  const Spot& spot = Engine::spot_of(t, place);
  run_notes().add({channel->due == HEDDLE_NEVER ? RunNote::timer_stopped : RunNote::timer_reset, was_pending, t.index, o->index,
                   static_cast<uint32_t>(recorder().events.size()), spot.position, spot.context});
}

int channel_close(heddle_channel* channel, Place place) {
  if (channel == nullptr) {
    panic(FindingType::close_of_nil_channel, nullptr, place);
    return 2;
  }
  Engine& e = engine();
  Object& o = channel_object(channel, place);
  ChannelState& s = o.as<ChannelState>();
  Pending& p = e.arrive({.kind = Kind::channel_close, .object = &o, .place = place});
  settle_timer(*channel);
  if (channel->closed) {
    panic(FindingType::close_of_closed_channel, &o, place, s.close_event);
    e.commit(p, {.outcome = Outcome::failure, .partner = s.close_event, .stored = false});
    return 1;
  }
  channel->closed = 1;
  if (s.record != kNoEvent) recorder().channels[s.record].closed = 1;
  s.close_event = e.commit(p, {.news = true});
  wake_waiting(o);
  return 0;
}

// --- who waits -----------------------------------------------------------------------------------

void enqueue(Object& o, heddle_channel_case& c, ChannelWaiter& waiter) {
  CaseQueue& q = queue_of(o, c.send != 0);
  c.owner = &waiter;
  c.next = nullptr;
  c.previous = q.last;
  (q.last != nullptr ? q.last->next : q.first) = &c;
  q.last = &c;
}

void dequeue(Object& o, heddle_channel_case& c) {
  CaseQueue& q = queue_of(o, c.send != 0);
  (c.previous != nullptr ? c.previous->next : q.first) = c.next;
  (c.next != nullptr ? c.next->previous : q.last) = c.previous;
  c.owner = nullptr;
}

void wake_waiting(Object& o) {
  for (const bool send : {false, true}) {
    for (heddle_channel_case* c = queue_of(o, send).first; c != nullptr; c = c->next) engine().wake(*waiter_of(*c).op);
  }
}

heddle_channel_case* partner_of(const heddle_channel_case& c, const ChannelWaiter& self) {
  Object* o = engine().find_object(reinterpret_cast<uintptr_t>(c.channel));
  if (o == nullptr) return nullptr;
  for (heddle_channel_case* other = queue_of(*o, !c.send).first; other != nullptr; other = other->next) {
    if (other->owner != &self && waits(waiter_of(*other)) && may_meet(c, self, *other)) return other;
  }
  return nullptr;
}

bool case_ready(const heddle_channel_case& c, const ChannelWaiter& self) {
  if (c.channel == nullptr) return false;
  const heddle_channel& channel = *c.channel;
  if (c.send) {
    if (is_closed(channel)) return true;
    return channel.capacity != 0 ? channel.count < channel.capacity : partner_of(c, self) != nullptr;
  }
  if (has_value(channel) || is_closed(channel)) return true;
  return channel.capacity == 0 && partner_of(c, self) != nullptr;
}

void settle_timer(heddle_channel& c) {
  if (c.timer == heddle_timer_none || !timer_due(c)) return;
  const uint64_t now = engine().now();
  if (c.timer == heddle_timer_closes) {
    c.closed = 1;
  } else if (c.count < c.capacity) {
    const uint32_t slot = (c.head + c.count) % c.capacity;
    memcpy(c.cells + static_cast<size_t>(slot) * c.cell_size, &now, c.cell_size < sizeof now ? c.cell_size : sizeof now);
    c.notes[slot] = kNoEvent;
    ++c.count;
  }
  c.due = c.period == 0 ? HEDDLE_NEVER : c.due + c.period * ((now - c.due) / c.period + 1);
}

}  // namespace heddle::rt::primitives
