// The target's own failures. They are reported before they take effect: the reason, and the place in the program.
#include "analyses/own_failures.h"

#include <cxxabi.h>
#include <unwind.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <typeinfo>

#include "analyses/asan_threads.h"
#include "analyses/die.h"
#include "analyses/go_on.h"
#include "analyses/report/positions.h"
#include "analyses/thrown_exceptions.h"
#include "analyses/uncaught_exception.h"
#include "base/asan.h"
#include "base/program_code.h"
#include "trace/finding.h"
#include "trace/live_state.h"
#include "trace/own_failure.h"
#include "trace/recorder.h"
#include "trace/sites.h"

extern "C" {
__attribute__((weak)) void* __asan_get_report_pc();
__attribute__((weak)) const char* __asan_get_report_description();
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());
}
extern "C" __attribute__((weak)) _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void*);

// fuzzer::MallocHook: the same mangled name in clang 14 to 22.
extern "C" __attribute__((weak)) void libfuzzer_malloc_hook(const volatile void* block, size_t size) __asm__("_ZN6fuzzer10MallocHookEPVKvm");

namespace heddle::rt {
namespace {

// In the executable, but not the program's code.
bool of_compiler(const char* function) {
  for (const char* prefix : {"__sanitizer", "__ubsan", "_ZN11__sanitizer", "_ZN7__ubsan", "_ZN6__asan", "__clang_call_terminate"}) {
    if (function != nullptr && strncmp(function, prefix, strlen(prefix)) == 0) return true;
  }
  return false;
}

bool has_text(const char* text, const char* part) { return text != nullptr && strstr(text, part) != nullptr; }

// The path by which the program came to abort() or to ASan: its own position, and the reason according to the libraries' frames below it.
struct Way {
  uintptr_t pc;               // skip frames up to this one, which are the shim's; 0: up to a library's first frame
  bool started = false;
  uintptr_t outermost = 0;    // the last position in the executable before the runtime's, because instances of templates contain the user's types
  uintptr_t users = 0;        // the first one that is the user's
  uintptr_t named = 0;        // the same without debug information
  bool terminate = false;     // came through std::terminate
  bool pure_virtual = false;
  bool joinable = false;      // through the destructor or the assignment of a std::thread
};

// True for the destructor or assignment of std::thread, which call std::terminate, among the inlined frames at a position.
bool ends_joinable_thread(uint32_t site) {
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count; ++i) {
    if (has_text(p.frames[i].file, "/std_thread.h") &&
        (has_text(p.frames[i].function, "~thread") || has_text(p.frames[i].function, "operator="))) {
      return true;
    }
  }
  const char* function = sites()[site].function;
  return has_text(function, "St6threadD") || has_text(function, "St6threadaS");
}

_Unwind_Reason_Code step(_Unwind_Context* frame, void* argument) {
  Way& way = *static_cast<Way*>(argument);
  const uintptr_t at = _Unwind_GetIP(frame);
  if (at == 0) return _URC_END_OF_STACK;
  const bool in_library = !of_own_code(at - 1);
  if (!way.started) {
    way.started = way.pc != 0 ? at == way.pc : in_library;
    if (!way.started) return _URC_NO_REASON;
  }
  const uint32_t site = sites().index_of(at);
  const char* function = sites()[site].function;
  way.terminate |= has_text(function, "_ZSt9terminatev") || has_text(function, "__cxa_throw") || has_text(function, "__terminate");
  way.pure_virtual |= has_text(function, "__cxa_pure_virtual") || has_text(function, "__cxa_deleted_virtual");
  if (in_library || of_compiler(function)) return _URC_NO_REASON;
  if (!is_runtime_function(function)) way.outermost = at;
  if (way.terminate) way.joinable |= ends_joinable_thread(site);
  if (way.users == 0 && has_users_code(site)) way.users = at;
  if (!has_users_name(site)) return _URC_NO_REASON;
  way.named = at;
  return _URC_END_OF_STACK;
}

// The shadow stack does not contain calls into libraries that are not instrumented. So the real stack is used.
Way way_from(uintptr_t pc) {
  Way way = {pc};
  if (&_Unwind_Backtrace != nullptr) _Unwind_Backtrace(step, &way);
  return way;
}

// The same, with the runtime's own frames, which are no user's.
Way way_from_here() {
  Way way = {.pc = 0, .started = true};
  if (&_Unwind_Backtrace != nullptr) _Unwind_Backtrace(step, &way);
  return way;
}

// Where the program failed, for the report and for the signature.
struct Place {
  uintptr_t shown, signs;
};

Place place_in_program(const Way& way) {
  const uintptr_t otherwise = way.outermost != 0 ? way.outermost : way.pc;
  return {way.users != 0 ? way.users : otherwise, way.named != 0 ? way.named : otherwise};
}

// Of a call of a shim.
Place place_of_call(uintptr_t pc) {
  const uint32_t site = sites().index_of(pc);
  if (has_users_name(site)) return {pc, pc};
  const Place place = place_in_program(way_from(pc));
  return {has_users_code(site) ? pc : place.shown, place.signs};
}

// "std::out_of_range" for "St12out_of_range". Templates and other complex names are unchanged.
const char* type_name(const char* mangled, char* out, size_t size) {
  const char* at = mangled;
  const bool nested = *at == 'N';
  at += nested;
  size_t n = 0;
  out[0] = 0;
  if (strncmp(at, "St", 2) == 0) {
    n = static_cast<size_t>(snprintf(out, size, "std"));
    at += 2;
  } else if (strcmp(at, "i") == 0) {
    return "int";
  } else if (strcmp(at, "PKc") == 0) {
    return "const char*";
  }
  while (*at >= '1' && *at <= '9') {
    size_t length = 0;
    while (*at >= '0' && *at <= '9') length = length * 10 + static_cast<size_t>(*at++ - '0');
    if (strnlen(at, length) < length || n + length + 3 > size) return mangled;
    const bool anonymous = strncmp(at, "_GLOBAL__N_1", 12) == 0;
    n += static_cast<size_t>(snprintf(out + n, size - n, "%s%.*s", n != 0 ? "::" : "", static_cast<int>(length),
                                      anonymous ? "(anon)" : at));
    at += length;
  }
  if (nested && *at == 'E') ++at;
  return *at == 0 && n != 0 ? out : mangled;
}

constexpr char kSanitizers[] = "the sanitizer ends the process";
constinit bool g_engine_here = true;

// Once: a failure during the report is not a new one. The fiber says which thread it is, also inside a shim that calls
// out. From here on the thread belongs to the engine's handlers, which use mutexes and files like ordinary code.
bool begin_telling() {
  live_state().leave();
  return live_state().current_thread() != kNoEvent && begin_own_failure();
}

void tell(FindingType type, const Place& at, const char* detail, const Thrown* thrown = nullptr) {
  raise_finding({.type = type, .thread = live_state().current_thread(), .context = live_state().current_context(), .site = sites().index_of(at.shown),
                 .detail = detail, .thrown = thrown, .signing = sites().index_of(at.signs)});
}

void aborted(uintptr_t pc) {
  live_state().make_again();
  if (!begin_telling()) return;
  const Way way = way_from(pc);
  const std::type_info* exception = exception_in_flight();
  char detail[600], name[256], text[256];
  if (way.pure_virtual) {
    snprintf(detail, sizeof detail, "pure virtual call");
  } else if (exception != nullptr) {
    const bool says = exception_text(text, sizeof text);
    snprintf(detail, sizeof detail, "uncaught exception of type %s%s%s", type_name(exception->name(), name, sizeof name), says ? ": " : "", says ? text : "");
  } else {
    snprintf(detail, sizeof detail, "%s", way.joinable ? "std::thread destroyed while joinable"
                                          : way.terminate ? "std::terminate() was called" : "abort() was called");
  }
  tell(FindingType::assertion, place_in_program(way), detail, exception != nullptr ? find_throw(exception_object()) : nullptr);
  go_on_after(pc);
}

void assertion_failed(uintptr_t pc, const char* expression, const char* file, unsigned line) {
  live_state().make_again();
  if (!begin_telling()) return;
  char detail[512];
  snprintf(detail, sizeof detail, "assertion `%s' at %s:%u", expression, file, line);
  tell(FindingType::assertion, place_of_call(pc), detail);
  go_on_after(pc);
}

void asan_reports(uintptr_t pc) {
  if (!begin_telling()) return;
  uintptr_t at = &__asan_get_report_pc != nullptr ? reinterpret_cast<uintptr_t>(by_address(&__asan_get_report_pc)()) : 0;
  // Only reports of bad accesses have one. For a signal it is the frame that the C library's trampoline returns to; for a bad free, the call.
  Place place = {at + 1, at + 1};
  if (at == 0) place = place_in_program(way_from(0));
  if (place.shown == 0) place = place_in_program(way_from_here());
  if (place.shown == 0) place = {pc, pc};
  const char* what = &__asan_get_report_description != nullptr ? by_address(&__asan_get_report_description)() : nullptr;
  char detail[128];
  describe_threads_to_asan(recorder().publish());
  snprintf(detail, sizeof detail, "AddressSanitizer: %s", what != nullptr ? what : "an error");
  tell(FindingType::sanitizer, place, detail);
  if (after_known_failure()) go_on_elsewhere(kSanitizers);
}

// libFuzzer's hook for allocations: it compares the size with its limit, reports, saves the input and ends the process. An execution in a process
// of its own dies as of any finding; the engine's process saves the input.
void large_allocation(uintptr_t pc, size_t size, size_t limit_mb) {
  live_state().make_again();
  if (!begin_telling()) return;
  Place at = pc != 0 ? place_of_call(pc) : place_in_program(way_from(pc));
  if (at.shown == 0) at = {pc + 1, pc + 1};
  char detail[128];
  snprintf(detail, sizeof detail, "%zu bytes at once: more than -malloc_limit_mb=%zu allows", size, limit_mb);
  tell(FindingType::out_of_memory, at, detail);
  go_on_after(pc);
  if (g_engine_here && &libfuzzer_malloc_hook != nullptr) libfuzzer_malloc_hook(nullptr, size);
  die();
}

void exits(uintptr_t pc, int status, const char* how) {
  live_state().make_again();
  if (!begin_telling()) return;
  char detail[128];
  snprintf(detail, sizeof detail, "calls %s, which would end the process with exit code %d", how, status & 0xFF);
  tell(FindingType::unexpected_exit, place_of_call(pc), detail);
  go_on_after(pc);
  die();
}

// After its report. ASan has told before, and of a signal the handler that stands before the sanitizer's.
void sanitizer_dies() {
  if (saving()) return;
  if (begin_telling()) {
    tell(FindingType::sanitizer, place_in_program(way_from_here()), "see the report above");
  }
  go_on_elsewhere(kSanitizers);
}

}  // namespace

void install_own_failures() { set_own_failure_sink({aborted, assertion_failed, asan_reports, large_allocation, exits, note_throw, note_made}); }

void process_ends() {
  if (live_state().current_thread() == kNoEvent || !begin_telling()) return;
  Way way = {.pc = 0};
  if (&_Unwind_Backtrace != nullptr) _Unwind_Backtrace(step, &way);
  tell(FindingType::unexpected_exit, place_in_program(way), "ends the process, by a function of the C library that calls exit()");
  go_on_elsewhere("its exit handlers have run");
  die();
}

void follow_sanitizers(bool engines) {
  g_engine_here = engines;
  if (&__sanitizer_set_death_callback == nullptr) return;
  __sanitizer_set_death_callback(engines ? +[] { sanitizer_dies(), call_libfuzzer(); } : sanitizer_dies);
}

}  // namespace heddle::rt
