// Detached threads may not have begun when main ends. The arguments that they would have got are no leak.
#include <thread>

int main() {
  for (int i = 0; i < 3; ++i) std::thread([] {}).detach();
  std::thread([] {}).join();
}
