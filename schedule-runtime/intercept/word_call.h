// Shims of functions that take at most six words and give one back, of which one shape serves all.
#pragma once

#include <cstdint>

#include "intercept/real.h"

namespace heddle::rt {

using Word = uintptr_t;
using WordFunction = Word(Word, Word, Word, Word, Word, Word);

}  // namespace heddle::rt

// In front of `name`; what comes last happens first, and may change the words a to f. The C++ names differ from the exported ones, as libc's
// declarations have other types.
#define HEDDLE_WORD_SHIM(name, ...) HEDDLE_WORD_SHIM_THEN(name, , __VA_ARGS__)
// `after`: what happens once there is the `answer`.
#define HEDDLE_WORD_SHIM_THEN(name, after, ...)                                                                                 \
  extern "C" __attribute__((weak)) ::heddle::rt::WordFunction heddle_asan_##name asm("___interceptor_" #name);                  \
  HEDDLE_SHIM ::heddle::rt::WordFunction heddle_word_##name asm(#name);                                                         \
  ::heddle::rt::Word heddle_word_##name(::heddle::rt::Word a, ::heddle::rt::Word b, ::heddle::rt::Word c, ::heddle::rt::Word d, \
                                        ::heddle::rt::Word e, ::heddle::rt::Word f) {                                           \
    __VA_ARGS__;                                                                                                                \
    static constinit ::heddle::rt::Real<::heddle::rt::WordFunction> real{#name, &heddle_asan_##name};                           \
    const ::heddle::rt::Word answer = real(a, b, c, d, e, f);                                                                   \
    after;                                                                                                                      \
    return answer;                                                                                                              \
  }
