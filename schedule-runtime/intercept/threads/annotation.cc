// The functions of <sanitizer/tsan_interface.h> with which a program describes its own locks and what happens before what. Locks made of
// atomics and futexes use them, for example in Abseil and folly.
#include "base/raw_syscall.h"
#include "intercept/plain_access.h"
#include "intercept/real.h"
#include "primitives/annotation.h"

using namespace heddle::rt;

namespace {

// Creating and destroying a lock writes to it: a thread that uses it at the same time races.
void writes_lock(const void* lock, Place place) { plain_access(*current_thread(), word(lock), 1, true, place); }

}  // namespace

HEDDLE_SHIM void __tsan_acquire(void* address) {
  if (current_thread() != nullptr) primitives::order_acquire(word(address), HEDDLE_HERE);
}
HEDDLE_SHIM void __tsan_release(void* address) {
  if (current_thread() != nullptr) primitives::order_release(word(address), HEDDLE_HERE);
}

HEDDLE_SHIM void __tsan_mutex_create(void* lock, unsigned flags) {
  if (current_thread() == nullptr) return;
  if (!(flags & primitives::kLinkerInitialised)) writes_lock(lock, HEDDLE_HERE);
  primitives::lock_create(word(lock), flags, HEDDLE_HERE);
}
HEDDLE_SHIM void __tsan_mutex_destroy(void* lock, unsigned flags) {
  if (current_thread() == nullptr) return;
  if (primitives::lock_destroy(word(lock), flags, HEDDLE_HERE)) writes_lock(lock, HEDDLE_HERE);
}
HEDDLE_SHIM void __tsan_mutex_pre_lock(void* lock, unsigned flags) {
  if (current_thread() != nullptr) primitives::lock_begin(word(lock), flags, HEDDLE_HERE);
}
HEDDLE_SHIM void __tsan_mutex_post_lock(void* lock, unsigned flags, int recursion) {
  if (current_thread() != nullptr) primitives::lock_end(word(lock), flags, recursion, HEDDLE_HERE);
}
HEDDLE_SHIM int __tsan_mutex_pre_unlock(void* lock, unsigned flags) {
  return current_thread() != nullptr ? primitives::unlock_begin(word(lock), flags, HEDDLE_HERE) : 0;
}
HEDDLE_SHIM void __tsan_mutex_post_unlock(void*, unsigned) {
  if (current_thread() != nullptr) primitives::unlock_end();
}
// A signal belongs to the lock's code, a diversion does not.
HEDDLE_SHIM void __tsan_mutex_pre_signal(void*, unsigned) {
  if (current_thread() != nullptr) primitives::lock_diverts(false);
}
HEDDLE_SHIM void __tsan_mutex_post_signal(void*, unsigned) {
  if (current_thread() != nullptr) primitives::lock_diverts(true);
}
HEDDLE_SHIM void __tsan_mutex_pre_divert(void*, unsigned) {
  if (current_thread() != nullptr) primitives::lock_diverts(true);
}
HEDDLE_SHIM void __tsan_mutex_post_divert(void*, unsigned) {
  if (current_thread() != nullptr) primitives::lock_diverts(false);
}

// The race detector ignores only accesses, as for code compiled with no_sanitize("thread").
HEDDLE_SHIM void __tsan_ignore_thread_begin() {
  if (Thread* t = current_thread()) t->ignored.begin(kIgnoreReads | kIgnoreWrites);
}
HEDDLE_SHIM void __tsan_ignore_thread_end() {
  if (Thread* t = current_thread()) t->ignored.end(kIgnoreReads | kIgnoreWrites);
}
