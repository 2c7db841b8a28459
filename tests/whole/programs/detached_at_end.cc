// Detached threads that the end of main may leave behind before they have begun: what they were to be given is no leak.
#include <thread>

int main() {
  for (int i = 0; i < 3; ++i) std::thread([] {}).detach();
  std::thread([] {}).join();
}
