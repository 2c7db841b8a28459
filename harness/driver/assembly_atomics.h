// Atomic instructions in the program's code that nobody announces: the compiler makes calls of heddle out of all that it knows of, and the assembler calls it
// before those in inline assembly, so what is left is an assembler file, or was compiled otherwise. No choice stands before them, and they order nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

struct AssemblyAtomics {
  size_t count = 0;
  uintptr_t first = 0;  // its address
};

// Of the executable, between the first object of the program and heddle's own; x86-64 only. By the bytes of lock cmpxchg and xadd: other
// locked instructions and plain moves in assembly are not found; and cmpxchg16b is what clang itself leaves behind a call for 16 bytes.
AssemblyAtomics find_assembly_atomics();

}  // namespace heddle::driver
