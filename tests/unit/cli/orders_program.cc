// orders_target.cc as a whole program: its data bytes are the standard input.
#define LLVMFuzzerTestOneInput test_one_input
#include "orders_target.cc"

#include <cstdio>

int main() {
  uint8_t data[64];
  const size_t size = std::fread(data, 1, sizeof data, stdin);
  return test_one_input(data, size);
}
