// heddle: expect=deadlock budget=500
// The processor's time stamp counter as a cheap source of chance: two threads move work from one shard to another, and lock both in the order in which they
// were drawn.
#include <heddle/heddle.h>

#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace {

constexpr unsigned kShards = 3;

struct Shard {
  std::mutex mutex;
  int work = 8;
};

uint64_t stamp() {
#if defined(__x86_64__)
  unsigned processor;
  return __rdtsc() + __rdtscp(&processor);
#else
  return 1;
#endif
}

}  // namespace

HEDDLE_FUZZ_TEST(time_stamp) {
  Shard shards[kShards];
  auto move = [&](unsigned thread) {
    for (int i = 0; i < 2; ++i) {
      const auto drawn = static_cast<unsigned>(stamp() * 0x9E3779B97F4A7C15ull >> 32);
      unsigned from = (drawn + thread) % kShards, to = (from + 1 + drawn / kShards % (kShards - 1)) % kShards;
#ifdef FIXED
      if (from > to) std::swap(from, to);
#endif
      std::lock_guard first(shards[from].mutex);
      std::lock_guard second(shards[to].mutex);
      --shards[from].work;
      ++shards[to].work;
    }
  };
  std::thread one(move, 0), two(move, 1);
  one.join();
  two.join();
}
