// The places of a run as lines of JSON. Each has its line before the first line that names its number.
#pragma once

#include <cstdint>

#include "analyses/report/positions.h"
#include "harness/driver/run_lines.h"
#include "schema/event.h"

namespace heddle::driver {

inline constexpr uint32_t kNoPlace = ~0u;

// Only one at a time. All of it is in reserved memory, outside of the program's heap.
class RunPlaces {
 public:
  // The operations from `first` on say what the program's own wrappers are.
  RunPlaces(const RunSummary& run, uint32_t first, RunLines& lines);

  struct Numbers {
    uint32_t at;      // outside of the wrappers
    uint32_t caller;  // where the function of `at` was called; kNoPlace: not known
  };
  Numbers of_event(uint32_t event);
  // Of what is no operation of the run.
  uint32_t of(uint32_t position, uint32_t context);

 private:
  uint32_t tell(uint32_t site, const rt::Frame& frame);
  uint32_t tell_frame(const rt::Frame& frame);
  void put_frame(uint32_t number, const rt::Frame& frame);

  const RunSummary& run_;
  const uint32_t first_;
  RunLines& lines_;
};

}  // namespace heddle::driver
