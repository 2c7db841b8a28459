// Ends with exit code 3 if the second thread was faster.
#include <atomic>
#include <thread>

static std::atomic<int> last{0};

int main() {
  std::thread one([] { last = 1; }), other([] { last = 2; });
  one.join();
  other.join();
  return last == 1 ? 3 : 0;
}
