// std::shared_ptr and weak_ptr of libc++. The header counts the owners. The end of the last weak reference, and weak_ptr::lock(), are in
// the library.
//
// The linker's --wrap is needed, too: in the library's archive, these are in the same object as functions that each program with a
// shared_ptr needs.
#include "intercept/threads/libcxx.h"
#include "primitives/atomic.h"

using namespace heddle::rt;

namespace {

// The layout in libc++'s binary interface (std::__1::__shared_weak_count).
struct Counts {
  using Function = void (*)(Counts*);
  static constexpr int kOnNoneLeft = 4;  // __on_zero_shared_weak

  const Function* functions;
  long shared, weak;  // one less than there are
};

long load(long* count, int order, Place place) {
  return current_thread() != nullptr ? static_cast<long>(primitives::atomic_load(reinterpret_cast<uint64_t*>(count), order, place))
                                     : __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

long decrease(long* count, Place place) {
  if (current_thread() == nullptr) return __atomic_fetch_sub(count, 1, __ATOMIC_ACQ_REL);
  return static_cast<long>(primitives::atomic_rmw<primitives::Rmw::sub>(reinterpret_cast<uint64_t*>(count), uint64_t{1}, __ATOMIC_ACQ_REL, place));
}

bool increase(long* count, long& from, Place place) {
  if (current_thread() == nullptr) return __atomic_compare_exchange_n(count, &from, from + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  const auto r = primitives::atomic_cas(reinterpret_cast<uint64_t*>(count), static_cast<uint64_t>(from), static_cast<uint64_t>(from + 1), __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST, false, place);
  from = static_cast<long>(r.old);
  return r.swapped;
}

[[gnu::always_inline]] inline void release_weak(Counts* counts, Place place) {
  if (load(&counts->weak, __ATOMIC_ACQUIRE, place) == 0 || decrease(&counts->weak, place) == 0) counts->functions[Counts::kOnNoneLeft](counts);
}

[[gnu::always_inline]] inline Counts* lock(Counts* counts, Place place) {
  long owners = load(&counts->shared, __ATOMIC_SEQ_CST, place);
  while (owners != -1) {
    if (increase(&counts->shared, owners, place)) return counts;
  }
  return nullptr;
}

}  // namespace

// std::__1::__shared_weak_count::__release_weak and lock.
HEDDLE_LIBCXX(void, _ZNSt3__119__shared_weak_count14__release_weakEv, (Counts * counts)) { release_weak(counts, HEDDLE_HERE); }
HEDDLE_LIBCXX(Counts*, _ZNSt3__119__shared_weak_count4lockEv, (Counts * counts)) { return lock(counts, HEDDLE_HERE); }
HEDDLE_SHIM void __wrap__ZNSt3__119__shared_weak_count14__release_weakEv(Counts* counts) { release_weak(counts, HEDDLE_HERE); }
HEDDLE_SHIM Counts* __wrap__ZNSt3__119__shared_weak_count4lockEv(Counts* counts) { return lock(counts, HEDDLE_HERE); }
