// The random bytes that an execution gives the program. They follow from the seed, so a command can
// tell them of an execution that is over.
#pragma once

#include <cstdint>

#include "schema/identity.h"

namespace heddle {

inline constexpr uint64_t kRandomSubject = 0x4A4D;

// The n-th word that the thread draws, from 1. A request for bytes takes as many words as it needs,
// from the lowest byte on.
constexpr uint64_t random_word(uint64_t seed, ThreadId thread, uint32_t n) {
  return mix(mix(seed, kRandomSubject), mix(thread, n));
}

// A random file is made of chunks. Each begins with a word that is drawn, and goes on from word to
// word; the first one is not in the file.
inline constexpr uint32_t kRandomFileChunks = 16, kRandomFileWords = 512;
constexpr uint64_t next_word_of_file(uint64_t word) { return mix(word, kRandomSubject); }

}  // namespace heddle
