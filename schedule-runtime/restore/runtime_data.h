// The variables of an engine or a sanitizer that is linked behind the program.
//
// By heddle's recipe such runtimes stand before the program on the link line. Compilers that bring their own put it last: AFL++'s, and clang its
// profile. Their variables then lie among the program's, and are told by their symbols.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

struct AddressRange {
  uintptr_t begin, end;
};

// Of the executable, sorted and apart; found once, and kept. None: the executable is stripped, or all runtimes stand before the program.
struct RuntimeData {
  const AddressRange* ranges = nullptr;
  size_t count = 0;
  bool stripped = false;
};
RuntimeData find_runtime_data(uintptr_t load_bias);

}  // namespace heddle::rt
