// libFuzzer's leak check, after it has run an input again: LeakSanitizer reports, and libFuzzer saves the input if there is a leak.
#include "analyses/leak.h"
#include "fiber/thread_pointer_trap.h"

extern "C" {
__attribute__((weak)) int __real___lsan_do_recoverable_leak_check();

__attribute__((visibility("default"))) int __wrap___lsan_do_recoverable_leak_check() {
  if (&__real___lsan_do_recoverable_leak_check == nullptr) return 0;
  const heddle::fiber::KernelKnows known;
  const int leaks = __real___lsan_do_recoverable_leak_check();
  if (leaks != 0) heddle::rt::report_leak();
  return leaks;
}
}
