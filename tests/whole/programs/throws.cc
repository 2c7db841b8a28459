// An exception crosses a function in each execution.
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

void check(int value) {
  if (value > 2) throw std::out_of_range("more than two");
}

}  // namespace

int main() {
  std::string caught;
  std::thread other([&] {
    try {
      check(3);
    } catch (const std::exception& e) {
      caught = e.what();
    }
  });
  other.join();
  assert(caught == "more than two");
}
