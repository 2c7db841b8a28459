// The rules of ClockTracker for information that goes from one event to one other event: values of channels, notifications of condition
// variables.
#include "order/clock_rules.h"

namespace heddle::order {

namespace {

// Stored notifications, by number. If a wake-up comes after more notifications than this, it joins all dropped ones. So it may get more
// order than there was, but never less.
constexpr uint32_t kNotifications = 16;

}  // namespace

Tokens& ClockTracker::tokens_of(ObjectState& o) {
  if (!o.tokens) o.tokens = memory_.make_array<Tokens>(1);
  return *o.tokens;
}

void ClockTracker::leave(Token& token, const Operation& op, const ThreadState& t) {
  token.event = op.event;
  publish(token.clock, t, op.thread);
}

// One token per slot. An operation takes the token that the slot's last user left there and leaves its own. (For a send, that user is the
// receive that emptied the slot. For a receive, it is the send that filled it.) So k-th send -> k-th receive -> (k+capacity)-th send. There
// are never more tokens than slots, except for values that no event sent (timers).
void ClockTracker::apply_channel(const Operation& op, ThreadState& t) {
  ObjectState& o = objects_.at(op.object, memory_);
  if (op.kind == Kind::channel_close) {
    if (!in_vain(op.outcome)) publish(o.write, t, op.thread);
    return;
  }
  if (in_vain(op.outcome)) {
    // A receive that saw the close has it as partner. An operation that would have had to wait has no partner, and a send that failed
    // acquires nothing.
    if (op.kind != Kind::channel_send && op.partner != kNoEvent) acquire(t, op.source ? *op.source : o.write);
    return;
  }
  if (op.partner_thread != kNoThread) return meet(op, t);
  if (op.source) return acquire(t, *op.source);
  if (op.event == kNoEvent) return;
  Token* slot = nullptr;
  if (op.partner != kNoEvent) {
    if (op.partner == t.met_by) return acquire(t, t.meeting);
    slot = tokens_of(o).find(op.partner, memory_);
    if (slot) acquire(t, slot->clock);
  }
  leave(slot ? *slot : tokens_of(o).append(memory_), op, t);
}

// The first half of a rendezvous that is applied. The partner is still inside its half, so everything that it did before is in our past.
// Its plain accesses up to here have at most the epoch of the operation where it waits, so that epoch is covered, too. Our clock is stored
// for that operation.
void ClockTracker::meet(const Operation& op, ThreadState& t) {
  ThreadState& p = thread_at(op.partner_thread);
  acquire(t, p.clock);
  learn(t, op.partner_thread, p.epoch);
  if (op.event == kNoEvent) return;
  p.met_by = op.event;
  publish(p.meeting, t, op.thread);
}

void ClockTracker::apply_notification(const Operation& op, ThreadState& t) {
  ObjectState& o = objects_.at(op.object, memory_);
  if (op.kind == Kind::cond_wake) {
    // The soft edge: a wake-up without a notification acquires nothing.
    if (op.partner == kNoEvent || op.outcome == Outcome::spurious || in_vain(op.outcome)) return;
    if (op.source) return acquire(t, *op.source);
    const Token* token = tokens_of(o).find(op.partner, memory_);
    return acquire(t, token ? token->clock : o.write);
  }
  if (op.event == kNoEvent) return;
  Tokens& tokens = tokens_of(o);
  if (tokens.size() < kNotifications) return leave(tokens.append(memory_), op, t);
  Token& oldest = tokens.at(o.dropped++ % kNotifications, memory_);
  o.write.join(oldest.clock, memory_);
  leave(oldest, op, t);
}

}  // namespace heddle::order
