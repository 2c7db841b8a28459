// The variables of an engine or a sanitizer that is linked behind the program.
//
// heddle's wrapper puts such runtimes before the program on the link line. Some compilers put their own runtime last: AFL++'s compiler
// does, and clang with its profile runtime. Then their variables lie among the program's, and are recognised by their symbols.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

struct AddressRange {
  uintptr_t begin, end;
};

// The ranges in the executable, sorted and disjoint. Computed once and stored. None: the executable is stripped, or all runtimes come
// before the program.
struct RuntimeData {
  const AddressRange* ranges = nullptr;
  size_t count = 0;
  bool stripped = false;
};
RuntimeData find_runtime_data(uintptr_t load_bias);

}  // namespace heddle::rt
