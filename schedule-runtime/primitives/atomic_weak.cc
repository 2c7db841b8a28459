#include "primitives/atomic_weak.h"

#include "races/race_detector.h"

namespace heddle::rt::primitives {
namespace {

graph::ExecutionGraph& graph_of_run() { return graph::execution_graph(); }

// An annotation may say that a thread's operations order nothing.
bool orders_nothing(const Thread& t) { return (t.ignored.what & kIgnoreOrder) != 0; }

// `read`: the view of the store that the kernel has read; null: it has read none.
void barrier(const order::VectorClock* read) {
  if (!orders_nothing(*current_thread())) race_detector_barrier(current_thread()->index, read);
  weak_fence(weak_epoch());
}

// Null: the word is no atomic, as far as heddle knows. If it is not known at all, it becomes one: its first store may still come.
graph::Location* compared(const uint32_t* word, Place place) {
  const auto address = reinterpret_cast<uintptr_t>(word);
  const Object* const known = engine().find_object(address);
  if (known != nullptr && known->family != Family::atomic) return nullptr;
  const Object& o = engine().object(address, Family::atomic, place);
  graph::Location* const x = graph_of_run().find(o.index);
  if (x != nullptr && x->size != sizeof *word) return x;
  return &graph_of_run().location(o.index, o.address, sizeof *word, {__atomic_load_n(word, __ATOMIC_SEQ_CST), 0});
}

}  // namespace

WeakOp::WeakOp(Object& object, Pending& op, uint32_t size, graph::Value in_memory)
    : object_(object), op_(op), location_(graph_of_run().location(object.index, object.address, size, in_memory)), thread_(op.thread_index),
      epoch_(race_detector_epoch(op.thread_index)), size_(size) {}

graph::Step WeakOp::step(graph::Act act, MemoryOrder order) const {
  return {.act = act, .order = order, .thread = thread_, .past = &race_detector_clock(thread_)};
}

uint32_t WeakOp::choose(const graph::Candidates& candidates) {
  if (candidates.count == 1) return 0;
  bool preferred = false;
  const uint32_t k = engine().choose_source(op_, location_, candidates, preferred);
  if (preferred) flags_ |= kEventPreferred;
  return k;
}

graph::ExecutionGraph::Done WeakOp::done(MemoryOrder order) const { return {thread_, epoch_, order, &race_detector_clock(thread_)}; }

graph::Value WeakOp::take(uint32_t position) {
  position_ = position;
  reads_ = true;
  if (position != location_.newest()) flags_ |= kEventStale;
  return location_.at(position).value;
}

graph::Value WeakOp::load(MemoryOrder order) {
  const graph::Candidates c = graph_of_run().candidates(location_, step(graph::Act::load, order));
  return take(c[choose(c)]);
}

graph::Value WeakOp::update() {
  const graph::Candidates c = graph_of_run().candidates(location_, step(graph::Act::update, op_.order));
  return take(c[choose(c)]);
}

graph::Value WeakOp::update_newest() { return take(location_.newest()); }

graph::Value WeakOp::compare(graph::Value expected, MemoryOrder failure_order) {
  graph::Step s = step(graph::Act::compare, op_.order);
  s.failure_order = failure_order;
  s.expected = expected;
  const graph::Candidates c = graph_of_run().candidates(location_, s);
  if (!op_.prefers || op_.gave_up) return take(c[choose(c)]);
  // It has waited until the newest store gives the outcome that the schedule prefers. Others may give it, too.
  const bool succeeds = location_.at(c[0]).value == expected;
  uint32_t fitting[graph::kWindowOfPrefix];
  uint32_t count = 0;
  for (uint32_t k = 0; k < c.count; ++k) {
    if ((location_.at(c[k]).value == expected) == succeeds) fitting[count++] = c[k];
  }
  return take(fitting[choose({count, fitting[0], fitting})]);
}

bool WeakOp::stores() {
  if (reads_) {
    ++position_;
  } else {
    const graph::Candidates c = graph_of_run().candidates(location_, step(graph::Act::store, op_.order));
    position_ = c[choose(c)];
  }
  const bool newest = position_ > location_.newest();
  if (!newest) flags_ |= kEventStale;
  return newest;
}

void WeakOp::stores_newest() { position_ = location_.newest() + 1; }

// With a strong location, the clock rules know best: its memory may also be written through another location.
void WeakOp::add_source(Commit& how) const {
  how.bytes = static_cast<uint8_t>(size_);
  how.flags |= flags_;
}

uint32_t WeakOp::commit_load(Commit&& how) {
  const graph::Store& from = location_.at(position_);
  how.partner = from.event;
  how.stored = false;
  if (!location_.strong) how.source = &from.view;
  add_source(how);
  // The location may have been forgotten while the operation is committed, but it stays in memory.
  const uint32_t event = engine().commit(op_, how);
  graph_of_run().read(location_, position_, done(op_.order));
  engine().graph_event(thread_);
  return event;
}

uint32_t WeakOp::commit_store(Commit&& how, graph::Value value) {
  if (reads_) {
    const graph::Store& from = location_.at(position_ - 1);
    how.partner = from.event;
    if (!location_.strong) how.source = &from.view;
  }
  how.stored = position_ > location_.newest();
  add_source(how);
  const bool published = !orders_nothing(*op_.owner);
  const uint32_t event = engine().commit(op_, how);
  graph_of_run().store(location_, position_, done(op_.order),
                       {event, value, reads_, published ? &race_detector_release_view(object_.index) : nullptr});
  engine().graph_event(thread_);
  return event;
}

void weak_store_by(Object& object, uint32_t event, uint32_t size, graph::Value before, graph::Value after) {
  if (!graph::active()) return;
  graph::ExecutionGraph& g = graph_of_run();
  graph::Location& x = g.location(object.index, object.address, size, before);
  const uint32_t thread = current_thread()->index;
  g.store(x, x.newest() + 1, {thread, race_detector_epoch(thread) - 1, MemoryOrder::release, &race_detector_clock(thread)},
          {event, after, false, &race_detector_release_view(object.index)});
  engine().graph_event(thread);
}

uint32_t weak_epoch() { return race_detector_epoch(current_thread()->index); }

void weak_fence(uint32_t epoch) {
  const uint32_t thread = current_thread()->index;
  graph_of_run().fence(thread, epoch, race_detector_clock(thread));
}

void weak_barrier() { barrier(nullptr); }

void weak_glance(const uint32_t* word, Place place) {
  weak_barrier();
  const order::VectorClock* view = nullptr;
  if (graph::Location* const x = compared(word, place)) {
    const uint32_t thread = current_thread()->index;
    graph_of_run().glance(*x, {thread, weak_epoch(), MemoryOrder::relaxed, &race_detector_clock(thread)});
    view = x->strong ? &race_detector_release_view(x->object) : &x->at(x->newest()).view;
  }
  barrier(view);
}

}  // namespace heddle::rt::primitives
