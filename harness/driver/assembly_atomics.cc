#include "harness/driver/assembly_atomics.h"

#include <cstring>

#include "base/program_text.h"

namespace heddle::driver {
namespace {

// True if the code after the lock prefix is an optional REX prefix, 0F, and one of these operations.
bool is_atomic(const unsigned char* code) {
  if ((*code & 0xF0) == 0x40) ++code;
  if (code[0] != 0x0F) return false;
  switch (code[1]) {
    case 0xB0: case 0xB1:  // cmpxchg
    case 0xC0: case 0xC1:  // xadd
      return true;
    default:
      return false;
  }
}

// Inline assembly of an instrumented source. There, heddle is called before the instruction (heddle/detail/assembly_atomics.h), and this
// instruction restores the red zone.
bool is_announced(const unsigned char* begin, const unsigned char* at) {
  constexpr unsigned char kGiveBack[] = {0x48, 0x8D, 0xA4, 0x24, 0x80, 0, 0, 0};  // lea 128(%rsp), %rsp
  return static_cast<size_t>(at - begin) >= sizeof kGiveBack && std::memcmp(at - sizeof kGiveBack, kGiveBack, sizeof kGiveBack) == 0;
}

AssemblyAtomics find_in(const unsigned char* code, size_t size) {
  constexpr unsigned char kLock = 0xF0;
  constexpr size_t kLongest = 4;  // with the prefix: as many bytes as are examined
  AssemblyAtomics found;
  const unsigned char* const end = code + size;
  for (const unsigned char* at = code; static_cast<size_t>(end - at) >= kLongest; ++at) {
    at = static_cast<const unsigned char*>(std::memchr(at, kLock, static_cast<size_t>(end - at) - (kLongest - 1)));
    if (at == nullptr) break;
    if (!is_atomic(at + 1) || is_announced(code, at)) continue;
    if (found.count++ == 0) found.first = reinterpret_cast<uintptr_t>(at);
  }
  return found;
}

}  // namespace

AssemblyAtomics find_assembly_atomics() {
#if defined(__x86_64__)
  if (const auto text = rt::program_text(); !text.empty()) return find_in(text.data(), text.size());
#endif
  return {};
}

}  // namespace heddle::driver
