// The program's own code in the executable: its objects, and the static libraries that it names. Not heddle's, the engine's or a sanitizer's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

extern "C" {
// Defined in harness/link: user_data_begin.c, combine.ld.
__attribute__((weak, visibility("hidden"))) extern const unsigned char heddle_user_code_begin[], heddle_code_begin[];
// From the linker and the C library's first object.
__attribute__((weak, visibility("hidden"))) extern const unsigned char __executable_start[];
__attribute__((weak)) extern const unsigned char heddle_process_start[] __asm__("_start");
}

namespace heddle::rt {

// Empty if it is not known: with -flto the program may come after heddle.
inline std::span<const unsigned char> program_text() {
  if (heddle_user_code_begin == nullptr || +heddle_user_code_begin >= +heddle_code_begin) return {};
  return {heddle_user_code_begin, static_cast<size_t>(heddle_code_begin - heddle_user_code_begin)};
}

// Whether a function that is called at the start or the end of the process is the program's. GNU ld puts such functions of all objects in front
// of _start, if the compiler gave them sections of their own (".text.startup"). The sanitizers' and the engine's have none.
inline bool is_program_function(uintptr_t code) {
  const auto text = program_text();
  if (text.empty()) return false;
  const auto address = [](const unsigned char* p) { return reinterpret_cast<uintptr_t>(p); };
  return code - address(text.data()) < text.size() || (code >= address(__executable_start) && code < address(heddle_process_start));
}

}  // namespace heddle::rt
