// Instructions of x86-64 that read, change and write memory at once, as inline assembly has them (heddle/detail/assembly_atomics.h): those that take a
// lock prefix, and xchg. Decoded from their bytes and the registers, so that heddle knows beforehand what they will do.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 (formats) and the instructions' own pages.
#pragma once

#include <cstdint>

namespace heddle::rt {

using uint128_t = unsigned __int128;

// As they are at the instruction; intercept/memory/assembly_x86_64.S makes them.
struct AssemblyRegisters {
  uint64_t general[16];  // in the encoding's order: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15
  uint64_t flags;
};

struct AtomicInstruction {
  enum class Operation : uint8_t { add, add_carry, bit_or, sub, sub_borrow, bit_and, bit_xor, exchange, negate, invert, set_bit, clear_bit, flip_bit, compare_exchange };

  Operation operation;
  uint8_t bytes;       // of memory: 1, 2, 4, 8 or 16
  bool carry;          // the flag, for add_carry and sub_borrow
  uintptr_t address;
  uint128_t operand;   // the number, or the bit as a mask; of compare_exchange, what it writes
  uint128_t expected;  // of compare_exchange

  // What the memory holds after it, if it held `old`.
  uint128_t result(uint128_t old) const;
};

// False: none of these, one on registers alone, or one of a form that compilers do not write (another address size).
bool decode_atomic_instruction(const uint8_t* code, const AssemblyRegisters& registers, AtomicInstruction& instruction);

}  // namespace heddle::rt
