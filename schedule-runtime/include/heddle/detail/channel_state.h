// The state of a channel: the part that the runtime sees, the number of handles, and the part for
// operations on real threads.
#ifndef HEDDLE_DETAIL_CHANNEL_STATE_H_
#define HEDDLE_DETAIL_CHANNEL_STATE_H_

#include <heddle/detail/hooks.h>
#include <heddle/detail/parking.h>
#include <heddle/heddle.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>

namespace heddle::detail {

namespace real {
// Cases of waiting threads, oldest first. The channel's lock guards it. A case is in a queue while
// it has an owner.
struct CaseQueue {
  heddle_channel_case* first;
  heddle_channel_case* last;
};
}  // namespace real

struct ChannelState : heddle_channel {
  uint32_t references;
  real::Lock lock;
  real::CaseQueue receivers, senders;
  void (*destroy)(void* cell);  // destroys the value; null if that does nothing
};

namespace real {
[[gnu::noinline]] inline void keep(uint32_t* references) {
  __atomic_fetch_add(references, 1, __ATOMIC_RELAXED);
}
// True: that was the last reference.
[[gnu::noinline]] inline bool drop(uint32_t* references) {
  return __atomic_fetch_sub(references, 1, __ATOMIC_ACQ_REL) == 1;
}
// Adds a reference, unless there is none left.
[[gnu::noinline]] inline bool keep_if_any(uint32_t* references) {
  uint32_t seen = __atomic_load_n(references, __ATOMIC_RELAXED);
  while (seen != 0) {
    if (__atomic_compare_exchange_n(references, &seen, seen + 1, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return true;
  }
  return false;
}
}  // namespace real

// Under control, plain numbers are enough: one thread runs at a time, and these functions contain
// no operation. Without control, a thread sanitizer must see the atomics.
HEDDLE_UNSEEN inline void keep(uint32_t* references) {
  if (under_control()) ++*references;
  else real::keep(references);
}
HEDDLE_UNSEEN inline bool drop(uint32_t* references) {
  return under_control() ? --*references == 0 : real::drop(references);
}
HEDDLE_UNSEEN inline bool keep_if_any(uint32_t* references) {
  return under_control() ? (++*references, true) : real::keep_if_any(references);
}

// The time of the steady clock. Reading it is not an operation of the program.
HEDDLE_UNSEEN inline uint64_t now() { return under_control() ? heddle_channel_now() : real::now(); }

// The properties with which a channel is made.
struct ChannelKind {
  uint32_t cell_size;
  bool numbers;
  void (*destroy)(void* cell);
  heddle_timer_kind timer;
  uint64_t due, period;
};

// Allocates one block: the state, the values, and (with the runtime) the notes.
HEDDLE_UNSEEN inline ChannelState* make_channel(size_t capacity, const ChannelKind& kind,
                                                Caller caller) {
  constexpr size_t kAlignment = alignof(std::max_align_t), kLimit = SIZE_MAX / 4;
  const size_t note_size = heddle_channel_made != nullptr ? sizeof(uint32_t) : 0;
  if (capacity > UINT32_MAX || (capacity != 0 && kind.cell_size + note_size > kLimit / capacity)) {
    throw std::length_error("heddle::make_chan: the capacity is too large");
  }
  const size_t cells_at = (sizeof(ChannelState) + kAlignment - 1) / kAlignment * kAlignment;
  const size_t notes_at =
      (cells_at + capacity * kind.cell_size + kAlignment - 1) / kAlignment * kAlignment;
  auto* block = static_cast<unsigned char*>(::operator new(notes_at + capacity * note_size));
  std::memset(block, 0, sizeof(ChannelState));
  auto* state = reinterpret_cast<ChannelState*>(block);
  state->capacity = static_cast<uint32_t>(capacity);
  state->cell_size = kind.cell_size;
  state->numbers = kind.numbers ? 1 : 0;
  state->timer = kind.timer;
  state->due = kind.due;
  state->period = kind.period;
  state->cells = block + cells_at;
  state->references = 1;
  state->destroy = kind.destroy;
  if (note_size != 0) {
    state->notes = reinterpret_cast<uint32_t*>(block + notes_at);
    std::memset(state->notes, 0xFF, capacity * note_size);
  }
  if (under_control()) heddle_channel_made(state, caller.pc, caller.frame);
  return state;
}

HEDDLE_UNSEEN inline void drop_channel(ChannelState* state) {
  if (state == nullptr || !drop(&state->references)) return;
  // First, so that the send of a leftover value happens before its destructor.
  if (under_control()) heddle_channel_gone(state);
  if (state->destroy != nullptr) {
    for (; state->count != 0; --state->count) {
      state->destroy(state->cells + static_cast<size_t>(state->head) * state->cell_size);
      state->head = state->head + 1 == state->capacity ? 0 : state->head + 1;
    }
  }
  ::operator delete(state);
}

}  // namespace heddle::detail

#endif  // HEDDLE_DETAIL_CHANNEL_STATE_H_
