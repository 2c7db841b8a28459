// What the decoder foretells is what the processor does: each instruction is executed on memory and registers at random, and the memory compared. Instructions that
// are none of these, or touch no memory, are refused.
#include "intercept/memory/atomic_instruction.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#if defined(__x86_64__)
namespace heddle::rt {
namespace {

struct State {
  uint64_t memory[8];
  uint64_t rax, rbx, rcx, rdx, rsi, r9;
  bool carry;
};
// Executes the instruction on state.memory (rdi points to its middle, r10 is 1), and says where it lies and what the registers were.
using Instruction = const uint8_t* (*)(State& state, AssemblyRegisters& registers);

uint64_t in_thread_block_of(const void* address) {
  uint64_t base;
  asm("movq %%fs:0, %0" : "=r"(base));
  return reinterpret_cast<uint64_t>(address) - base;
}

#define INSTRUCTION(text)                                                                                                                \
  [](State& state, AssemblyRegisters& registers) -> const uint8_t* {                                                                         \
    const uint8_t* code;                                                                                                                 \
    uint64_t* const middle = state.memory + 4;                                                                                             \
    register uint64_t r8 asm("r8") = in_thread_block_of(middle);                                                                         \
    register uint64_t r9 asm("r9") = state.r9;                                                                                             \
    register uint64_t r10 asm("r10") = 1;                                                                                                \
    register uint64_t r11 asm("r11") = state.carry;                                                                                        \
    registers = {.general = {state.rax, state.rcx, state.rdx, state.rbx, 0, 0, state.rsi, reinterpret_cast<uint64_t>(middle), r8, r9, r10}, .flags = state.carry}; \
    asm volatile("leaq 1f(%%rip), %[code]\n\tbtq $0, %%r11\n1:\t" text                                                                    \
                 : [code] "=&r"(code), "+a"(state.rax), "+b"(state.rbx), "+c"(state.rcx), "+d"(state.rdx), "+S"(state.rsi), "+r"(r8), "+r"(r9), "+r"(r10), "+r"(r11) \
                 : "D"(middle)                                                                                                           \
                 : "memory", "cc");                                                                                                      \
    return code;                                                                                                                         \
  }

struct Case {
  const char* text;
  Instruction run;
};
#define CASE(text) {text, INSTRUCTION(text)}

constexpr Case kCases[] = {
    CASE("lock; addb %%sil, (%%rdi)"), CASE("lock; addb %%ah, 1(%%rdi)"), CASE("lock; addw %%cx, 2(%%rdi)"), CASE("lock; addl %%ecx, 4(%%rdi)"),
    CASE("lock; addq %%r9, (%%rdi,%%r10,8)"), CASE("lock; addl $-3, (%%rdi)"), CASE("lock; addw $1000, (%%rdi)"), CASE("lock; addq $100000, -8(%%rdi)"),
    CASE("lock; adcl %%edx, (%%rdi)"), CASE("lock; sbbq %%rdx, (%%rdi)"), CASE("lock; adcb $200, (%%rdi)"), CASE("lock; subl %%ebx, %%fs:(%%r8)"),
    CASE("lock; orl $0x80, 8(%%rdi,%%r10,4)"), CASE("lock; andq %%rbx, (%%rdi)"), CASE("lock; andb $0xf0, 3(%%rdi)"), CASE("lock; xorw %%r9w, (%%rdi)"),
    CASE("lock; xorl %%ecx, 0x10(,%%rdi,1)"), CASE("lock; incl (%%rdi)"), CASE("lock; decq (%%rdi)"), CASE("lock; decb 7(%%rdi)"), CASE("lock; negl (%%rdi)"),
    CASE("lock; notq (%%rdi)"), CASE("lock; xaddl %%ecx, (%%rdi)"), CASE("lock; xaddb %%dh, (%%rdi)"), CASE("lock; xaddq %%r9, -16(%%rdi)"),
    CASE("lock; cmpxchgl %%ecx, (%%rdi)"), CASE("lock; cmpxchgb %%cl, (%%rdi)"), CASE("lock; cmpxchgw %%r9w, (%%rdi)"), CASE("lock; cmpxchgq %%rsi, (%%rdi,%%r10,8)"),
    CASE("lock; cmpxchg8b (%%rdi)"), CASE("lock; cmpxchg16b (%%rdi)"), CASE("xchgl %%ecx, (%%rdi)"), CASE("xchgb %%bh, (%%rdi)"), CASE("xchgq %%r9, 8(%%rdi)"),
    CASE("lock; btsl $5, (%%rdi)"), CASE("lock; btrq $63, (%%rdi)"), CASE("lock; btcw $17, (%%rdi)"), CASE("lock; btsl %%r10d, (%%rdi)"),
    CASE("movb %%ah, 1(%%rdi)"), CASE("movw %%cx, 2(%%rdi)"), CASE("movl %%r9d, (%%rdi)"), CASE("movq %%r9, (%%rdi,%%r10,8)"), CASE("movb $-3, (%%rdi)"),
    CASE("movw $1000, (%%rdi)"), CASE("movl $-100000, 4(%%rdi)"), CASE("movq $-100000, -8(%%rdi)"), CASE("movb 3(%%rdi), %%dh"), CASE("movl (%%rdi), %%ecx"),
    CASE("movq 8(%%rdi), %%r9"), CASE("lock; btrq %%rsi, (%%rdi)"), CASE("lock; btcl %%esi, (%%rdi)"), CASE("lock; btsw %%si, (%%rdi)"),
};

State random_state(std::mt19937_64& random) {
  State state{{}, random(), random(), random(), random(), random() % 400 - 200, random(), random() % 2 != 0};
  for (uint64_t& word : state.memory) word = random();
  if (random() % 2 == 0) state.rax = state.memory[4], state.rdx = state.memory[5];  // compare-and-swap finds what it expects
  if (random() % 4 == 0) state.rdx = state.memory[4] >> 32;
  if (random() % 4 == 0) state.rax = state.memory[5];
  return state;
}

TEST(AtomicInstruction, ForetellsWhatTheProcessorDoes) {
  std::mt19937_64 random(1);
  for (const Case& c : kCases) {
    for (int i = 0; i < 500; ++i) {
      State state = random_state(random);
      const State before = state;
      AssemblyRegisters registers;
      const uint8_t* const code = c.run(state, registers);
      AtomicInstruction found;
      ASSERT_TRUE(decode_atomic_instruction(code, registers, found)) << c.text;
      const size_t at = found.address - reinterpret_cast<uintptr_t>(state.memory);
      ASSERT_LE(at + found.bytes, sizeof state.memory) << c.text;
      uint128_t old = 0;
      State foretold = before;
      std::memcpy(&old, reinterpret_cast<const char*>(before.memory) + at, found.bytes);
      const uint128_t result = found.result(old);
      std::memcpy(reinterpret_cast<char*>(foretold.memory) + at, &result, found.bytes);
      ASSERT_EQ(std::memcmp(foretold.memory, state.memory, sizeof state.memory), 0) << c.text << ", " << int(found.bytes) << " bytes at " << at;
    }
  }
}

TEST(AtomicInstruction, FindsVariablesByTheInstructionsAddress) {
  // lock; addl $7, 0x100(%rip)
  const uint8_t code[] = {0xF0, 0x81, 0x05, 0x00, 0x01, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00};
  AtomicInstruction found;
  ASSERT_TRUE(decode_atomic_instruction(code, {}, found));
  EXPECT_EQ(found.address, reinterpret_cast<uintptr_t>(code) + sizeof code + 0x100);
  EXPECT_EQ(found.operand, 7u);
}

TEST(AtomicInstruction, RefusesOthers) {
  const uint8_t others[][8] = {
      {0x87, 0xC8},                    // xchg %ecx, %eax
      {0xF0, 0x39, 0x07},              // lock cmp: no such thing
      {0xF0, 0x8B, 0x07},              // lock mov
      {0x89, 0xC8},                    // mov %ecx, %eax
      {0xC7, 0x4F, 0x00},              // no mov
      {0x67, 0xF0, 0xFF, 0x00},        // by a short address
      {0xF0, 0x0F, 0xC7, 0x37},        // rdrand's group
      {0xF3, 0xA4},                    // rep movsb
      {0xF0, 0xFF, 0x17},              // lock call
  };
  for (const auto& code : others) {
    AtomicInstruction found;
    EXPECT_FALSE(decode_atomic_instruction(code, {}, found)) << std::hex << int(code[0]) << " " << int(code[1]);
  }
}

}  // namespace
}  // namespace heddle::rt
#endif
