#include "engine/child_process.h"

#include <unistd.h>

#include <cstring>
#include <utility>

#include "engine/engine.h"
#include "graph/execution_graph.h"
#include "races/race_detector.h"

namespace heddle::rt {
namespace {

constinit ForkExecution g_fork = nullptr;

// Flat memory, written and read in the same order.
class Packed {
 public:
  explicit Packed(std::span<uint8_t> room) : at_(room.data()), end_(room.data() + room.size()) {}
  bool fits() const { return fits_; }
  template <typename T>
  void put(const T& value) {
    fits_ = fits_ && end_ - at_ >= static_cast<ptrdiff_t>(sizeof value);
    if (!fits_) return;
    memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  template <typename T>
  void put(const T* values, uint32_t count) {
    put(count);
    for (uint32_t i = 0; i < count; ++i) put(values[i]);
  }

 private:
  uint8_t* at_;
  uint8_t* end_;
  bool fits_ = true;
};

class Unpacked {
 public:
  explicit Unpacked(std::span<const uint8_t> packed) : at_(packed.data()) {}
  template <typename T>
  T take() {
    T value;
    memcpy(static_cast<void*>(&value), at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <typename T, typename Use>
  void take_all(Use use) {
    for (uint32_t left = take<uint32_t>(); left != 0; --left) use(take<T>());
  }

 private:
  const uint8_t* at_;
};

// What the record has of an event beside it.
struct RecordedEvent {
  Event event;
  EventValues values;
  uint32_t context, position;
};

struct Call {
  uint32_t parent;
  uintptr_t pc;
};

struct Bounds {
  uint32_t steps, flags;
  uint64_t now, payload_reads;
};

}  // namespace

void set_fork_execution(ForkExecution fork) { g_fork = fork; }
ForkExecution fork_execution() { return g_fork; }

Thread* Engine::add_process() {
  if (threads_.full()) return nullptr;
  recycle_finished();
  Thread& parent = *tls_thread;
  Thread& t = add_thread(child_thread(parent.id, parent.children++), &parent, kNoEvent);
  t.state = ThreadState::finished;
  race_detector_thread(t.index, parent.index, 0, 0);
  make_object_of(t, kNoEvent);
  return &t;
}

// The other threads are the parent's. Nothing of what they did is a race with what the child does: it has a copy of the memory.
void Engine::leave_behind(const Thread& but) {
  for (uint32_t i = static_cast<uint32_t>(live_.size()); i-- > 0;) {
    Thread& t = *live_[i]->owner;
    if (&t == &but) continue;
    withdraw(t.op);
    t.state = ThreadState::elsewhere;
  }
  live_.resize(1);
}

void Engine::become(Thread& t, void (*end)()) {
  Thread& before = *tls_thread;
  leave_behind(before);
  end_of_process_ = end;
  kernel_thread_ = raw_syscall(SYS_gettid);
  t.state = ThreadState::live;
  t.detached = true;
  t.main = true;
  before.main = false;
  t.fiber = std::exchange(before.fiber, nullptr);
  t.stack_low = before.stack_low;
  t.stack_high = before.stack_high;
  t.start_pc = sites()[before.op.pc_index].pc;
  t.alone = before.alone;
  t.next_write_is_new = true;
  t.gate = before.gate;
  t.ignored = before.ignored;
  t.expected_panics = before.expected_panics;
  t.outer_pc = before.outer_pc;
  t.outer_frame = before.outer_frame;
  t.at_end = before.at_end;
  t.interrupt = before.interrupt;
  t.cancellation = before.cancellation;
  memcpy(t.name, before.name, sizeof t.name);
  t.blocked_signals = before.blocked_signals;
  std::swap(t.stack, before.stack);
  before.state = ThreadState::finished;
  t.live_slot = 0;
  live_[0] = &t.op;
  fiber::set_tag(t.fiber, &t);
  bool inserted;
  by_handle_.find_or_insert(fiber::handle(t.fiber), inserted) = t.index;
  tls_thread = &t;
  for (const Thread& other : threads_) {
    if (other.state == ThreadState::elsewhere) race_detector_inherits(t.index, other.index);
  }
  race_detector_run(t.index);
  take_path(t);
  commit(arrive({.kind = Kind::thread_start, .object = t.object, .place = {t.start_pc, 0}}), {.partner = recorder().threads[t.index].create_event});
}

ExecutionMark Engine::mark() const {
  const Recorder& r = recorder();
  ExecutionMark m = {.events = static_cast<uint32_t>(r.events.size()),
                     .threads = static_cast<uint32_t>(r.threads.size()),
                     .objects = static_cast<uint32_t>(r.objects.size()),
                     .sites = sites().size(),
                     .contexts = contexts().size(),
                     .select_cases = static_cast<uint32_t>(r.select_cases.size()),
                     .channels = static_cast<uint32_t>(r.channels.size())};
  race_detector_pairs(m.races);
  return m;
}

// Under a weak memory model only the bounds are given: the stores of another process have no place in this one's graph.
bool Engine::give_rest(const ExecutionMark& since, std::span<uint8_t> memory) {
  Recorder& r = recorder();
  const bool ended = (r.summary.flags & kRunExited) != 0;  // and what never finished ended with it
  if (running_) record_unfinished();
  const uint32_t events = graph::active() ? since.events : ended ? r.summary.steps : static_cast<uint32_t>(r.events.size());
  const ExecutionMark m = graph::active() ? since : mark();
  Packed out(memory);
  out.put(Bounds{steps_, r.summary.flags, now_, r.summary.payload_reads});
  out.put(m.sites - since.sites);
  for (uint32_t i = since.sites; i < m.sites; ++i) out.put(sites()[i].pc);
  out.put(m.contexts - since.contexts);
  for (uint32_t i = since.contexts; i < m.contexts; ++i) out.put(Call{contexts()[i].parent, sites()[contexts()[i].site].pc});
  out.put(r.threads.data() + since.threads, m.threads - since.threads);
  out.put(m.objects - since.objects);
  for (uint32_t i = since.objects; i < m.objects; ++i) out.put(r.objects[i]), out.put(objects_[i]);
  out.put(events - since.events);
  for (uint32_t i = since.events; i < events; ++i) {
    const EventValues* const values = r.values.of(i);
    out.put(RecordedEvent{r.events[i], values != nullptr ? *values : EventValues{}, r.contexts[i], r.positions[i]});
  }
  out.put(r.select_cases.data() + since.select_cases, m.select_cases - since.select_cases);
  out.put(r.channels.data() + since.channels, m.channels - since.channels);
  uint32_t races;
  const RacingPair* const pairs = race_detector_pairs(races);
  out.put(pairs + since.races, m.races - since.races);
  return out.fits();
}

void Engine::end_with_child() {
  live_.clear();  // what this process would do next is no part of the run
  ready_.clear();
  end_run(EndReason::finished);
}

// The indices of the child's records fit, because this process has recorded nothing since.
void Engine::take_rest(std::span<const uint8_t> memory) {
  Recorder& r = recorder();
  Unpacked in(memory);
  const auto bounds = in.take<Bounds>();
  steps_ = bounds.steps;
  now_ = bounds.now;
  r.summary.flags |= bounds.flags & (kRunTruncated | kRunFinding | kRunPayloadRead | kRunStepBound);
  r.summary.payload_reads |= bounds.payload_reads;
  in.take_all<uintptr_t>([](uintptr_t pc) { sites().index_of(pc); });
  in.take_all<Call>([](const Call& call) { contexts().child(call.parent, call.pc); });
  in.take_all<ThreadRecord>([&](const ThreadRecord& record) {
    Thread& t = add_thread(record.id, &threads_[record.parent], record.create_event);
    t.state = ThreadState::finished;
    t.joined = true;
    race_detector_thread(t.index, record.parent, 0, 0);
  });
  for (uint32_t left = in.take<uint32_t>(); left != 0; --left) {
    r.objects.push() = in.take<ObjectRecord>();
    Object& o = objects_.push();
    o = in.take<Object>();
    o.holder = 0;
    o.pending_head = nullptr;
    o.label = nullptr;  // its text is in the child's memory
    if (o.family == Family::thread) reinterpret_cast<Thread*>(o.address)->object = &o;
  }
  in.take_all<RecordedEvent>([&](const RecordedEvent& e) {
    const uint32_t index = r.add(e.context, e.position, [&](Event& to) { to = e.event; });
    if (e.values.known != 0) r.values.begin(index) = e.values;
  });
  in.take_all<SelectCase>([&](const SelectCase& c) {
    if (c.event < r.events.size()) r.select_cases.push() = c;
  });
  in.take_all<ChannelRecord>([&](const ChannelRecord& c) { r.channels.push() = c; });
  in.take_all<RacingPair>([](const RacingPair& pair) { race_detector_take_pairs(&pair, 1); });
}

}  // namespace heddle::rt
