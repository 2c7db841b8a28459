// Channels on real threads. Each channel has one lock. Waiting threads are served first in, first
// out, and get values directly. The rules are those of Go's runtime (chan.go).
#ifndef HEDDLE_DETAIL_CHANNEL_REAL_H_
#define HEDDLE_DETAIL_CHANNEL_REAL_H_

#include <heddle/detail/channel_state.h>

namespace heddle::detail::real {

inline Waiting* owner_of(const heddle_channel_case* c) { return static_cast<Waiting*>(c->owner); }

inline void append(CaseQueue& queue, heddle_channel_case* c, Waiting* owner) {
  c->owner = owner;
  c->next = nullptr;
  c->previous = queue.last;
  (queue.last != nullptr ? queue.last->next : queue.first) = c;
  queue.last = c;
}

// Does nothing if the case is in no queue.
inline void unlink(CaseQueue& queue, heddle_channel_case* c) {
  if (c->owner == nullptr) return;
  (c->previous != nullptr ? c->previous->next : queue.first) = c->next;
  (c->next != nullptr ? c->next->previous : queue.last) = c->previous;
  c->owner = nullptr;
}

inline CaseQueue& queue_of(ChannelState& channel, const heddle_channel_case& c) {
  return c.send != 0 ? channel.senders : channel.receivers;
}

// Threads that were served. They are woken after all locks are released, because they run at once
// and need these locks.
struct Served {
  Waiting* first = nullptr;

  void add(Waiting* waiting) {
    waiting->next_served = first;
    first = waiting;
  }
  void wake() {
    while (first != nullptr) {
      Waiting* waiting = first;
      first = waiting->next_served;
      waiting->serve();
    }
  }
};

// Removes the oldest waiting case from the queue and claims its thread; null if there is none.
// Skips cases of a select that was served elsewhere.
inline heddle_channel_case* claim_first(CaseQueue& queue, Served& served,
                                        heddle_case_result result) {
  while (heddle_channel_case* c = queue.first) {
    Waiting* waiting = owner_of(c);
    unlink(queue, c);
    if (!waiting->claim()) continue;
    c->result = result;
    waiting->taken = c;
    served.add(waiting);
    return c;
  }
  return nullptr;
}

inline void look_again(CaseQueue& queue, Served& served) {
  while (heddle_channel_case* c = queue.first) {
    Waiting* waiting = owner_of(c);
    unlink(queue, c);
    if (waiting->claim()) served.add(waiting);
  }
}

inline bool anyone_in(const CaseQueue& queue) {
  for (const heddle_channel_case* c = queue.first; c != nullptr; c = c->next) {
    if (!owner_of(c)->claimed()) return true;
  }
  return false;
}

inline void put_last(ChannelState& channel, const void* cell) {
  const uint32_t room = channel.capacity - channel.head;
  const uint32_t place = channel.count < room ? channel.head + channel.count : channel.count - room;
  std::memcpy(channel.cells + static_cast<size_t>(place) * channel.cell_size, cell,
              channel.cell_size);
  ++channel.count;
}

inline void take_first(ChannelState& channel, void* cell) {
  std::memcpy(cell, channel.cells + static_cast<size_t>(channel.head) * channel.cell_size,
              channel.cell_size);
  channel.head = channel.head + 1 == channel.capacity ? 0 : channel.head + 1;
  --channel.count;
}

// The functions from here to operate() require the channel's lock.

inline bool could_go(const ChannelState& channel, const heddle_channel_case& c) {
  if (channel.closed != 0) return true;
  return c.send != 0 ? channel.count < channel.capacity || anyone_in(channel.receivers)
                     : channel.count != 0 || anyone_in(channel.senders);
}

inline bool try_send(ChannelState& channel, heddle_channel_case& c, Served& served) {
  c.result = heddle_case_passed;
  if (channel.closed != 0) {
    c.result = heddle_case_closed;
  } else if (heddle_channel_case* receiver =
                 claim_first(channel.receivers, served, heddle_case_passed)) {
    std::memcpy(receiver->cell, c.cell, channel.cell_size);
  } else if (channel.count < channel.capacity) {
    put_last(channel, c.cell);
  } else {
    c.result = heddle_case_none;
  }
  return c.result != heddle_case_none;
}

inline bool try_receive(ChannelState& channel, heddle_channel_case& c, Served& served) {
  c.result = heddle_case_passed;
  if (channel.count != 0) {
    take_first(channel, c.cell);
    if (heddle_channel_case* sender = claim_first(channel.senders, served, heddle_case_passed))
      put_last(channel, sender->cell);
  } else if (heddle_channel_case* sender =
                 claim_first(channel.senders, served, heddle_case_passed)) {
    std::memcpy(c.cell, sender->cell, channel.cell_size);
  } else {
    c.result = channel.closed != 0 ? heddle_case_closed : heddle_case_none;
  }
  return c.result != heddle_case_none;
}

inline bool try_case(ChannelState& channel, heddle_channel_case& c, Served& served) {
  return c.send != 0 ? try_send(channel, c, served) : try_receive(channel, c, served);
}

inline void close_locked(ChannelState& channel, Served& served) {
  channel.closed = 1;
  while (claim_first(channel.receivers, served, heddle_case_closed) != nullptr) {
  }
  while (claim_first(channel.senders, served, heddle_case_closed) != nullptr) {
  }
}

[[gnu::noinline]] inline void act_if_due(ChannelState& channel, Served& served) {
  const uint64_t time = now();
  if (channel.due > time) return;
  if (channel.timer == heddle_timer_closes) {
    if (channel.closed == 0) close_locked(channel, served);
    channel.due = HEDDLE_NEVER;
    return;
  }
  heddle_channel_case c{};
  uint64_t cell = time;
  c.cell = &cell;
  try_send(channel, c, served);  // no room: the tick is lost, a ticker does not wait
  channel.due = channel.period == 0
                    ? HEDDLE_NEVER
                    : channel.due + ((time - channel.due) / channel.period + 1) * channel.period;
}

// A timer acts only when a thread looks at it, which happens here.
inline void look(ChannelState& channel, Served& served) {
  if (channel.due != HEDDLE_NEVER) act_if_due(channel, served);
}

class Locked {
 public:
  explicit Locked(ChannelState& channel) : channel_(channel) {
    channel_.lock.lock();
    look(channel_, served);
  }
  ~Locked() {
    channel_.lock.unlock();
    served.wake();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  Served served;

 private:
  ChannelState& channel_;
};

// A send or a receive. With `otherwise` it does not wait.
[[gnu::noinline]] inline heddle_case_result operate(ChannelState& channel, heddle_channel_case& c,
                                                    bool otherwise) {
  for (;;) {
    Waiting waiting;
    uint64_t deadline;
    {
      Locked locked(channel);
      if (try_case(channel, c, locked.served)) return c.result;
      if (otherwise) return heddle_case_none;
      append(queue_of(channel, c), &c, &waiting);
      deadline = channel.due;
    }
    if (!waiting.park(deadline)) {
      Locked locked(channel);
      unlink(queue_of(channel, c), &c);
    } else if (waiting.taken != nullptr) {
      return c.result;
    }
  }
}

// Returns 0, or 1 if the channel was already closed.
[[gnu::noinline]] inline int close(ChannelState& channel) {
  Locked locked(channel);
  if (channel.closed != 0) return 1;
  close_locked(channel, locked.served);
  return 0;
}

[[gnu::noinline]] inline uint32_t size(ChannelState& channel) {
  Locked locked(channel);
  return channel.count;
}

// True if the timer had not acted yet, or its value was not received. That value is dropped.
[[gnu::noinline]] inline bool set_timer(ChannelState& channel, uint64_t due, uint64_t period) {
  Locked locked(channel);
  const bool pending = channel.due != HEDDLE_NEVER || channel.count != 0;
  channel.count = 0;
  channel.due = due;
  channel.period = period;
  look_again(channel.receivers, locked.served);
  return pending;
}

// From now on the channel does not close by itself. False if it already has.
[[gnu::noinline]] inline bool disarm(ChannelState& channel) {
  Locked locked(channel);
  if (channel.closed != 0) return false;
  channel.due = HEDDLE_NEVER;
  return true;
}

}  // namespace heddle::detail::real

#endif  // HEDDLE_DETAIL_CHANNEL_REAL_H_
