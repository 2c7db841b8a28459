// Which of the random bytes that executions got tells those with a finding from those without it.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/cli/explainer.h"

namespace heddle::cli {

struct SeedOutcome {
  uint64_t seed;
  bool found;
};

// Bytes whose values with the finding never came without it, if that can hardly be chance. `seed`:
// that of the finding's run.
std::vector<RandomByte> telling_bytes(const std::vector<SeedOutcome>& outcomes,
                                      const std::vector<ThreadId>& threads, uint64_t seed);
// Whether so many executions can tell one byte from chance.
bool tells_from_chance(size_t findings, size_t others, size_t threads);

}  // namespace heddle::cli
