// heddle: expect=assertion budget=1000 flags=-mcx16
// A pair of numbers in one sixteen-byte atomic, changed by a load and a store.
#include <heddle/heddle.h>

#include <cassert>
#include <thread>

namespace {
using Wide = unsigned __int128;
Wide pair;  // two numbers of 64 bits

Wide load() { return __atomic_load_n(&pair, __ATOMIC_SEQ_CST); }

void add(Wide n) {
#ifdef FIXED
  Wide old = load();
  while (!__atomic_compare_exchange_n(&pair, &old, old + n, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
#else
  __atomic_store_n(&pair, load() + n, __ATOMIC_SEQ_CST);
#endif
}
}  // namespace

HEDDLE_FUZZ_TEST(wide) {
  const Wide both = (Wide{1} << 64) | 1;
  std::thread one([=] { add(both); }), two([=] { add(both); });
  one.join();
  two.join();
  assert(load() == 2 * both);
}
