#include "intercept/passed_calls.h"

#include <sys/syscall.h>
#include <unwind.h>

#include <cstring>

#include "base/elf.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/initialisation.h"
#include "restore/restored_modules.h"

namespace heddle::rt {

constinit bool counting_passed_calls = false;

namespace {

constinit PassedCall* g_last = nullptr;
constinit PassedCall* g_first = nullptr;
constinit uintptr_t g_created_at[kNamedForeignThreads] = {};
constinit uint32_t g_thread_count = 0;
constinit bool g_engine_starts_threads = false;
constinit bool g_locked = false;

// Foreign threads can come here at any time.
class Lock {
 public:
  Lock() {
    while (__atomic_test_and_set(&g_locked, __ATOMIC_ACQUIRE)) {
    }
  }
  ~Lock() { __atomic_clear(&g_locked, __ATOMIC_RELEASE); }
};

// The parts of std::thread, which are in the executable or in libstdc++.
bool starts_threads_for_others(uintptr_t pc) {
  const Symbol* symbol = find_symbol(pc);
  return symbol != nullptr && strncmp(symbol->name, "_ZNSt6thread", 12) == 0;
}

// A library such as libstdc++ may start the thread for the executable. Then this is the executable's own code that called it; else the
// library's.
struct Search {
  uintptr_t from;
  bool passed_shim = false;
  uintptr_t found = 0;
  uintptr_t library = 0;  // the innermost code of a library that is not instrumented
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto* search = static_cast<Search*>(argument);
  const uintptr_t pc = _Unwind_GetIP(context);
  search->passed_shim = search->passed_shim || pc == search->from;
  if (search->passed_shim && search->library == 0 && of_bare_library(pc)) search->library = pc;
  if (!search->passed_shim || !is_main_executable(pc) || starts_threads_for_others(pc)) return _URC_NO_REASON;
  search->found = pc;
  return _URC_END_OF_STACK;
}

Search find_callers(uintptr_t pc) {
  Search search{pc};
  _Unwind_Backtrace(visit, &search);
  if (search.found == 0) search.found = pc;
  return search;
}

// All controlled threads run on one kernel thread: the first of the process, which also runs the fuzzing engine.
bool on_foreign_thread() { return raw_syscall(SYS_gettid) != raw_syscall(SYS_getpid); }

}  // namespace

void count_passed_call(PassedCall& call) {
  if (!engine().running()) return;
  const bool controlled = current_thread() != nullptr;
  if (!controlled && (!on_foreign_thread() || g_thread_count == 0)) return;
  const Lock lock;
  ++(controlled ? call.controlled : call.foreign);
  if (call.listed) return;
  call.listed = true;
  (g_last != nullptr ? g_last->next : g_first) = &call;
  g_last = &call;
}

const PassedCall* passed_calls() { return g_first; }

void note_foreign_thread(uintptr_t pc) {
  if (g_engine_starts_threads) return;
  initialisation().end_for_good();
  const Search callers = find_callers(pc);
  if (callers.library != 0) note_uncontrolled_thread(callers.library);
  const Lock lock;
  if (g_thread_count < kNamedForeignThreads) g_created_at[g_thread_count] = callers.found;
  ++g_thread_count;
}

void engine_starts_threads(bool yes) { g_engine_starts_threads = yes; }

const uintptr_t* foreign_threads(uint32_t& count) {
  count = g_thread_count;
  return g_created_at;
}

}  // namespace heddle::rt
