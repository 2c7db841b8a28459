// heddle: expect=heap-use-after-free budget=100000
// In an unwatched execution this is not seen. But its order is new, so the execution is repeated with the race detector.
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
