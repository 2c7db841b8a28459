// The functions that the channel library calls on controlled threads (heddle/detail/hooks.h). Nothing is intercepted here: on other threads
// the library does not call them.
#include "base/asan.h"
#include "heddle/detail/hooks.h"
#include "intercept/plain_access.h"
#include "intercept/real.h"
#include "primitives/annotation.h"
#include "primitives/channel.h"
#include "primitives/once.h"
#include "primitives/wait_group.h"

using namespace heddle::rt;

namespace {

Place place_of(void* pc, void* frame) { return {reinterpret_cast<uintptr_t>(pc), reinterpret_cast<uintptr_t>(frame)}; }

constexpr uint32_t kOnceDone = 2;

}  // namespace

HEDDLE_SHIM int32_t heddle_channel_wait(heddle_channel_case* cases, uint32_t count, heddle_channel_operation operation, int otherwise,
                                        void* pc, void* frame) {
  return primitives::channel_wait({cases, count}, operation, otherwise != 0, place_of(pc, frame));
}

HEDDLE_SHIM void heddle_channel_made(heddle_channel* channel, void* pc, void* frame) {
  primitives::channel_made(channel, place_of(pc, frame));
}

HEDDLE_SHIM void heddle_channel_gone(heddle_channel* channel) { primitives::channel_gone(channel, HEDDLE_HERE); }

HEDDLE_SHIM uint32_t heddle_channel_size(heddle_channel* channel, void* pc, void* frame) {
  return primitives::channel_size(channel, place_of(pc, frame));
}

HEDDLE_SHIM int heddle_channel_close(heddle_channel* channel, void* pc, void* frame) {
  return primitives::channel_close(channel, place_of(pc, frame));
}

HEDDLE_SHIM void heddle_channel_touched(heddle_channel* channel) { primitives::channel_touched(channel); }

HEDDLE_SHIM void heddle_timer_set(heddle_channel* channel, int pending, void* pc, void* frame) {
  primitives::timer_set(channel, pending != 0, place_of(pc, frame));
}

HEDDLE_SHIM uint64_t heddle_channel_now(void) { return engine().now(); }

HEDDLE_SHIM void heddle_handle_access(const void* handle, int write, void* pc, void* frame) {
  Thread* const t = current_thread();
  if (t != nullptr) plain_access(*t, reinterpret_cast<uintptr_t>(handle), sizeof handle, write != 0, place_of(pc, frame));
}

HEDDLE_SHIM void heddle_order(const void* address, int acquires, void* pc, void* frame) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (acquires != 0) primitives::order_acquire(at, place_of(pc, frame));
  else primitives::order_release(at, place_of(pc, frame));
}

HEDDLE_SHIM void heddle_expect_panic(int more) {
  if (Thread* const t = current_thread()) t->expected_panics += static_cast<uint32_t>(more);
}

HEDDLE_SHIM int heddle_wait_group_add(int64_t* count, int64_t delta, void* pc, void* frame) {
  return primitives::wait_group_add(count, delta, place_of(pc, frame)) ? 0 : 1;
}

HEDDLE_SHIM void heddle_wait_group_wait(int64_t* count, void* pc, void* frame) {
  primitives::wait_group_wait(count, place_of(pc, frame));
}

HEDDLE_SHIM int heddle_once_start(uint32_t* state, void* pc, void* frame) {
  const Place place = place_of(pc, frame);
  asan_check(state, sizeof *state, true, place.pc, place.frame);
  Object& once = engine().object(reinterpret_cast<uintptr_t>(state), Family::once, place);
  return primitives::once_begin(once, *state == kOnceDone, "the function of a heddle::once calls the same once again", place) ? 1 : 0;
}

HEDDLE_SHIM void heddle_once_finish(uint32_t* state, int complete, void* pc, void* frame) {
  Object& once = engine().object(reinterpret_cast<uintptr_t>(state), Family::once, place_of(pc, frame));
  primitives::once_end(once, complete != 0, place_of(pc, frame));
  *state = complete != 0 ? kOnceDone : 0;
}
