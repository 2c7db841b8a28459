// heddle: expect=heap-use-after-free budget=100000
// In an unwatched execution nobody sees it. Its order is a new one, so it is made again.
#include "late.h"

void goes_wrong() {
  int* const p = new int(3);
#ifdef FIXED
  std::thread([&] { *p = 5; }).join();
#else
  std::thread([&] { delete p; }).join();
#endif
  *static_cast<volatile int*>(p) = 4;
#ifdef FIXED
  delete p;
#endif
}
