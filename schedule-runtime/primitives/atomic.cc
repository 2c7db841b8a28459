#include "primitives/atomic.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint32_t kWeakCasWorks = 15;  // in 16: how often a weak compare-and-swap succeeds if it can

}  // namespace

// The old __sync builtin needs the instruction only in this function (attribute `target`). The __atomic builtin needs a flag for the whole
// file.
#if defined(__x86_64__)
__attribute__((target("cx16")))
#endif
CasResult<uint128_t> cas16(volatile uint128_t* a, uint128_t expected, uint128_t v) {
  const uint128_t old = __sync_val_compare_and_swap(a, expected, v);
  return {old, old == expected};
}

bool fails_spuriously(const volatile void* address, Place place, bool& preferred) {
  Engine& e = engine();
  Object& o = e.object(reinterpret_cast<uintptr_t>(address), Family::atomic, place);
  return engine().hurries({.kind = Kind::atomic_cas, .object = &o, .place = place}, kWeakCasWorks, preferred);
}

void atomic_fence(int order, Place place) {
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::atomic_fence, .place = place, .order = memory_order(order)});
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  const bool weak = graph::active() && p.order == MemoryOrder::seq_cst;
  const uint32_t epoch = weak ? weak_epoch() : 0;
  e.commit(p, {});
  if (weak) weak_fence(epoch);
}

}  // namespace heddle::rt::primitives
