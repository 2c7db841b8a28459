// Shims of functions that take at most six words and return one. One shape serves them all.
#pragma once

#include <cstdint>

#include "intercept/real.h"

namespace heddle::rt {

using Word = uintptr_t;
using WordFunction = Word(Word, Word, Word, Word, Word, Word);

}  // namespace heddle::rt

// Defines a shim of `name`. The last argument is evaluated first, and may change the words a to f. The C++ names differ from the exported
// ones, because libc's declarations have other types.
#define HEDDLE_WORD_SHIM(name, ...) HEDDLE_WORD_SHIM_THEN(name, , __VA_ARGS__)
// `after`: statements after the call, which can use its `answer`.
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
