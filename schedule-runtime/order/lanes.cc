#include "order/lanes.h"

namespace heddle::order {
namespace {

// Lanes that a new thread asks for. Without a limit, threads that nobody joins would make each start as slow as they are many.
constexpr int kAsked = 8;

}  // namespace

void Lanes::give(uint32_t lane, uint32_t thread, uint32_t begin) {
  Lane& l = lanes_.at(lane, memory_);
  if (l.count == l.capacity) {
    l.capacity = l.capacity != 0 ? 2 * l.capacity : 1;
    Use* const more = memory_.make_array<Use>(l.capacity);
    for (uint32_t i = 0; i < l.count; ++i) more[i] = l.uses[i];
    l.uses = more;
  }
  l.uses[l.count++] = {thread, begin};
  l.ended = false;
  by_thread_.at(thread, memory_) = lane + 1;
}

__attribute__((noinline)) uint32_t Lanes::open(uint32_t thread) {
  give(count_, thread, 0);
  return count_++;
}

void Lanes::free(uint32_t lane) {
  lanes_.at(lane, memory_).next = kNone;
  if (first_free_ == kNone) first_free_ = lane;
  else lanes_.at(last_free_, memory_).next = lane;
  last_free_ = lane;
}

// A lane that the creator does not know goes to the end of the queue, so that it does not keep others from being asked.
bool Lanes::begin(uint32_t thread, const uint32_t* creator, uint32_t size) {
  if (by_thread_.at(thread, memory_) != 0) return false;
  for (int asked = 0; asked < kAsked && first_free_ != kNone; ++asked) {
    const uint32_t lane = first_free_;
    const Lane& l = lanes_.at(lane, memory_);
    first_free_ = l.next;
    if (lane < size && creator[lane] >= l.last) {
      give(lane, thread, l.last + 1);
      return true;
    }
    free(lane);
  }
  open(thread);
  return false;
}

void Lanes::end(uint32_t thread, uint32_t epoch) {
  const uint32_t lane = of(thread);
  Lane& l = lanes_.at(lane, memory_);
  if (l.ended || l.uses[l.count - 1].thread != thread) return;  // a damaged run
  l.ended = true;
  l.last = epoch;
  free(lane);
}

uint32_t Lanes::thread_at(uint32_t lane, uint32_t epoch) const {
  const Lane* const l = lanes_.find(lane);
  if (l == nullptr || l->count == 0) return lane;
  uint32_t low = 0, high = l->count;  // the use is in [low, high)
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (l->uses[middle].begin <= epoch ? low : high) = middle;
  }
  return l->uses[low].thread;
}

}  // namespace heddle::order
