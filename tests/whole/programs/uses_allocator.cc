// With allocator_library.c.
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

extern "C" size_t of_allocator();

static std::vector<std::string> early = {"a string that is too long for its own object"};

int main() {
  const auto work = [](size_t n) {
    auto words = std::make_unique<std::vector<std::string>>(early);
    for (size_t i = 0; i < n; ++i) words->push_back(early.front() + std::to_string(i));
  };
  early.push_back(early.front() + "!");
  std::thread one(work, 3), other(work, 5);
  one.join();
  other.join();
  return of_allocator() == 0 ? 0 : 1;  // heddle's own is used
}
