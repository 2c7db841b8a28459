// The target's own failures: abort, assert, std::terminate, and a report of ASan's. What the threads did is printed first, then
// everything goes on as it would have, so that the fuzzing engine saves the input.
#include <cxxabi.h>
#include <unwind.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <typeinfo>

#include "base/elf.h"
#include "engine/engine.h"
#include "intercept/real.h"
#include "trace/live_state.h"
#include "trace/sites.h"

extern "C" {
__attribute__((weak)) void* __asan_get_report_pc();
__attribute__((weak)) const char* __asan_get_report_description();
}
extern "C" __attribute__((weak)) _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void*);
namespace __cxxabiv1 {
extern "C" __attribute__((weak)) std::type_info* __cxa_current_exception_type() noexcept;
}

namespace heddle::rt {
namespace {

using AssertFail = void(const char*, const char*, unsigned, const char*);
constinit Real<void()> real_abort{"abort"};
constinit Real<AssertFail> real_assert_fail{"__assert_fail"};

const std::type_info* exception_in_flight() {
  return &__cxxabiv1::__cxa_current_exception_type != nullptr ? __cxxabiv1::__cxa_current_exception_type() : nullptr;
}

// An abort from within a library (std::terminate): the program's call into the libraries, which the shadow stack does not know.
uintptr_t call_into_libraries(uintptr_t pc) {
  if (is_main_executable(pc) || &_Unwind_Backtrace == nullptr) return pc;
  struct Walk {
    bool in_library;
    uintptr_t found;
  } walk = {false, 0};
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* argument) {
        Walk& w = *static_cast<Walk*>(argument);
        const uintptr_t at = _Unwind_GetIP(frame);
        if (!is_main_executable(at)) {
          w.in_library = true;
        } else if (w.in_library) {
          w.found = at;
          return _URC_END_OF_STACK;
        }
        return _URC_NO_REASON;
      },
      &walk);
  return walk.found != 0 ? walk.found : pc;
}

constinit bool g_told = false;

// Once: what fails while the failure is being told is no new one. The fiber says which thread it is, also inside a shim that
// is calling out. From here on it belongs to the engine's handlers, which use mutexes and files like anybody.
void tell(FindingType type, uintptr_t pc, const char* detail) {
  tls_thread = nullptr;
  const uint32_t thread = live_state().current_thread();
  if (thread == kNoEvent || g_told) return;
  g_told = true;
  const uint32_t site = sites().index_of(call_into_libraries(pc));
  raise_finding({type, thread, 0, kNoEvent, kNoEvent, live_state().current_context(), site, detail});
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_SHIM __attribute__((noreturn)) void abort() noexcept {
  char detail[256];
  const std::type_info* exception = exception_in_flight();
  if (exception != nullptr) snprintf(detail, sizeof detail, "std::terminate, with an exception of type %s", exception->name());
  else snprintf(detail, sizeof detail, "abort() was called");
  tell(FindingType::assertion, HEDDLE_HERE.pc, detail);
  real_abort();
  __builtin_unreachable();
}

HEDDLE_SHIM __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file, unsigned line,
                                                         const char* function) noexcept {
  char detail[512];
  snprintf(detail, sizeof detail, "assertion `%s' at %s:%u", expression, file, line);
  tell(FindingType::assertion, HEDDLE_HERE.pc, detail);
  real_assert_fail(expression, file, line, function);
  __builtin_unreachable();
}

// Called by ASan before its report.
HEDDLE_SHIM void __asan_on_error() {
  uintptr_t pc = &__asan_get_report_pc != nullptr ? reinterpret_cast<uintptr_t>(__asan_get_report_pc()) : 0;
  // Only reports of bad accesses have one. For a signal it is the frame that the C library's trampoline returns to; otherwise ours.
  if (pc == 0) pc = call_into_libraries(0);
  if (pc == 0) pc = HEDDLE_HERE.pc - 1;
  const char* what = &__asan_get_report_description != nullptr ? __asan_get_report_description() : nullptr;
  char detail[128];
  snprintf(detail, sizeof detail, "AddressSanitizer: %s", what != nullptr ? what : "an error");
  tell(FindingType::crash, pc + 1, detail);
}
