// The rest of <sanitizer/tsan_interface.h>: accesses on behalf of libraries, fibers, and functions about reports. heddle has its own
// reports, so there is no TSan report to ask about.
#include <atomic>
#include <cstring>

#include "intercept/plain_access.h"
#include "intercept/real.h"
#include "primitives/atomic.h"
#include "primitives/futex.h"

using namespace heddle::rt;

// The program may define these. They are never called.
#define HEDDLE_CALLBACK HEDDLE_SHIM __attribute__((weak))

namespace {

// The library itself is not instrumented, so its caller's position is used.
void external_access(void* address, void* caller, bool write, Place here) {
  Thread* t = current_thread();
  if (t == nullptr) return;
  plain_access(*t, reinterpret_cast<uintptr_t>(address), 1, write, {caller != nullptr ? reinterpret_cast<uintptr_t>(caller) : here.pc, here.frame});
}

constinit std::atomic<uintptr_t> g_tags{0};
constinit char g_fiber = 0;  // one value for all of them: heddle follows the stack itself

}  // namespace

HEDDLE_SHIM void __tsan_external_read(void* address, void* caller, void*) { external_access(address, caller, false, HEDDLE_HERE); }
HEDDLE_SHIM void __tsan_external_write(void* address, void* caller, void*) { external_access(address, caller, true, HEDDLE_HERE); }
HEDDLE_SHIM void* __tsan_external_register_tag(const char*) { return reinterpret_cast<void*>(++g_tags); }
HEDDLE_SHIM void __tsan_external_register_header(void*, const char*) {}
HEDDLE_SHIM void __tsan_external_assign_tag(void*, void*) {}

HEDDLE_SHIM void* __tsan_get_current_fiber() { return &g_fiber; }
HEDDLE_SHIM void* __tsan_create_fiber(unsigned) { return &g_fiber; }
HEDDLE_SHIM void __tsan_destroy_fiber(void*) {}
HEDDLE_SHIM void __tsan_switch_to_fiber(void*, unsigned) {}
HEDDLE_SHIM void __tsan_set_fiber_name(void*, const char*) {}

HEDDLE_SHIM void __tsan_flush_memory() {}
HEDDLE_SHIM void __tsan_check_no_mutexes_held() {}

HEDDLE_CALLBACK void __tsan_on_initialize() {}
HEDDLE_CALLBACK int __tsan_on_finalize(int failed) { return failed; }
HEDDLE_CALLBACK void __tsan_on_report(void*) {}
HEDDLE_CALLBACK const char* __tsan_default_options() { return ""; }
HEDDLE_CALLBACK const char* __tsan_default_suppressions() { return ""; }

HEDDLE_SHIM void* __tsan_get_current_report() { return nullptr; }
// With any arguments, the result is 0: "no such thing".
#define HEDDLE_NO_REPORT(what) \
  HEDDLE_SHIM int __tsan_get_report_##what(void*, ...) { return 0; }
HEDDLE_NO_REPORT(data)
HEDDLE_NO_REPORT(tag)
HEDDLE_NO_REPORT(stack)
HEDDLE_NO_REPORT(mop)
HEDDLE_NO_REPORT(loc)
HEDDLE_NO_REPORT(loc_object_type)
HEDDLE_NO_REPORT(mutex)
HEDDLE_NO_REPORT(thread)
HEDDLE_NO_REPORT(unique_tid)

// A barrier for tests. It creates no order. The low byte is the number of threads; the other bytes count arrivals.
HEDDLE_SHIM void __tsan_testonly_barrier_init(uint64_t* barrier, uint32_t count) { *barrier = count & 0xFF; }
HEDDLE_SHIM void __tsan_testonly_barrier_wait(uint64_t* barrier) {
  if (current_thread() == nullptr) {
    const uint64_t before = __atomic_fetch_add(barrier, 256, __ATOMIC_RELAXED);
    const uint64_t round = (before >> 8) / (before & 0xFF);
    while ((__atomic_load_n(barrier, __ATOMIC_RELAXED) >> 8) / (before & 0xFF) == round) {}
    return;
  }
  const Place here = HEDDLE_HERE;
  const uint64_t before = primitives::atomic_rmw<primitives::Rmw::add>(barrier, uint64_t{256}, __ATOMIC_RELAXED, here);
  const uint64_t count = before & 0xFF ? before & 0xFF : 1;
  const uint64_t round = (before >> 8) / count;
  const auto* word = reinterpret_cast<const uint32_t*>(barrier);
  for (;;) {
    const uint64_t now = primitives::atomic_load(barrier, __ATOMIC_RELAXED, here);
    if ((now >> 8) / count != round) break;
    primitives::futex_wait(word, static_cast<uint32_t>(now), ~0u, kNever, here);
  }
  primitives::futex_wake(word, 0x7FFFFFFF, ~0u, here);
}

// Loads and stores of memory that may be unaligned, with checks.
#define HEDDLE_UNALIGNED(bits)                                                                        \
  HEDDLE_CALLBACK uint##bits##_t __sanitizer_unaligned_load##bits(const void* address) {              \
    if (Thread* t = current_thread()) plain_access(*t, reinterpret_cast<uintptr_t>(address), bits / 8, false, HEDDLE_HERE); \
    uint##bits##_t value;                                                                             \
    memcpy(&value, address, sizeof value);                                                            \
    return value;                                                                                     \
  }                                                                                                   \
  HEDDLE_CALLBACK void __sanitizer_unaligned_store##bits(void* address, uint##bits##_t value) {       \
    if (Thread* t = current_thread()) plain_access(*t, reinterpret_cast<uintptr_t>(address), bits / 8, true, HEDDLE_HERE); \
    memcpy(address, &value, sizeof value);                                                            \
  }
HEDDLE_UNALIGNED(16)
HEDDLE_UNALIGNED(32)
HEDDLE_UNALIGNED(64)
