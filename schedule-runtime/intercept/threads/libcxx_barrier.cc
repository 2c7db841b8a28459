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

// True for the last thread of a phase.
HEDDLE_LIBCXX(bool, _ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh, (Arrivals * arrivals, unsigned char)) {
  const Place here = HEDDLE_HERE;
  const uint64_t before = current_thread() != nullptr ? primitives::atomic_rmw<primitives::Rmw::add>(&arrivals->count, uint64_t{1}, __ATOMIC_ACQ_REL, here)
                                                      : __atomic_fetch_add(&arrivals->count, 1, __ATOMIC_ACQ_REL);
  if (static_cast<ptrdiff_t>(before) + 1 < *arrivals->expected) return false;
  __atomic_store_n(&arrivals->count, 0, __ATOMIC_RELEASE);  // no thread arrives until this one has begun the next phase
  return true;
}

HEDDLE_LIBCXX(void, _ZNSt3__132__destroy_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseE, (Arrivals * arrivals)) { delete arrivals; }
