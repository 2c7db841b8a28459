#include "simulator.h"

namespace heddle {

Event& Simulator::channel_event(uint32_t u, uint32_t object, bool send) {
  const bool select = draw(3) == 0;
  Event& e = add(u, select ? Kind::select : send ? Kind::channel_send : Kind::channel_receive, object);
  if (select) e.choice = draw(4);
  return e;
}

void Simulator::channel(uint32_t u, Channel& c) {
  const bool send = draw(2);
  if (draw(c.capacity > 16 ? 400 : 24) == 0) {
    Event& e = add(u, Kind::channel_close, c.object, c.closed() ? Outcome::failure : Outcome::none);
    e.partner = c.close_event;
    if (!c.closed()) c.close_event = last();
    return;
  }
  if (c.timer && c.sent - c.received < c.capacity && draw(2)) c.notes[c.sent++ % c.capacity] = kNoEvent;
  if (send && c.closed()) {  // misuse, where that is no finding
    Event& e = add(u, Kind::channel_send, c.object, Outcome::failure);
    e.partner = c.close_event;
    return;
  }
  const bool ready = c.capacity != 0 && (send ? c.sent - c.received < c.capacity : c.sent != c.received);
  if (ready) return moved(u, c, send);
  if (c.closed()) {
    Event& e = channel_event(u, c.object, false);
    e.outcome = Outcome::failure;
    e.partner = c.close_event;
    return;
  }
  if (c.capacity == 0) {
    const uint32_t v = draw(static_cast<uint32_t>(threads_.size()));
    if (v != u && threads_[v].state == Thread::free) return rendezvous(u, v, c, send);
  }
  nothing_there(u, c, send);
}

void Simulator::moved(uint32_t u, Channel& c, bool send) {
  uint32_t& number = send ? c.sent : c.received;
  uint32_t& note = c.notes[number % c.capacity];
  channel_event(u, c.object, send).partner = note;
  note = last();
  truth().direction = send ? Truth::send : Truth::receive;
  truth().number = number++;
}

void Simulator::nothing_there(uint32_t u, const Channel& c, bool send) {
  if (draw(2)) {
    add(u, send ? Kind::channel_send : Kind::channel_receive, c.object, Outcome::failure);
  } else {
    add(u, Kind::select, draw(2) ? c.object : 0).choice = kDefaultChoice;
  }
}

void Simulator::rendezvous(uint32_t u, uint32_t v, const Channel& c, bool send) {
  channel_event(u, c.object, send);
  truth().with = v;
  Thread& t = threads_[v];
  t.state = Thread::second_half;
  t.first_half = last();
  t.sends = !send;
  t.object = c.object;
}

void Simulator::finish_half(uint32_t u) {
  Thread& t = threads_[u];
  Event& e = channel_event(u, t.object, t.sends);
  Event& first = run_.trace.events[t.first_half];
  e.req = first.req - 1;
  e.partner = truth().meets = t.first_half;
  first.partner = run_.truth[t.first_half].meets = last();
  t.state = Thread::free;
}

}  // namespace heddle
