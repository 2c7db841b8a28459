// A sequence lock without the fence of its writer. With FIXED the orders are seq_cst, and weak ones only inside the C++ library, and in what the
// compiler does for a local static.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <memory>
#include <thread>

#ifdef FIXED
constexpr auto kWrites = std::memory_order_seq_cst, kReads = std::memory_order_seq_cst;
#else
constexpr auto kWrites = std::memory_order_release, kReads = std::memory_order_relaxed;
#endif

static int first() {
  static const int number = rand();
  return number;
}

HEDDLE_FUZZ_TEST(weak_orders) {
  std::atomic<int> number = 0, value = 0;
  const auto shared = std::make_shared<int>(first());
  std::future<int> answer = std::async(std::launch::async, [shared, &number, &value] {
    value.store(*shared, kWrites);
    return number.exchange(1, kWrites);
  });
  std::thread reader([shared, &number, &value] { return number.load(kReads) + value.load(kReads) + *shared; });  // the load
  reader.join();
  answer.get();
}
