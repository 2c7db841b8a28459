// Two threads: in what order they come decides which functions are called. The engine names each that is new. All open a file, and say its number.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<unsigned> order = 1;
static volatile int sum;

template <unsigned kNumber>
[[gnu::noinline]] void reached() {
  sum = sum + static_cast<int>(kNumber);
}

template <unsigned kNumber>
void call(unsigned wanted) {
  if (wanted == kNumber) reached<kNumber>();
  if constexpr (kNumber + 1 < 128) call<kNumber + 1>(wanted);
}

static void run(unsigned bit) {
  for (int i = 0; i < 3; ++i) order = order * 2 + bit;
}

int main() {
  const int file = open("/dev/null", O_RDONLY);
  printf("number %d\n", file);
  std::thread other([] { run(1); });
  run(0);
  other.join();
  call<0>(order % 128);
  close(file);
}
