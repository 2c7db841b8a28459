#include "graph/seq_cst_views.h"

#include <cstring>
#include <new>

namespace heddle::rt::graph {
namespace {

// A list with data, size and capacity.
template <typename List, typename What>
void push(List& list, What what, const order::Memory& memory) {
  if (list.size == list.capacity) {
    list.capacity = list.capacity != 0 ? 2 * list.capacity : 4;
    What* const data = memory.make_array<What>(list.capacity);
    if (list.size != 0) std::memcpy(static_cast<void*>(data), list.data, list.size * sizeof *data);
    list.data = data;
  }
  list.data[list.size++] = what;
}

}  // namespace

void SeqCstViews::begin(const order::Memory& memory) {
  memory_ = memory;
  new (&by_thread_) order::ChunkTable<Fences>();
  new (&by_object_) order::ChunkTable<ScStores>();
  new (&all_) order::VectorClock();
  threads_ = fences_ = together_ = 0;
  stores_ = false;
  snapshots_ = nullptr;
  snapshot_capacity_ = 0;
}

void SeqCstViews::take_over() {
  if (!any()) return;
  snapshot();
  together_ = fences_;
}

void SeqCstViews::snapshot() {
  if (fences_ == snapshot_capacity_ && snapshot_capacity_ < kSnapshots) {
    const uint32_t capacity = snapshot_capacity_ != 0 ? 2 * snapshot_capacity_ : 4;
    auto* const more = memory_.make_array<order::VectorClock>(capacity);
    if (fences_ != 0) std::memcpy(static_cast<void*>(more), snapshots_, fences_ * sizeof *more);
    snapshots_ = more;
    snapshot_capacity_ = capacity;
  }
  snapshots_[fences_ & (snapshot_capacity_ - 1)].assign(all_, memory_);
  ++fences_;
}

void SeqCstViews::fence(uint32_t thread, uint32_t epoch, const order::VectorClock& past) {
  all_.join(past, memory_);
  all_.raise(thread, epoch, memory_);
  snapshot();
  push(by_thread_.at(thread, memory_), Fence{epoch, fences_}, memory_);
  threads_ = thread >= threads_ ? thread + 1 : threads_;
}

void SeqCstViews::store(Location& x, uint32_t position) {
  stores_ = true;
  ScStores& s = by_object_.at(x.object, memory_);
  StoreRef newest = x.ref(position);
  if (s.size != 0) {
    const ScStore& last = s.data[s.size - 1];
    if (x.kept(last.store) && x.position(last.store) > position) newest = last.store;
    if (last.fences == fences_) {  // nothing tells the two apart
      s.data[s.size - 1].store = newest;
      return;
    }
  }
  if (s.size == s.capacity && s.size != 0) {  // what has left the window bounds nothing
    uint32_t gone = 0;
    while (gone < s.size && !x.kept(s.data[gone].store)) ++gone;
    s.size -= gone;
    std::memmove(static_cast<void*>(s.data), s.data + gone, s.size * sizeof *s.data);
  }
  push(s, ScStore{newest, fences_}, memory_);
}

uint32_t SeqCstViews::latest_fence(const order::VectorClock& past, uint32_t own) const {
  uint32_t latest = 0;
  for (uint32_t t = 0; t < threads_; ++t) {
    const Fences* const f = by_thread_.find(t);
    if (f == nullptr || f->size == 0) continue;
    uint32_t n = f->size;
    if (t != own) {
      const uint32_t known = past.get(t);
      uint32_t low = 0;
      while (low < n) {
        const uint32_t middle = (low + n) / 2;
        if (f->data[middle].epoch <= known) low = middle + 1;
        else n = middle;
      }
    }
    if (n != 0 && f->data[n - 1].number > latest) latest = f->data[n - 1].number;
  }
  return latest;
}

uint32_t SeqCstViews::latest_store(const Location& x, uint32_t fences) const {
  const ScStores* const s = by_object_.find(x.object);
  if (s == nullptr) return 0;
  for (uint32_t n = s->size; n-- > 0;) {
    if (s->data[n].fences >= fences) continue;
    return x.kept(s->data[n].store) ? x.position(s->data[n].store) : 0;
  }
  return 0;
}

const order::VectorClock& SeqCstViews::before(uint32_t number) const {
  const uint32_t kept = fences_ < snapshot_capacity_ ? fences_ : snapshot_capacity_;
  const uint32_t oldest = fences_ - kept + 1;
  return snapshots_[((number > oldest ? number : oldest) - 1) & (snapshot_capacity_ - 1)];
}

uint32_t SeqCstViews::floor(const Location& x, const order::VectorClock& past, uint32_t thread, bool seq_cst) const {
  const uint32_t latest = seq_cst ? fences_ : latest_fence(past, thread);
  const uint32_t number = latest != 0 && latest < together_ ? together_ : latest;
  const uint32_t store = latest_store(x, seq_cst ? fences_ + 1 : number);
  if (number == 0) return store;
  const uint32_t seen = x.seen(before(number), kNoThread);
  return seen > store ? seen : store;
}

}  // namespace heddle::rt::graph
