// How calls that change descriptor numbers affect file locks (primitives/file_lock.h).
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "primitives/file_lock.h"

namespace heddle::rt {

inline bool locks_files() { return current_thread() != nullptr && current_thread()->gate != nullptr; }

// Called before these numbers are closed.
inline void numbers_close(unsigned first, unsigned last, Place place) {
  if (locks_files()) primitives::file_locks_close(first, last, place);
}

inline void number_closes(int descriptor, Place place) {
  if (descriptor >= 0) numbers_close(static_cast<unsigned>(descriptor), static_cast<unsigned>(descriptor), place);
}

// Called before `onto` (-1: any number) becomes a duplicate of the descriptor.
inline void number_duplicated(int descriptor, int onto, Place place) {
  if (!locks_files()) return;
  // If the call succeeds, it closes the old descriptor `onto`. If it fails, it closes nothing.
  if (onto >= 0 && raw_syscall(SYS_fcntl, word(descriptor), F_GETFD) >= 0) number_closes(onto, place);
  primitives::description_duplicated();
}

inline bool locks_bytes(int command) { return (command == F_OFD_SETLK || command == F_OFD_SETLKW) && locks_files(); }
// fcntl with such a command.
int lock_bytes(int descriptor, int command, uintptr_t argument, Place place);

}  // namespace heddle::rt
