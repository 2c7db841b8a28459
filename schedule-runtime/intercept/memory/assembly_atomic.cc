// Atomic instructions and plain moves in inline assembly. There is a choice point before each, and its effect is recorded in advance. The instruction
// itself follows before any other thread runs. So the recorded effect is the real one.
#if defined(__x86_64__)
#include <cpuid.h>
#include <string.h>

#include "intercept/library_call.h"
#include "intercept/memory/atomic_instruction.h"
#include "intercept/plain_access.h"
#include "primitives/atomic.h"
#include "primitives/timing.h"
#include "races/race_detector.h"

using namespace heddle::rt;

extern "C" {
__attribute__((visibility("hidden"))) uint8_t heddle_assembly_has_xsave = 0;
__attribute__((visibility("hidden"))) void heddle_before_assembly_operation(AssemblyRegisters*, uintptr_t, uintptr_t);
}

namespace {

__attribute__((constructor)) void detect_xsave() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  heddle_assembly_has_xsave = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_OSXSAVE) != 0;
}

template <typename T>
void foretell(const AtomicInstruction& i, Place place) {
  auto* const address = reinterpret_cast<volatile T*>(i.address);
  if (i.operation == AtomicInstruction::Operation::compare_exchange) {
    primitives::foretell_cas(address, static_cast<T>(i.expected), static_cast<T>(i.operand), place);
  } else {
    primitives::foretell_rmw(address, [&](T old) { return static_cast<T>(i.result(old)); }, place);
  }
}

template <typename T>
void foretell_move(const AtomicInstruction& i, Place place) {
  auto* const address = reinterpret_cast<volatile T*>(i.address);
  if (i.operation == AtomicInstruction::Operation::load) return primitives::foretell_load(address, place);
  primitives::foretell_store(address, static_cast<T>(i.operand), place);
}

// Assembly that computes (large numbers, codecs) moves data in long loops. These are no loads and stores for other threads, and would use up the
// operations of an execution. After many moves, only words that were just moved before count: so a loop that waits is still seen.
bool is_one_of_many(uintptr_t address) {
  constexpr uint32_t kMost = 65'536;
  static uint64_t execution = 0;
  static uint32_t moves = 0;
  static uintptr_t recent[64];
  if (execution != engine().executions()) {
    execution = engine().executions(), moves = 0;
    memset(recent, 0, sizeof recent);
  }
  if (moves < kMost) return ++moves, false;
  uintptr_t& last = recent[address * 0x9E3779B97F4A7C15u >> 58];
  const bool before = last == address;
  last = address;
  return !before;
}

// A move that is no atomic access: of a word that is not aligned, or of the thread's own stack, unless another thread has used it as an atomic.
bool is_plain(const Thread& t, const AtomicInstruction& i) {
  if ((i.address & (i.bytes - 1u)) != 0) return true;
  if (t.on_stack(i.address)) {
    const Object* const known = engine().find_object(i.address);
    return known == nullptr || known->family != Family::atomic;
  }
  return is_one_of_many(i.address);
}

void move(const AtomicInstruction& i, Place place) {
  Thread& t = *current_thread();
  if (is_plain(t, i)) {
    plain_access(t, i.address, i.bytes, i.operation == AtomicInstruction::Operation::store, place);
    return;
  }
  race_detector_benign(i.address, i.bytes, false);
  switch (i.bytes) {
    case 1: return foretell_move<uint8_t>(i, place);
    case 2: return foretell_move<uint16_t>(i, place);
    case 4: return foretell_move<uint32_t>(i, place);
    default: return foretell_move<uint64_t>(i, place);
  }
}

// `lock; addl $0, (%rsp)` and similar instructions are fences: they change nothing, and the address does not matter.
bool is_fence(const AtomicInstruction& i, const AssemblyRegisters& registers) {
  constexpr uint64_t kNear = 4096;
  constexpr int kStackPointer = 4;
  const bool changes_nothing = i.operand == 0 && (i.operation == AtomicInstruction::Operation::add || i.operation == AtomicInstruction::Operation::bit_or);
  return changes_nothing && i.address - registers.general[kStackPointer] + kNear < 2 * kNear;
}

// A prefix and the first instruction of the macro for xchg (heddle/detail/assembly_atomics.h), which is visible itself.
bool belongs_to_exchange(const uint8_t* code) {
  constexpr uint8_t kFirst[] = {0xF0, 0xF6, 0x94, 0x24, 0x78, 0xFF, 0xFF, 0xFF};
  return memcmp(code, kFirst, sizeof kFirst) == 0;
}

// The no-operation of heddle/detail/time_stamp_calls.h.
bool wants_time_stamp(const uint8_t* code) { return code[0] == 0x0F && code[1] == 0x1F && code[2] == 0x40 && code[3] == 0x31; }

// One tick for each nanosecond.
void give_time_stamp(AssemblyRegisters& registers, Place place) {
  constexpr int kLow = 0, kHigh = 2;  // rax, rdx
  const uint64_t ticks = primitives::read_clock(CLOCK_MONOTONIC, place);
  registers.general[kLow] = ticks & 0xFFFF'FFFF;
  registers.general[kHigh] = ticks >> 32;
}

}  // namespace

void heddle_before_assembly_operation(AssemblyRegisters* registers, uintptr_t return_address, uintptr_t frame) {
  constexpr int kFirstArgument = 7, kSecondArgument = 6;  // rdi, rsi
  if (library_called(return_address, *reinterpret_cast<const uintptr_t*>(frame), registers->general[kFirstArgument], registers->general[kSecondArgument])) return;
  constexpr uintptr_t kRedZone = 8;  // size of the instruction that returns
  const auto* const code = reinterpret_cast<const uint8_t*>(return_address + kRedZone);
  const Place place{return_address, frame};
  if (wants_time_stamp(code)) return give_time_stamp(*registers, place);
  if (code[0] == 0xF3 && code[1] == 0x90) return primitives::yield(place);  // pause
  if (code[0] == 0x0F && code[1] == 0xAE && code[2] == 0xF0) return primitives::atomic_fence(__ATOMIC_SEQ_CST, place);  // mfence
  if (belongs_to_exchange(code)) return;
  AtomicInstruction i;
  if (!decode_atomic_instruction(code, *registers, i)) return;
  if (i.operation == AtomicInstruction::Operation::load || i.operation == AtomicInstruction::Operation::store) return move(i, place);
  if (is_fence(i, *registers)) return primitives::atomic_fence(__ATOMIC_SEQ_CST, place);
  // Who changes a word in assembly also reads and writes it as volatile: what looks like a race on it is none.
  race_detector_benign(i.address, i.bytes, false);
  switch (i.bytes) {
    case 1: return foretell<uint8_t>(i, place);
    case 2: return foretell<uint16_t>(i, place);
    case 4: return foretell<uint32_t>(i, place);
    case 8: return foretell<uint64_t>(i, place);
    case 16: return foretell<primitives::uint128_t>(i, place);
    default: return;
  }
}

#endif
