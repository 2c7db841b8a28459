// Calls in the machine code. Within one executable they are relative to the program counter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::rt {

#if defined(__x86_64__)
inline constexpr size_t kCallSize = 5, kCallStep = 1;  // an instruction can begin at any byte

// The function that a call or a jump at `code` leads to; null: it is neither. REQUIRES: kCallSize bytes.
inline const void* callee_at(const unsigned char* code, bool jumps) {
  if (*code != 0xE8 && (!jumps || *code != 0xE9)) return nullptr;
  int32_t distance;
  std::memcpy(&distance, code + 1, sizeof distance);
  return code + kCallSize + distance;
}
#elif defined(__aarch64__)
inline constexpr size_t kCallSize = 4, kCallStep = 4;

inline const void* callee_at(const unsigned char* code, bool jumps) {
  uint32_t word;
  std::memcpy(&word, code, sizeof word);
  if (word >> 26 != 0x25 && (!jumps || word >> 26 != 0x05)) return nullptr;
  return code + static_cast<int64_t>(static_cast<int32_t>(word << 6) >> 6) * 4;
}
#else
#error "heddle supports x86-64 and aarch64"
#endif

}  // namespace heddle::rt
