// The build ID that the linker has put into the executable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::rt {

// Empty if there is none.
std::span<const uint8_t> build_id();

}  // namespace heddle::rt
