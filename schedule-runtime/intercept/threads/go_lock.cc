// What heddle's locks call on controlled threads (heddle/detail/lock_hooks.h), as channel.cc is what channels call.
#include "intercept/real.h"
#include "primitives/go_lock.h"

using namespace heddle::rt;
using primitives::Access;

namespace {

Place place_of(void* pc, void* frame) { return {reinterpret_cast<uintptr_t>(pc), reinterpret_cast<uintptr_t>(frame)}; }
Access access_of(int write) { return write != 0 ? Access::write : Access::read; }

}  // namespace

HEDDLE_SHIM int heddle_mutex_lock(heddle_mutex* mutex, int only_try, void* pc, void* frame) {
  return primitives::go_mutex_lock(mutex, only_try != 0, place_of(pc, frame)) ? 1 : 0;
}
HEDDLE_SHIM int heddle_mutex_unlock(heddle_mutex* mutex, void* pc, void* frame) {
  return primitives::go_mutex_unlock(mutex, place_of(pc, frame)) ? 0 : 1;
}

HEDDLE_SHIM int heddle_rw_mutex_lock(heddle_rw_mutex* mutex, int write, int only_try, void* pc, void* frame) {
  return primitives::go_rw_mutex_lock(mutex, access_of(write), only_try != 0, place_of(pc, frame)) ? 1 : 0;
}
HEDDLE_SHIM int heddle_rw_mutex_unlock(heddle_rw_mutex* mutex, int write, void* pc, void* frame) {
  return primitives::go_rw_mutex_unlock(mutex, access_of(write), place_of(pc, frame)) ? 0 : 1;
}

HEDDLE_SHIM void heddle_cond_begin(heddle_cond* cond, heddle_cond_waiter* waiter, void* pc, void* frame) {
  primitives::go_cond_begin(cond, waiter, place_of(pc, frame));
}
HEDDLE_SHIM void heddle_cond_sleep(heddle_cond* cond, heddle_cond_waiter* waiter, void* pc, void* frame) {
  primitives::go_cond_sleep(cond, waiter, place_of(pc, frame));
}
HEDDLE_SHIM void heddle_cond_notify(heddle_cond* cond, int all, void* pc, void* frame) {
  primitives::go_cond_notify(cond, all != 0, place_of(pc, frame));
}
