#include "graph/execution_graph.h"

#include <cstring>
#include <new>

#include "base/line.h"
#include "races/race_detector.h"
#include "trace/recorder.h"

namespace heddle::rt::graph {

constinit bool g_active = false;
constinit ExecutionGraph g_graph;

void ExecutionGraph::initialise() {
  initialised_ = true;
  arena_.initialise(1ull << 34);
  strong_.initialise();
  orders_.reserve(Recorder::kMaxEvents);
  events_.reserve(Recorder::kMaxThreads);
  room_.reserve(kWindowOfPrefix + 1);
}

void ExecutionGraph::begin(bool weak, uint32_t window) {
  g_active = weak;
  if (!weak) return;
  if (!initialised_) initialise();
  window_ = window;
  window_bound_ = false;
  arena_.clear();
  memory_ = arena_.memory();
  new (&locations_) order::ChunkTable<Location, 4>();
  views_.begin(memory_);
  psc_.begin(memory_);
  strong_.begin();
  visibility_.begin();
  orders_.clear();
  for (uint32_t t = 0; t < events_.size(); ++t) events_[t] = 0;
  events_.clear();
}

Location* ExecutionGraph::find(uint32_t object) {
  const Location* const x = locations_.find(object);
  return x != nullptr && x->begun() ? const_cast<Location*>(x) : nullptr;
}

void ExecutionGraph::end_location(uint32_t object) {
  if (Location* const x = find(object)) x->ended = true;
}

Location& ExecutionGraph::location(uint32_t object, uintptr_t address, uint32_t size, Value in_memory) {
  Location& x = locations_.at(object, memory_);
  if (__builtin_expect(!x.begun(), 0)) {
    x.begin(object, address, size, in_memory, memory_);
    strong_.add(x, [this](uint32_t other) -> Location& { return locations_.at(other, memory_); });
    return x;
  }
  if (__builtin_expect(x.size != size, 0)) StrongLocations::other_size(x);
  if (__builtin_expect(x.at(x.newest()).value != in_memory, 0)) foreign_write(x, in_memory);
  return x;
}

void ExecutionGraph::narrow_windows() {
  if (window_ == kNarrowWindow) return;
  window_ = kNarrowWindow;
  window_bound_ = true;
  static constinit bool said = false;
  if (said) return;
  said = true;
  print_line(2, "heddle: note: memory=rc11: an execution has so many threads and atomic variables that its stores need more than 512 MiB. From "
                "there on, mostly the two newest stores of a variable are readable\n");
}

// Nobody knows who wrote. So nobody reads anything older: otherwise the writer itself could.
void ExecutionGraph::foreign_write(Location& x, Value value) {
  if (!x.strong) say_foreign(x.address);
  const uint32_t position = x.newest() + 1;
  Store& s = x.insert(position, window_, memory_);
  s.value = value;
  s.view.assign(x.at(position - 1).view, memory_);
  x.raise_floor(position);
}

// C++ gives no meaning to a data race. heddle does: plain accesses have their effect in the order of execution, and what fences and seq_cst accesses
// around them order follows. So from the first race on, S is the order of execution.
Candidates ExecutionGraph::candidates(const Location& x, const Step& step) {
  if (psc_.exact() && psc_.any() && race_detector_raced()) go_by_views();
  return admissible(x, step, psc_, views_, room_.data());
}

void ExecutionGraph::go_by_views() {
  psc_.give_up();
  views_.take_over();
}

// From the event on that is one too many, by views.
uint16_t ExecutionGraph::judge(const Location& x, uint32_t position, const Done& done, bool stores, bool reads) {
  if (!psc_.exact()) return Psc::kNoNode;
  const uint16_t node = psc_.add(x, position, {done.thread, done.epoch, done.order == MemoryOrder::seq_cst, stores, reads, done.past});
  if (!psc_.exact()) views_.take_over();
  return node;
}

void ExecutionGraph::fence(uint32_t thread, uint32_t epoch, const order::VectorClock& past) {
  views_.fence(thread, epoch, past);
  if (!psc_.exact()) return;
  psc_.add_fence(thread, epoch, past);
  if (!psc_.exact()) views_.take_over();
}

void ExecutionGraph::read(Location& x, uint32_t position, const Done& done) {
  if (done.thread >= events_.size()) events_.resize(done.thread + 1);
  ++events_[done.thread];
  x.accessed(done.thread, done.epoch, position, memory_);
  judge(x, position, done, false, true);
}

void ExecutionGraph::glance(Location& x, const Done& done) {
  x.accessed(done.thread, done.epoch, x.newest(), memory_);
  judge(x, x.newest(), done, false, true);
}

void ExecutionGraph::store(Location& x, uint32_t position, const Done& done, const Stored& how) {
  if (done.thread >= events_.size()) events_.resize(done.thread + 1);
  const uint32_t index = ++events_[done.thread];
  const bool overtaken = position <= x.newest();
  Store& below = x.at(position - 1);
  below.taken |= how.rmw;
  const uint32_t after = below.event, flags = (below.event == kNoEvent && below.number != 0 ? kStoreBehindForeign : 0u) | (overtaken ? kStoreOvertaken : 0u);
  if (__builtin_expect(arena_.used() > kMemoryOfWideWindows, 0)) narrow_windows();
  const uint32_t oldest = x.oldest();
  Store& s = x.insert(position, window_, memory_);
  window_bound_ |= x.oldest() != oldest;
  s.value = how.value;
  s.event = how.event;
  s.thread = done.thread;
  s.index = index;
  s.rmw = how.rmw;
  s.sc = done.order == MemoryOrder::seq_cst;
  if (how.view != nullptr) s.view.assign(*how.view, memory_);
  x.accessed(done.thread, done.epoch, position, memory_);
  s.node = judge(x, position, done, true, how.rmw);
  if (s.sc) views_.store(x, position);
  if (how.event == kNoEvent) return;
  orders_.push() = {how.event, after, flags};
  s.order = static_cast<uint32_t>(orders_.size());
  if (!overtaken) return;
  StoreOrder* const above = x.at(position + 1).order != 0 ? &orders_[x.at(position + 1).order - 1] : nullptr;
  if (above == nullptr) return;
  above->after = how.event;
  above->flags &= ~uint32_t{kStoreBehindForeign};
}

}  // namespace heddle::rt::graph
