#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "limit.h"

extern int counter;

int main(int argc, char** argv) {
  std::vector<std::thread> threads;
  for (int i = 0; i < LIMIT; ++i) {
    threads.emplace_back([] {
      const int was = __atomic_load_n(&counter, __ATOMIC_RELAXED);
      __atomic_store_n(&counter, was + 1, __ATOMIC_RELAXED);
    });
  }
  for (auto& thread : threads) thread.join();
  std::cout << (argc > 1 ? argv[1] : "nobody") << " counted " << counter << "\n";
  if (counter != LIMIT) std::exit(3);
}
