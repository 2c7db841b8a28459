// Which store an atomic read names as its partner: the latest one, even if that store left the value as it was.
#include <gtest/gtest.h>

#include <atomic>

#include "controlled_run.h"
#include "primitives/atomic.h"

namespace heddle::test {
namespace {

using rt::primitives::Rmw;

uint32_t g_value;

template <Rmw kind>
void change(uint32_t by) {
  rt::primitives::atomic_rmw<kind>(&g_value, by, __ATOMIC_RELEASE, HEDDLE_HERE);
}

TEST(AtomicSource, AnExchangeThatStoresTheSameValueIsTheStoreThatIsRead) {
  g_value = 0;
  const Result r = run_seed(1, [] {
    rt::primitives::atomic_store(&g_value, 7u, __ATOMIC_RELAXED, HEDDLE_HERE);
    change<Rmw::exchange>(7);
    rt::primitives::atomic_load(&g_value, __ATOMIC_ACQUIRE, HEDDLE_HERE);
  });
  const Event *exchange = r.event(Kind::atomic_rmw, 0), *load = r.event(Kind::atomic_load, 0);
  ASSERT_TRUE(exchange != nullptr && load != nullptr);
  EXPECT_EQ(&r.events[load->partner], exchange);
}

TEST(AtomicSource, SoIsAReadModifyWriteThatAddsNothing) {
  g_value = 0;
  const Result r = run_seed(1, [] {
    change<Rmw::add>(0);
    change<Rmw::bit_or>(0);
    change<Rmw::max>(0);
    rt::primitives::atomic_load(&g_value, __ATOMIC_RELAXED, HEDDLE_HERE);
  });
  for (int n = 1; n < 3; ++n) EXPECT_EQ(&r.events[r.event(Kind::atomic_rmw, 0, n)->partner], r.event(Kind::atomic_rmw, 0, n - 1));
  EXPECT_EQ(&r.events[r.event(Kind::atomic_load, 0)->partner], r.event(Kind::atomic_rmw, 0, 2));
}

TEST(AtomicSource, SoIsACompareAndSwapToTheSameValueButNotAFailedOne) {
  g_value = 3;
  const Result r = run_seed(1, [] {
    rt::primitives::atomic_cas(&g_value, 3u, 3u, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE, false, HEDDLE_HERE);
    rt::primitives::atomic_cas(&g_value, 4u, 5u, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE, false, HEDDLE_HERE);
    rt::primitives::atomic_load(&g_value, __ATOMIC_RELAXED, HEDDLE_HERE);
  });
  EXPECT_EQ(&r.events[r.event(Kind::atomic_load, 0)->partner], r.event(Kind::atomic_cas, 0));
}

}  // namespace
}  // namespace heddle::test
