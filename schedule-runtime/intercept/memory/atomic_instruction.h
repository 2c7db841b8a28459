// x86-64 instructions that read, change and write memory in one step, as they occur in inline assembly (heddle/detail/assembly_atomics.h):
// those with a lock prefix, xchg, and moves between memory and a register or a constant. They are decoded from their bytes and the
// registers, so that heddle knows in advance what they will do.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 (formats) and the instructions' own pages.
#pragma once

#include <cstdint>

namespace heddle::rt {

using uint128_t = unsigned __int128;

// The registers at the instruction. intercept/memory/assembly_x86_64.S fills this in.
struct AssemblyRegisters {
  uint64_t general[16];  // in the encoding's order: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15
  uint64_t flags;
};

struct AtomicInstruction {
  enum class Operation : uint8_t { add, add_carry, bit_or, sub, sub_borrow, bit_and, bit_xor, exchange, negate, invert, set_bit, clear_bit, flip_bit, compare_exchange, load, store };

  Operation operation;
  uint8_t bytes;       // of memory: 1, 2, 4, 8 or 16
  bool carry;          // the flag, for add_carry and sub_borrow
  uintptr_t address;
  uint128_t operand;   // the number, or the bit as a mask. For compare_exchange: the value that it writes
  uint128_t expected;  // of compare_exchange

  // The value in memory afterwards, if it was `old` before.
  uint128_t result(uint128_t old) const;
};

// False: another instruction, one with a register operand, or a form that compilers do not use (another address size).
bool decode_atomic_instruction(const uint8_t* code, const AssemblyRegisters& registers, AtomicInstruction& instruction);

}  // namespace heddle::rt
