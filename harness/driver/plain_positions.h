// Where the program accesses ordinary variables, whether a run has been there or not: from the machine code. For tools, which find a
// position by its source line.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::driver {

struct PlainPosition {
  uint32_t site;  // index in rt::sites()
  bool writes;
};

std::vector<PlainPosition> plain_positions();

}  // namespace heddle::driver
