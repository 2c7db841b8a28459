// A small mutator for payload bytes, for fuzzing engines that provide none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mutator/rng.h"

namespace heddle::mutator {

void mutate_bytes(std::vector<uint8_t>& bytes, size_t max_size, Rng& rng);

}  // namespace heddle::mutator
