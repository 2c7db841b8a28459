// Channels and select (heddle/chan.h). The values, their number and the closed flag are in the program's own heddle_channel.
// The engine's object represents only the waiters.
//
// A buffered channel is like any other object: an operation can go when there is room, or a value. On an unbuffered one, an operation needs two
// threads: the first waits in the channel's queue, and the second completes both. So the choice point of the operation stands before it enters
// the queue: an operation that a schedule holds back is no partner. The first one's event is recorded when it goes on.
#pragma once

#include <cstdint>
#include <span>

#include "engine/engine.h"
#include "heddle/detail/hooks.h"

namespace heddle::rt::primitives {

void channel_made(heddle_channel* channel, Place place);
void channel_gone(heddle_channel* channel, Place place);
uint32_t channel_size(heddle_channel* channel, Place place);
// Its timer was set again.
void channel_touched(heddle_channel* channel);
void timer_set(heddle_channel* channel, bool was_pending, Place place);
// 0; 1: it was closed; 2: nil.
int channel_close(heddle_channel* channel, Place place);
// Index of the case taken; -1: none was ready, and `otherwise` allows that.
int32_t channel_wait(std::span<heddle_channel_case> cases, heddle_channel_operation operation, bool otherwise, Place place);

// --- between channel.cc and channel_wait.cc ---------------------------------------------------

struct CaseQueue {
  heddle_channel_case* first;
  heddle_channel_case* last;
};

struct ChannelState {
  CaseQueue senders;    // of those who wait; on a buffered channel selects only
  CaseQueue receivers;
  uint32_t record;      // in the recorder's channels; kNoEvent
  uint32_t close_event;
};

// An operation that waits, on the stack of its thread.
struct ChannelWaiter {
  Pending* op;
  std::span<heddle_channel_case> cases;
  int32_t only;      // it waits for this case alone, as the schedule prefers; -1: for all
  bool otherwise;    // it does not wait
  bool wants_default;  // it waits until nothing is ready, as the schedule prefers, so it is never a partner
  int32_t taken;     // the case that a partner has completed; -1
  uint32_t partner;  // the partner's event
  uint32_t value;    // what passed between the two, as it is recorded
};

Object& channel_object(heddle_channel* channel, Place place);
inline CaseQueue& queue_of(Object& o, bool send) {
  return send ? o.as<ChannelState>().senders : o.as<ChannelState>().receivers;
}
void enqueue(Object& o, heddle_channel_case& c, ChannelWaiter& waiter);
void dequeue(Object& o, heddle_channel_case& c);
// Threads that wait there check again.
void wake_waiting(Object& o);

// Can the case go now? `self` is the operation that asks. Its own cases are never partners of each other.
bool case_ready(const heddle_channel_case& c, const ChannelWaiter& self);
// The oldest case that can go together with `c`; null. Unbuffered channels only.
heddle_channel_case* partner_of(const heddle_channel_case& c, const ChannelWaiter& self);
// If the channel's timer has expired, it acts.
void settle_timer(heddle_channel& c);

}  // namespace heddle::rt::primitives
