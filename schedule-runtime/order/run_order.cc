#include "order/run_order.h"

namespace heddle::order {

namespace {

bool writes_atomic(const Event& e) {
  return kind_info(e.kind).has(kAtomic) && e.kind != Kind::atomic_load &&
         e.kind != Kind::atomic_fence &&
         !(e.kind == Kind::atomic_cas && e.outcome == Outcome::failure);
}

bool reads_atomic(const Event& e) {
  return kind_info(e.kind).has(kAtomic) && e.kind != Kind::atomic_store &&
         e.kind != Kind::atomic_fence;
}

}  // namespace

struct RunOrder::Build {
  const RunSummary& run;
  RunOrder& self;
  Memory memory;
  ClockTracker tracker;
  Lanes lanes;
  ChunkTable<ThreadView> threads;
  ChunkTable<uint32_t> last_write;  // per object: event + 1
  VectorClock** kept;               // what an atomic write publishes, if a later read needs it
  VectorClock scratch;
  VectorClock nothing;

  Build(const RunSummary& r, RunOrder& s, Relation relation, Memory m)
      : run(r), self(s), memory(m), tracker(relation, m), lanes(m) {
    kept = static_cast<VectorClock**>(m.get((s.count_ + 1) * sizeof(VectorClock*)));
    for (uint32_t i = 0; i < s.count_; ++i) kept[i] = nullptr;
  }

  // A read that does not see the last write (weak memory) needs the clock of the write that it sees.
  void mark_stale_reads() {
    ChunkTable<uint32_t> last;
    for (uint32_t i = 0; i < self.count_; ++i) {
      const Event& e = run.events[i];
      if (!kind_info(e.kind).has(kAtomic) || !e.finished()) continue;
      uint32_t& slot = last.at(e.object, memory);
      if (reads_atomic(e) && e.partner < i && e.partner + 1 != slot) {
        if (!kept[e.partner]) kept[e.partner] = memory.make_array<VectorClock>(1);
      }
      if (writes_atomic(e)) slot = i + 1;
    }
  }

  // A snapshot of the current clock. The last snapshot is reused if the clock has not changed.
  [[gnu::always_inline]] Snapshot snapshot(ThreadView& view, uint32_t lane) {
    if (__builtin_expect(!view.seen || view.version != tracker.version(lane), 0)) renew(view, lane);
    return view.latest;
  }
  [[gnu::noinline]] void renew(ThreadView& view, uint32_t lane) {
    const VectorClock& clock = tracker.clock(lane);
    auto* copy = static_cast<uint32_t*>(memory.get((clock.size() + 1) * sizeof(uint32_t)));
    for (uint32_t i = 0; i < clock.size(); ++i) copy[i] = clock.data()[i];
    view = {{copy, clock.size()}, tracker.version(lane), true};
  }

  [[gnu::noinline]] void begin_thread(uint32_t thread, uint32_t index) {
    if (thread >= run.thread_count) return;
    const ThreadRecord& t = run.threads[thread];
    if (t.create_event == kNoEvent || t.create_event >= index) return;
    if (run.events[t.create_event].thread == thread) return;
    const EventClocks& c = self.clocks_[t.create_event];
    const bool goes_on = lanes.begin(thread, c.done.data, c.done.size);
    const uint32_t lane = lanes.of(thread);
    if (goes_on) tracker.hand_over(lane);
    scratch.assign(c.done.data, c.done.size, memory);
    tracker.fork(scratch, c.lane, c.epoch, lane);
  }

  const VectorClock* source_of(const Event& e, uint32_t index) {
    if (kind_info(e.kind).has(kAtomic)) {
      if (!reads_atomic(e)) return nullptr;
      const uint32_t last = last_write.at(e.object, memory);
      if (e.partner == kNoEvent) return last ? &nothing : nullptr;
      return e.partner < index && e.partner + 1 != last ? kept[e.partner] : nullptr;
    }
    if (e.partner >= index || tracker.relation() != Relation::strong) return nullptr;
    switch (e.kind) {
      case Kind::channel_send:
      case Kind::channel_receive:
      case Kind::select:
      case Kind::cond_wake: break;
      default: return nullptr;
    }
    const EventClocks& c = self.clocks_[e.partner];
    scratch.assign(c.done.data, c.done.size, memory);
    scratch.raise(c.lane, c.epoch, memory);
    return &scratch;
  }

  void step(uint32_t index) {
    const Event& e = run.events[index];
    ThreadView& view = threads.at(e.thread, memory);
    if (__builtin_expect(!view.seen, 0)) begin_thread(e.thread, index);
    const uint32_t lane = lanes.of(e.thread);
    EventClocks& out = self.clocks_[index];
    out.lane = lane;
    out.finished = e.finished();
    out.req = snapshot(view, lane);
    if (!out.finished) {
      out.epoch = tracker.pending(lane);
      out.done = out.req;
      return;
    }
    Operation op;
    op.thread = lane;
    op.object = e.object;
    op.kind = e.kind;
    op.order = e.order;
    op.outcome = e.outcome;
    op.flags = e.flags;
    op.partner = e.partner;
    op.choice = e.choice;
    op.source = source_of(e, index);
    // The partner of a rendezvous may commit after this event. It counts only if it had already arrived.
    if (!op.source && e.partner > index && e.partner < run.event_count) {
      const Event& p = run.events[e.partner];
      if (p.req <= e.done && p.thread != e.thread) {
        if (!threads.at(p.thread, memory).seen) begin_thread(p.thread, index);
        op.partner_thread = lanes.of(p.thread);
      }
    }
    out.epoch = tracker.apply(op);
    out.done = snapshot(view, lane);
    if (e.kind == Kind::thread_exit) lanes.end(e.thread, out.epoch);
    if (writes_atomic(e)) {
      last_write.at(e.object, memory) = index + 1;
      if (kept[index]) kept[index]->assign(tracker.head(e.object), memory);
    }
  }
};

RunOrder::RunOrder(const RunSummary& run, Relation relation, Memory memory, uint32_t limit)
    : count_(run.event_count < limit ? run.event_count : limit),
      clocks_(memory.make_array<EventClocks>(count_ + 1)) {
  Build build(run, *this, relation, memory);
  build.mark_stale_reads();
  for (uint32_t i = 0; i < count_; ++i) build.step(i);
}

bool RunOrder::precedes(uint32_t a, uint32_t b) const {
  const EventClocks& x = clocks_[a];
  const EventClocks& y = clocks_[b];
  if (x.lane == y.lane) return x.epoch < y.epoch;
  return x.finished && y.req.covers(x.lane, x.epoch);
}

bool RunOrder::orderable(uint32_t a, uint32_t b) const {
  return a != b && !precedes(a, b) && !precedes(b, a);
}

bool RunOrder::before(uint32_t a, uint32_t b) const {
  const EventClocks& x = clocks_[a];
  const EventClocks& y = clocks_[b];
  if (!x.finished || a == b) return false;
  if (x.lane == y.lane) return x.epoch < y.epoch;
  if (!y.done.covers(x.lane, x.epoch)) return false;
  // The halves of a rendezvous cover each other; no other events do. The half that was recorded first is the earlier one.
  return a < b || !y.finished || !x.done.covers(y.lane, y.epoch);
}

}  // namespace heddle::order
