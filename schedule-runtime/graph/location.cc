#include "graph/location.h"

#include <cstring>

namespace heddle::rt::graph {
namespace {

constexpr uint32_t kFirstCapacity = 4;

template <typename T>
T* larger(const T* old, uint32_t size, uint32_t capacity, const order::Memory& memory) {
  T* const p = memory.make_array<T>(capacity);
  if (size != 0) std::memcpy(static_cast<void*>(p), old, size * sizeof(T));
  return p;
}

}  // namespace

void Location::begin(uint32_t of, uintptr_t where, uint32_t bytes, Value initial, const order::Memory& memory) {
  object = of;
  address = where;
  size = bytes;
  grow(memory);
  count_ = made_ = 1;
  slots_[0].value = initial;
  order_[0] = positions_[0] = 0;
}

// Only while nothing has left the window, so base_ is 0.
void Location::grow(const order::Memory& memory) {
  const uint32_t capacity = capacity_ != 0 ? 2 * capacity_ : kFirstCapacity;
  slots_ = larger(slots_, capacity_, capacity, memory);
  order_ = larger(order_, capacity_, capacity, memory);
  positions_ = larger(positions_, capacity_, capacity, memory);
  capacity_ = capacity;
}

void Location::drop_oldest() {
  slots_[order_[base_ & (capacity_ - 1)]].number = kDropped;
  ++base_;
  --count_;
}

Store& Location::insert(uint32_t position, uint32_t window, const order::Memory& memory) {
  while (__builtin_expect(count_ > window && base_ + 1 < position, 0)) drop_oldest();
  uint32_t slot = count_;
  if (count_ >= window) {
    slot = order_[base_ & (capacity_ - 1)];
    ++base_;
  } else {
    if (count_ == capacity_) grow(memory);
    ++count_;
  }
  // Everything above moves up. The last position is new.
  for (uint32_t p = newest(); p > position; --p) {
    const uint32_t moved = order_[(p - 1) & (capacity_ - 1)];
    order_[p & (capacity_ - 1)] = moved;
    positions_[moved] = p;
  }
  order_[position & (capacity_ - 1)] = slot;
  positions_[slot] = position;
  if (floor_ > position) ++floor_;
  Store& s = slots_[slot];
  s.number = made_++;
  s.view.clear();
  s.event = kNoEvent;
  s.thread = kNoThread;
  s.index = s.order = 0;
  s.rmw = s.taken = s.sc = false;
  s.node = 0xFFFF;
  return s;
}

Location::Accesses& Location::of(uint32_t thread, const order::Memory& memory) {
  for (uint32_t i = 0; i < threads_; ++i) {
    if (accesses_[i].thread == thread) return accesses_[i];
  }
  if (threads_ == threads_capacity_) {
    const uint32_t capacity = threads_capacity_ != 0 ? 2 * threads_capacity_ : 4;
    accesses_ = larger(accesses_, threads_, capacity, memory);
    threads_capacity_ = capacity;
  }
  accesses_[threads_] = {thread, 0, 0, nullptr};
  return accesses_[threads_++];
}

// An access to a store outside of the window says nothing that the window does not say.
void Location::make_room(Accesses& a, const order::Memory& memory) {
  uint32_t first = 0;
  while (first < a.size && !kept(a.data[first].store)) ++first;
  if (first >= a.size / 2 && first != 0) {
    a.size -= first;
    std::memmove(static_cast<void*>(a.data), a.data + first, a.size * sizeof(Access));
    return;
  }
  const uint32_t capacity = a.capacity != 0 ? 2 * a.capacity : 4;
  a.data = larger(a.data, a.size, capacity, memory);
  a.capacity = capacity;
}

void Location::accessed(uint32_t thread, uint32_t epoch, uint32_t position, const order::Memory& memory) {
  Accesses& a = of(thread, memory);
  const StoreRef store = ref(position);
  if (a.size != 0 && a.data[a.size - 1].store.number == store.number) return;
  if (a.size == a.capacity) make_room(a, memory);
  a.data[a.size++] = {epoch, store};
}

uint32_t Location::seen(const order::VectorClock& past, uint32_t own) const {
  uint32_t position = floor();
  for (uint32_t i = 0; i < threads_; ++i) {
    const Accesses& a = accesses_[i];
    uint32_t n = a.size;
    if (a.thread != own) {
      const uint32_t known = past.get(a.thread);
      if (n != 0 && a.data[n - 1].epoch > known) {
        uint32_t low = 0;
        while (low < n) {
          const uint32_t middle = (low + n) / 2;
          if (a.data[middle].epoch <= known) low = middle + 1;
          else n = middle;
        }
      }
    }
    if (n == 0 || !kept(a.data[n - 1].store)) continue;
    const uint32_t p = this->position(a.data[n - 1].store);
    position = p > position ? p : position;
  }
  return position;
}

}  // namespace heddle::rt::graph
