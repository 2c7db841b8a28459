// Keeps the time of its start and a random number, and prints both with what has passed since.
#include <chrono>
#include <cstdio>
#include <random>
#include <thread>

namespace {
const auto start = std::chrono::system_clock::now();
const unsigned number = std::random_device{}();
}  // namespace

int main() {
  using std::chrono::duration_cast, std::chrono::milliseconds;
  std::thread other([] {});
  other.join();
  const auto passed = duration_cast<milliseconds>(std::chrono::system_clock::now() - start).count();
  std::fprintf(stderr, "since %lld, %lld ms, number %u\n", static_cast<long long>(std::chrono::system_clock::to_time_t(start)),
               static_cast<long long>(passed), number);
  return passed < 0 || passed >= 5'000;
}
