// signalfd: a descriptor from which blocked signals are read. The kernel's object is a pipe with one record for each signal, so waiting works as for
// any descriptor. A signal that comes there is not pending any more: sigwait does not find it.
#pragma once

#include <sys/signalfd.h>

#include "primitives/descriptor.h"

namespace heddle::rt::primitives {

// A new descriptor for the signals in `set` (signal_bit()), or -errno. `flags` as of signalfd().
long signal_file_open(uint64_t set, int flags, Place place);
// It is for these signals from now on. 0 or -EINVAL: it is none.
long signal_file_change(int descriptor, uint64_t set);

// Some open descriptor is for this signal.
bool signal_file_wants(int number);
// REQUIRES: signal_file_wants(). As when a signal is pending: of a number that is not a real-time signal's, one is there at a time.
void signal_file_take(int number, const signalfd_siginfo& record, Place place);

}  // namespace heddle::rt::primitives
