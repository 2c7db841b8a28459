// Atomic instructions of the program that heddle does not see. The compiler turns all atomics that it knows into calls of heddle. The
// assembler calls heddle before those in inline assembly. Others come from an assembler file or another compiler. They are no choice
// points, and create no order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

struct AssemblyAtomics {
  size_t count = 0;
  uintptr_t first = 0;  // its address
};

// Searches the executable between the first object of the program and heddle's own; x86-64 only. It looks for the bytes of lock cmpxchg and xadd.
// Other locked instructions and plain moves in assembly are not found. cmpxchg16b does not count: clang itself makes it for 16-byte atomics.
AssemblyAtomics find_assembly_atomics();

}  // namespace heddle::driver
