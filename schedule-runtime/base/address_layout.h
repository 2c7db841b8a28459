// Where the memory of executions lies: at the same addresses in every process, so that a program that orders or hashes pointers does the same each time.
//
// Two layouts. By default far from what the kernel, the C library and the sanitizers use of themselves. With HEDDLE_OPTIONS=low_addresses=1 below 4 GiB, and the
// heap and the mappings below 2 GiB, for programs that put pointers into 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

struct AddressLayout {
  // The heap of executions: the program's part, then that of libraries; in each, blocks up to 32 KiB come first.
  uintptr_t heap;
  size_t program_small, program, library_small, library;
  uintptr_t mappings_begin, mappings_end;
  // The threads' stacks, one slot each: a guard, then the stack.
  uintptr_t stacks;
  size_t stacks_size, stack_slot;

  size_t heap_size() const { return program + library; }
};

inline constexpr size_t kStackGuard = 1 << 16;

// The heap is low enough for a machine that valgrind makes. Above the stacks and below what the kernel gives out lie the mappings.
inline constexpr AddressLayout kUsualLayout = {
    .heap = 0x0600'0000'0000,
    .program_small = size_t{4} << 30,
    .program = size_t{16} << 30,
    .library_small = size_t{1} << 30,
    .library = size_t{4} << 30,
    .mappings_begin = 0x6d00'0000'0000,
    .mappings_end = 0x7500'0000'0000,
    .stacks = 0x6a00'0000'0000,
    .stacks_size = size_t{1} << 42,
    .stack_slot = (size_t{64} << 20) + kStackGuard,
};

// Above an executable that does not move, and the C library's heap, which begins up to 1 GiB behind it.
inline constexpr AddressLayout kLowLayout = {
    .heap = 0x4800'0000,
    .program_small = size_t{256} << 20,
    .program = size_t{448} << 20,
    .library_small = size_t{64} << 20,
    .library = size_t{128} << 20,
    .mappings_begin = 0x6C00'0000,
    .mappings_end = 0x8000'0000,
    .stacks = 0x8000'0000,
    .stacks_size = 0x7FF0'0000,
    .stack_slot = (size_t{9} << 20) + kStackGuard,
};

inline constinit AddressLayout g_address_layout = kUsualLayout;
inline const AddressLayout& address_layout() { return g_address_layout; }
inline bool low_addresses() { return g_address_layout.heap == kLowLayout.heap; }

}  // namespace heddle::rt
