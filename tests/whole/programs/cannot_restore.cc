// State that cannot be put back in process, and what seems to be such, by the argument.
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

extern "C" int count_in_library();

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "library") assert(count_in_library() == 1);
  if (what == "stdio") std::ios::sync_with_stdio(false);
  if (what == "exception") {
    try {
      throw std::runtime_error(what);  // what the unwinder looks up for the first one, it keeps
    } catch (const std::exception&) {
    }
  }
  if (what == "rarely") {
    // Only when the schedule wants it.
    static bool done = false;
    std::thread thread([] { __atomic_store_n(&done, true, __ATOMIC_SEQ_CST); });
    if (__atomic_load_n(&done, __ATOMIC_SEQ_CST)) std::ios::sync_with_stdio(false);
    thread.join();
  }
  std::cout << "hello\n";
}
