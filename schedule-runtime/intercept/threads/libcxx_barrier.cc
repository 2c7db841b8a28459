// std::barrier of libc++. The library counts the arrivals. The phase, and everything that waits for it, is in the header.
#include <cstddef>
#include <new>

#include "intercept/threads/libcxx.h"
#include "primitives/atomic.h"

using namespace heddle::rt;

namespace {

struct Arrivals {
  const ptrdiff_t* expected;  // the barrier's
  uint64_t count;
};

}  // namespace

// std::__1::__construct_barrier_algorithm_base, __arrive_barrier_algorithm_base, __destroy_barrier_algorithm_base.
HEDDLE_LIBCXX(Arrivals*, _ZNSt3__134__construct_barrier_algorithm_baseERl, (ptrdiff_t * expected)) { return new Arrivals{expected, 0}; }

// True for the last thread of a phase. Its arrival begins to count anew, in the same operation.
HEDDLE_LIBCXX(bool, _ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh, (Arrivals * arrivals, unsigned char)) {
  const auto with_this = [arrivals](uint64_t before) { return static_cast<ptrdiff_t>(before) + 1 < *arrivals->expected ? before + 1 : 0; };
  if (current_thread() != nullptr) primitives::foretell_rmw(&arrivals->count, with_this, HEDDLE_HERE, __ATOMIC_ACQ_REL);
  uint64_t before = __atomic_load_n(&arrivals->count, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&arrivals->count, &before, with_this(before), true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {}
  return with_this(before) == 0;
}

HEDDLE_LIBCXX(void, _ZNSt3__132__destroy_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseE, (Arrivals * arrivals)) { delete arrivals; }
