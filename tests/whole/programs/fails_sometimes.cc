// Ends with exit code 3 if one of two threads was the last one: which one, the argument says.
#include <atomic>
#include <cstdlib>
#include <thread>

static std::atomic<int> last{0};

int main(int argc, char** argv) {
  std::thread one([] { last = 1; }), other([] { last = 2; });
  one.join();
  other.join();
  return argc > 1 && last == std::atoi(argv[1]) ? 3 : 0;
}
