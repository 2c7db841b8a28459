// What the thread that computes or spins without operations has read last: a sample, which a report names.
#pragma once

#include <cstdint>
#include <span>

namespace heddle::rt {

struct PlainReads {
  uint32_t thread;                   // index
  uint32_t events;                   // of the run when it was taken
  std::span<const uintptr_t> words;  // address / 8; 0: none. Valid as long as the process
};

const PlainReads& plain_reads();
void note_plain_reads(const PlainReads& reads);

}  // namespace heddle::rt
