// heddle: expect=assertion budget=500
// A constructor seeds a generator from clocks and random sources, one of which stays open, and the number of rounds depends on it. A saved input must
// fail in the same way in another process, whose clock shows another time.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>
#include <thread>

namespace {

const int g_device = open("/dev/urandom", O_RDONLY);

unsigned drawn_at_start() {
  unsigned bytes = 0, words[2] = {};
  if (getrandom(&bytes, sizeof bytes, 0) != sizeof bytes || read(g_device, &words[0], sizeof words[0]) != sizeof words[0]) return 0;
  std::FILE* const file = std::fopen("/dev/random", "r");
  if (std::fread(&words[1], sizeof words[1], 1, file) != 1) return 0;
  std::fclose(file);
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count() / 1000;
  return bytes ^ words[0] ^ words[1] * 3 ^ std::random_device{}() ^ static_cast<unsigned>(ticks) ^ static_cast<unsigned>(std::time(nullptr)) ^ static_cast<unsigned>(clock());
}

std::mt19937 g_random(drawn_at_start());
std::atomic<unsigned> g_sum;

}  // namespace

HEDDLE_FUZZ_TEST(seeded_at_start) {
  unsigned char again = 0;
  if (read(g_device, &again, 1) != 1) return;
  const unsigned rounds = 1 + g_random() % 8, step = g_random() % 100 + 1 + again % 2;
  const auto add = [=] {
    for (unsigned i = 0; i < rounds; ++i) {
#ifndef FIXED
      g_sum = g_sum + step;
#else
      g_sum += step;
#endif
    }
  };
  std::thread one(add), other(add);
  one.join();
  other.join();
  assert(g_sum == 2 * rounds * step);
}
