// heddle: expect=pass runs=20000
// As fail/watching, and nothing goes wrong.
#include "../../fail/watching/late.h"

void goes_wrong() {
  int* const p = new int(3);
  std::thread([&] { *p = 4; }).join();
  assert(*p == 4);
  delete p;
}
