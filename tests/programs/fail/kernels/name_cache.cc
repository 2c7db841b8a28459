// heddle: expect=deadlock budget=500
// After cockroach#7504: a lookup locks the cache and then the lease, the release of a lease locks the lease and then the cache.
#include <heddle/csp.h>

#include <mutex>

namespace {
struct Names {
  std::mutex cache, lease;
  int users = 1;
  bool cached = true;

  void lookup() {
    const std::lock_guard in_cache(cache);
    if (!cached) return;
    const std::lock_guard of_lease(lease);
    ++users;
  }
  void release() {
#ifdef FIXED
    const std::lock_guard in_cache(cache);
#endif
    const std::lock_guard of_lease(lease);
    if (--users != 0) return;
#ifndef FIXED
    const std::lock_guard in_cache(cache);
#endif
    cached = false;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(name_cache) {
  Names names;
  heddle::wait_group all;
  all.go([&] { names.lookup(); });
  all.go([&] { names.release(); });
  all.wait();
}
