// The lock of a stream over several calls. A controlled thread must never hold libc's own lock while other threads wait for it: that would
// stop them all.
#include <stdio.h>

#include "intercept/real.h"
#include "primitives/stream.h"

using namespace heddle::rt;

HEDDLE_REAL(flockfile);
HEDDLE_REAL(ftrylockfile);
HEDDLE_REAL(funlockfile);

namespace {

bool begun() { return current_thread() != nullptr && current_thread()->gate != nullptr; }

}  // namespace

HEDDLE_SHIM void flockfile(FILE* file) noexcept {
  if (!begun()) return real_flockfile(file);
  primitives::stream_lock(file, HEDDLE_HERE);
}

HEDDLE_SHIM int ftrylockfile(FILE* file) noexcept {
  if (!begun()) return real_ftrylockfile(file);
  return primitives::stream_trylock(file, HEDDLE_HERE) ? 0 : -1;
}

HEDDLE_SHIM void funlockfile(FILE* file) noexcept {
  if (!begun()) return real_funlockfile(file);
  primitives::stream_unlock(file, HEDDLE_HERE);
}
