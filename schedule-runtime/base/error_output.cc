#include "base/error_output.h"

#include <sys/syscall.h>

#include <cstdint>

#include "base/high_copy.h"
#include "base/raw_syscall.h"

// Of all sanitizers. It takes a number.
extern "C" __attribute__((weak)) void __sanitizer_set_report_fd(void* descriptor);

namespace heddle::rt {
namespace {

constexpr uintptr_t kStandardError = 2;

constinit long g_kept = -1;

void sanitizers_report_to(uintptr_t descriptor) {
  if (&__sanitizer_set_report_fd != nullptr) __sanitizer_set_report_fd(reinterpret_cast<void*>(descriptor));
}

}  // namespace

void keep_error_output(long copy) {
  g_kept = copy;
  if (copy >= 0) sanitizers_report_to(static_cast<uintptr_t>(copy));
}

bool error_output_is_kept() { return g_kept >= 0; }

void forget_error_output() {
  if (g_kept >= 0) sanitizers_report_to(kStandardError);
  g_kept = -1;
}

EnginesErrorOutput::EnginesErrorOutput() {
  if (g_kept < 0) return;
  programs_ = high_copy(kStandardError);
  taken_ = raw_syscall(SYS_dup3, static_cast<uintptr_t>(g_kept), kStandardError, 0) >= 0;
}

void EnginesErrorOutput::give_back() {
  if (!taken_) return;
  taken_ = false;
  if (programs_ < 0) {
    raw_syscall(SYS_close, kStandardError);
    return;
  }
  raw_syscall(SYS_dup3, static_cast<uintptr_t>(programs_), kStandardError, 0);
  raw_syscall(SYS_close, static_cast<uintptr_t>(programs_));
}

}  // namespace heddle::rt
