// Which description a descriptor refers to: dup, close, and the flag O_NONBLOCK.
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "intercept/descriptors/descriptor_call.h"
#include "intercept/descriptors/file_call.h"
#include "intercept/descriptors/file_lock.h"
#include "intercept/descriptors/standard_descriptors_change.h"

using namespace heddle::rt;
using primitives::Description;
using primitives::find_description;

namespace {

int close_here(int descriptor, Place place) {
  auto call = [](int real, iovec*, int) { return raw_syscall(SYS_close, word(real)); };
  return static_cast<int>(descriptor_answer("close", primitives::descriptor_close(descriptor, primitives::RawCall(call), place), place));
}

// `onto` < 0: any new number.
int duplicate(const char* name, int descriptor, int onto, int flags, Place place) {
  // If the call succeeds, it closes the old descriptor `onto`. If it fails, it closes nothing.
  const bool fails = raw_syscall(SYS_fcntl, word(descriptor), F_GETFD) < 0 || (flags & ~O_CLOEXEC) != 0;
  if (onto >= 0 && onto != descriptor && !fails && find_description(onto) != nullptr) close_here(onto, place);
  const auto call = [&] {
    return onto < 0 ? raw_syscall(SYS_dup, word(descriptor)) : raw_syscall(SYS_dup3, word(descriptor), word(onto), word(flags));
  };
  const long made = primitives::open_number(call, place, onto);
  Description* const d = find_description(descriptor);
  if (made >= 0 && d != nullptr) primitives::alias_description(*d, static_cast<int>(made));
  return static_cast<int>(descriptor_answer(name, made, place));
}

// Handles the commands that concern the table. The kernel does the rest.
int control(const char* name, int descriptor, int command, uintptr_t argument, Place place) {
  Description& d = *find_description(descriptor);
  const bool sets_flags = command == F_SETFL;
  if (sets_flags) {
    d.nonblocking = (argument & O_NONBLOCK) != 0;
    argument |= O_NONBLOCK;
  }
  const bool duplicates = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  const auto call = [&] { return raw_syscall(SYS_fcntl, word(descriptor), word(command), argument); };
  long result = duplicates ? primitives::open_number(call, place, static_cast<int>(argument)) : call();
  if (command == F_GETFL && result >= 0 && !d.nonblocking) result &= ~static_cast<long>(O_NONBLOCK);
  // Other threads may have closed it before the call.
  Description* const now = find_description(descriptor);
  if (duplicates && result >= 0 && now != nullptr) primitives::alias_description(*now, static_cast<int>(result));
  return static_cast<int>(descriptor_answer(name, result, place));
}

}  // namespace

HEDDLE_REAL_OR_ASAN(int, close, (int));
HEDDLE_SHIM int close(int descriptor) {
  const Place here = HEDDLE_HERE;
  // Other threads may go first, so all else is asked afterwards.
  if (!used_here(descriptor)) file_closes(descriptor, here);
  number_closes(descriptor, here);
  if (used_here(descriptor)) return close_here(descriptor, here);
  standard_descriptors_change(static_cast<unsigned>(descriptor), static_cast<unsigned>(descriptor));
  const int result = real_close(descriptor);
  outside_changed();
  return result;
}

HEDDLE_REAL_OR_ASAN(int, close_range, (unsigned, unsigned, int));
HEDDLE_SHIM int close_range(unsigned first, unsigned last, int flags) noexcept {
  standard_descriptors_change(first, last);
  if (current_thread() != nullptr && (flags & 4) == 0) {  // 4: CLOSE_RANGE_CLOEXEC, which closes nothing
    for (int i = 0; i < primitives::descriptor_end(); ++i) {
      if (static_cast<unsigned>(i) >= first && static_cast<unsigned>(i) <= last && find_description(i) != nullptr) close_here(i, HEDDLE_HERE);
    }
    numbers_close(first, last, HEDDLE_HERE);
  }
  return real_close_range(first, last, flags);
}

HEDDLE_REAL_OR_ASAN(int, dup, (int));
HEDDLE_SHIM int dup(int descriptor) noexcept {
  number_duplicated(descriptor, -1, HEDDLE_HERE);
  return current_thread() != nullptr ? duplicate("dup", descriptor, -1, 0, HEDDLE_HERE) : real_dup(descriptor);
}

HEDDLE_REAL_OR_ASAN(int, dup2, (int, int));
HEDDLE_SHIM int dup2(int descriptor, int onto) noexcept {
  standard_descriptors_change(static_cast<unsigned>(onto), static_cast<unsigned>(onto));
  if (descriptor == onto) return real_dup2(descriptor, onto);
  number_duplicated(descriptor, onto, HEDDLE_HERE);
  if (!made_here(descriptor) && !used_here(onto)) return real_dup2(descriptor, onto);
  return duplicate("dup2", descriptor, onto < 0 ? 1 << 30 : onto, 0, HEDDLE_HERE);
}

HEDDLE_REAL_OR_ASAN(int, dup3, (int, int, int));
HEDDLE_SHIM int dup3(int descriptor, int onto, int flags) noexcept {
  standard_descriptors_change(static_cast<unsigned>(onto), static_cast<unsigned>(onto));
  if (descriptor == onto) return real_dup3(descriptor, onto, flags);
  number_duplicated(descriptor, onto, HEDDLE_HERE);
  if (!made_here(descriptor) && !used_here(onto)) return real_dup3(descriptor, onto, flags);
  return duplicate("dup3", descriptor, onto < 0 ? 1 << 30 : onto, flags, HEDDLE_HERE);
}

#define HEDDLE_CONTROL(name)                                                       \
  HEDDLE_REAL_OR_ASAN(int, name, (int, int, ...));                                 \
  HEDDLE_SHIM int name(int descriptor, int command, ...) {                         \
    va_list list;                                                                  \
    va_start(list, command);                                                       \
    const uintptr_t argument = va_arg(list, uintptr_t);                            \
    va_end(list);                                                                  \
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) number_duplicated(descriptor, -1, HEDDLE_HERE); \
    if (locks_bytes(command)) return lock_bytes(descriptor, command, argument, HEDDLE_HERE);  \
    if (!made_here(descriptor)) return real_##name(descriptor, command, argument); \
    return control(#name, descriptor, command, argument, HEDDLE_HERE);             \
  }
HEDDLE_CONTROL(fcntl)
HEDDLE_CONTROL(fcntl64)

HEDDLE_REAL_OR_ASAN(int, ioctl, (int, unsigned long, ...));
HEDDLE_SHIM int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  const uintptr_t argument = va_arg(list, uintptr_t);
  va_end(list);
  if (request != FIONBIO || argument == 0 || !made_here(descriptor)) return real_ioctl(descriptor, request, argument);
  find_description(descriptor)->nonblocking = *reinterpret_cast<const int*>(argument) != 0;
  return 0;
}
