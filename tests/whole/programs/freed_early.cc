// A use after free that needs a schedule.
#include <thread>

int main() {
  int* value = new int(1);
  std::thread thread([value] { ++*value; });
  thread.detach();
  std::thread([] {}).join();
  delete value;
}
