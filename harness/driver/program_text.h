// The program's own code in the executable: its objects, and the static libraries that it names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

extern "C" {
// Defined in harness/link: user_data_begin.c, combine.ld.
__attribute__((weak, visibility("hidden"))) extern const unsigned char heddle_user_code_begin[], heddle_code_begin[];
}

namespace heddle::driver {

// Empty if it is not known: with -flto the program may come after heddle.
inline std::span<const unsigned char> program_text() {
  if (heddle_user_code_begin == nullptr || +heddle_user_code_begin >= +heddle_code_begin) return {};
  return {heddle_user_code_begin, static_cast<size_t>(heddle_code_begin - heddle_user_code_begin)};
}

}  // namespace heddle::driver
