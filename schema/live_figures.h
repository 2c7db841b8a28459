// What a target tells heddle run while it goes on, in memory that both share: a file of this size, named by the variable.
#pragma once

#include <cstdint>

namespace heddle {

inline constexpr char kLiveFiguresVariable[] = "HEDDLE_LIVE_FIGURES";
inline constexpr uint32_t kLiveFiguresVersion = 1;

struct LiveFigures {
  uint32_t version;  // 0: the target has not begun
  uint32_t reserved;
  uint64_t executions;
  uint64_t orders;    // different ones, of executions that came to their end
  uint64_t pairs;     // racing pairs of positions
  uint64_t both_ways; // those of which either side came first
};

}  // namespace heddle
