#include "intercept/memory/atomic_instruction.h"

#include <cstring>

namespace heddle::rt {
namespace {

using Operation = AtomicInstruction::Operation;

constexpr uint64_t kCarryFlag = 1;
enum Register : uint8_t { rax, rcx, rdx, rbx, rsp, rbp };

uint128_t mask_of(unsigned bytes) { return bytes == 16 ? ~uint128_t{0} : (uint128_t{1} << bytes * 8) - 1; }

uint64_t segment_base(bool gs) {
  uint64_t base = 0;
#if defined(__x86_64__)
  // fs points to the thread control block, whose first word is its own address. On Linux, user code does not use gs.
  if (!gs) asm("movq %%fs:0, %0" : "=r"(base));
#endif
  return base;
}

class Decoder {
 public:
  Decoder(const uint8_t* code, const AssemblyRegisters& registers) : at_(code), registers_(registers) {}

  bool decode(AtomicInstruction& i) {
    prefixes();
    const uint8_t opcode = *at_++;
    return opcode == 0x0F ? two_bytes(*at_++, i) : one_byte(opcode, i);
  }

 private:
  void prefixes() {
    for (;; ++at_) {
      switch (*at_) {
        case 0xF0: case 0xF2: case 0xF3: prefixed_ = true; continue;  // lock; those of transactions
        case 0x66: small_ = true; continue;
        case 0x64: case 0x65: segment_ = *at_; continue;
        case 0x67: odd_ = true; continue;
        default: break;
      }
      break;
    }
    if ((*at_ & 0xF0) == 0x40) rex_ = *at_++;
  }

  // Bit 0 of most opcodes: clear for a byte, set for larger operands.
  uint8_t width(uint8_t opcode) const { return (opcode & 1) == 0 ? 1 : word(); }
  uint8_t word() const { return (rex_ & 8) != 0 ? 8 : small_ ? 2 : 4; }

  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  // The register in the middle field. Without a REX prefix, byte registers 4 to 7 are the high bytes of the first four.
  uint64_t operand(uint8_t bytes) const {
    const uint64_t value = bytes == 1 && rex_ == 0 && reg_ >= 4 ? registers_.general[reg_ - 4] >> 8 : registers_.general[reg_ | (rex_ & 4) << 1];
    return value & static_cast<uint64_t>(mask_of(bytes));
  }

  // Decodes ModRM, SIB and displacement. `immediate`: number of bytes that follow. False: the operand is a register.
  bool memory(uint8_t immediate, AtomicInstruction& i) {
    const uint8_t modrm = take<uint8_t>();
    const uint8_t mode = modrm >> 6, rm = modrm & 7;
    reg_ = (modrm >> 3) & 7;
    if (mode == 3 || odd_) return false;
    uint64_t address = 0;
    bool no_base = mode == 0 && rm == rbp;
    const bool relative = no_base;
    uint8_t base = rm;
    if (rm == rsp) {
      const uint8_t sib = take<uint8_t>();
      base = sib & 7;
      no_base = mode == 0 && base == rbp;
      if (const uint8_t index = ((sib >> 3) & 7) | (rex_ & 2) << 2; index != rsp) address = registers_.general[index] << (sib >> 6);
    }
    if (!no_base) address += registers_.general[base | (rex_ & 1) << 3];
    if (mode == 1) address += static_cast<uint64_t>(static_cast<int64_t>(take<int8_t>()));
    if (mode == 2 || no_base) address += static_cast<uint64_t>(static_cast<int64_t>(take<int32_t>()));
    if (relative) address += reinterpret_cast<uintptr_t>(at_) + immediate;
    if (segment_ != 0) address += segment_base(segment_ == 0x65);
    i.address = address;
    return true;
  }

  static bool set(AtomicInstruction& i, Operation operation, uint8_t bytes, uint128_t operand) {
    i.operation = operation;
    i.bytes = bytes;
    i.operand = operand & mask_of(bytes);
    return true;
  }

  // The eight arithmetic and logic operations, by their number in opcodes. The eighth, cmp, writes nothing.
  static bool arithmetic(AtomicInstruction& i, uint8_t number, uint8_t bytes, uint128_t operand) {
    constexpr Operation kOperations[] = {Operation::add,     Operation::bit_or, Operation::add_carry, Operation::sub_borrow,
                                         Operation::bit_and, Operation::sub,    Operation::bit_xor};
    return number < 7 && set(i, kOperations[number], bytes, operand);
  }

  bool one_byte(uint8_t opcode, AtomicInstruction& i) {
    const uint8_t bytes = width(opcode);
    i.carry = (registers_.flags & kCarryFlag) != 0;
    if (opcode < 0x40 && (opcode & 7) < 2) return memory(0, i) && arithmetic(i, opcode >> 3, bytes, operand(bytes));
    switch (opcode) {
      case 0x80: case 0x81: case 0x83: {
        const uint8_t immediate = opcode != 0x81 ? 1 : bytes == 2 ? 2 : 4;
        if (!memory(immediate, i)) return false;
        const int64_t value = immediate == 1 ? take<int8_t>() : immediate == 2 ? take<int16_t>() : take<int32_t>();
        return arithmetic(i, reg_, bytes, static_cast<uint128_t>(value));
      }
      case 0x86: case 0x87: return memory(0, i) && set(i, Operation::exchange, bytes, operand(bytes));
      case 0x88: case 0x89: return !prefixed_ && memory(0, i) && set(i, Operation::store, bytes, operand(bytes));
      case 0x8A: case 0x8B: return !prefixed_ && memory(0, i) && set(i, Operation::load, bytes, 0);
      case 0xC6: case 0xC7: {
        const uint8_t immediate = bytes == 8 ? 4 : bytes;
        if (prefixed_ || !memory(immediate, i) || reg_ != 0) return false;
        const int64_t value = immediate == 1 ? take<int8_t>() : immediate == 2 ? take<int16_t>() : take<int32_t>();
        return set(i, Operation::store, bytes, static_cast<uint128_t>(value));
      }
      case 0xF6: case 0xF7:
        return memory(0, i) && (reg_ == 2 || reg_ == 3) && set(i, reg_ == 2 ? Operation::invert : Operation::negate, bytes, 0);
      case 0xFE: case 0xFF: return memory(0, i) && reg_ < 2 && set(i, reg_ == 0 ? Operation::add : Operation::sub, bytes, 1);
      default: return false;
    }
  }

  // With a register, the bit number counts from the operand's address, and can be beyond the operand. With an immediate, it is always
  // within.
  bool bit(AtomicInstruction& i, uint8_t number, int64_t bit) {
    constexpr Operation kOperations[] = {Operation::set_bit, Operation::clear_bit, Operation::flip_bit};
    const uint8_t bytes = word();
    const int64_t bits = bytes * 8;
    i.address += static_cast<uint64_t>((bit >> (bytes == 8 ? 6 : bytes == 4 ? 5 : 4)) * bytes);
    return set(i, kOperations[number], bytes, uint128_t{1} << (bit & (bits - 1)));
  }

  bool two_bytes(uint8_t opcode, AtomicInstruction& i) {
    const uint8_t bytes = width(opcode);
    switch (opcode) {
      case 0xAB: case 0xB3: case 0xBB: {
        if (!memory(0, i)) return false;
        const uint64_t value = operand(word());
        const int64_t where = word() == 8 ? static_cast<int64_t>(value) : word() == 4 ? static_cast<int32_t>(value) : static_cast<int16_t>(value);
        return bit(i, (opcode - 0xAB) >> 3, where);
      }
      case 0xBA: return memory(1, i) && reg_ >= 5 && bit(i, reg_ - 5, take<uint8_t>() & (word() * 8 - 1));
      case 0xB0: case 0xB1:
        if (!memory(0, i)) return false;
        i.expected = registers_.general[rax] & mask_of(bytes);
        return set(i, Operation::compare_exchange, bytes, operand(bytes));
      case 0xC0: case 0xC1: return memory(0, i) && set(i, Operation::add, bytes, operand(bytes));
      case 0xC7: {
        if (!memory(0, i) || reg_ != 1) return false;
        const unsigned half = (rex_ & 8) != 0 ? 8 : 4;
        const auto both = [&](Register low, Register high) {
          return (registers_.general[low] & mask_of(half)) | (registers_.general[high] & mask_of(half)) << half * 8;
        };
        i.expected = both(rax, rdx);
        return set(i, Operation::compare_exchange, static_cast<uint8_t>(2 * half), both(rbx, rcx));
      }
      default: return false;
    }
  }

  const uint8_t* at_;
  const AssemblyRegisters& registers_;
  uint8_t rex_ = 0, segment_ = 0, reg_ = 0;
  bool small_ = false, odd_ = false, prefixed_ = false;
};

}  // namespace

uint128_t AtomicInstruction::result(uint128_t old) const {
  const auto raw = [&]() -> uint128_t {
    switch (operation) {
      case Operation::add: return old + operand;
      case Operation::add_carry: return old + operand + carry;
      case Operation::sub: return old - operand;
      case Operation::sub_borrow: return old - operand - carry;
      case Operation::bit_or: case Operation::set_bit: return old | operand;
      case Operation::bit_and: return old & operand;
      case Operation::clear_bit: return old & ~operand;
      case Operation::bit_xor: case Operation::flip_bit: return old ^ operand;
      case Operation::exchange: case Operation::store: return operand;
      case Operation::load: return old;
      case Operation::negate: return -old;
      case Operation::invert: return ~old;
      case Operation::compare_exchange: return old == expected ? operand : old;
    }
    return old;
  };
  return raw() & mask_of(bytes);
}

bool decode_atomic_instruction(const uint8_t* code, const AssemblyRegisters& registers, AtomicInstruction& instruction) {
  instruction = {};
  return Decoder(code, registers).decode(instruction);
}

}  // namespace heddle::rt
