#include "restore/exit_handlers.h"

#include <cstdint>

#include "base/program_text.h"
#include "base/reserved_array.h"
#include "base/writable_memory.h"
#include "restore/initial_state.h"
#include "restore/restored_modules.h"

extern "C" {
extern void* __dso_handle __attribute__((visibility("hidden")));  // the executable's
// harness/link/user_data_begin.c; the others are from the linker.
__attribute__((weak, visibility("hidden"))) extern char heddle_user_data_begin[], heddle_user_bss_begin[];
__attribute__((weak, visibility("hidden"))) extern char _edata[], _end[];
// The part of .fini_array that holds functions without a priority.
__attribute__((weak, visibility("hidden"))) extern void (*heddle_destructors_begin)();
__attribute__((weak, visibility("hidden"))) extern void (*__fini_array_end[])();
}

namespace heddle::rt {
namespace {

struct Handler {
  ExitFunction function;
  void* argument;
  StatusFunction status_function = nullptr;  // in the place of `function`
};

constexpr size_t kMaxHandlers = 1 << 16;
constinit ReservedArray<Handler> handlers, quick_handlers, early_handlers;

constinit bool early_ended = false;
constinit ReservedArray<void (*)()> destructors;
constinit size_t destructors_left = 0;  // of this execution

bool add(ReservedArray<Handler>& list, const Handler& handler) {
  list.reserve(kMaxHandlers);
  if (list.full()) return false;
  list.push() = handler;
  return true;
}

bool within(const void* p, const char* begin, const char* end) {
  return reinterpret_cast<uintptr_t>(p) - reinterpret_cast<uintptr_t>(begin) <
         reinterpret_cast<uintptr_t>(end) - reinterpret_cast<uintptr_t>(begin);
}

// The last one is called first, as at the end of the process.
bool run_destructor() {
  if (destructors_left == 0) return false;
  destructors[--destructors_left]();
  return true;
}

void do_nothing() {}

}  // namespace

bool register_exit_handler(ExitFunction function, void* argument, void* dso, bool of_program) {
  // Objects of libraries that are not restored must be destroyed once, at the very end. (For an executable at a fixed address, atexit()
  // passes no dso.)
  const bool of_executable = dso == static_cast<void*>(&__dso_handle) || dso == nullptr;
  const auto code = reinterpret_cast<uintptr_t>(function);
  const bool ours = (of_program && of_executable) ||
                    (argument != nullptr ? in_initial_state(argument) : initial_state_size() != 0 && (of_executable || is_put_back(code)));
  return ours && add(handlers, {function, argument});
}

bool register_status_handler(StatusFunction function, void* argument) {
  return add(handlers, {nullptr, argument, function});
}

bool register_quick_handler(ExitFunction function, void* argument) { return add(quick_handlers, {function, argument}); }

bool register_early_handler(ExitFunction function, void* argument) {
  if (early_ended || heddle_user_data_begin == nullptr || _edata == nullptr || _end == nullptr) return false;
  // The sanitizers and the fuzzing engine register functions without an argument, as the program does by atexit() and for arrays of objects.
  const bool ours = argument == nullptr ? is_program_function(reinterpret_cast<uintptr_t>(function))
                                        : within(argument, heddle_user_data_begin, _edata) || within(argument, heddle_user_bss_begin, _end);
  return ours && add(early_handlers, {function, argument});
}

void end_early_handlers() { early_ended = true; }

// The C library reads an entry immediately before it calls it.
void take_destructors() {
  if (&heddle_destructors_begin == nullptr) return;
  void (**const begin)() = &heddle_destructors_begin;
  if (!make_writable(begin, __fini_array_end)) return;
  destructors.reserve(kMaxHandlers);
  for (void (**d)() = begin; d != __fini_array_end; ++d) {
    if (!is_program_function(reinterpret_cast<uintptr_t>(*d)) || destructors.full()) continue;
    destructors.push() = *d;
    *d = do_nothing;
  }
}

void give_back_early_handlers(int (*registrar)(ExitFunction function, void* argument, void* dso)) {
  for (const Handler& handler : early_handlers) registrar(handler.function, handler.argument, &__dso_handle);
  early_handlers.clear();
}

size_t exit_handler_count() { return handlers.size(); }

bool run_exit_handler(bool quick, int status) {
  ReservedArray<Handler>& list = quick ? quick_handlers : handlers;
  if (list.size() == 0) return !quick && run_destructor();
  const Handler last = list[list.size() - 1];
  list.resize(list.size() - 1);
  if (last.status_function != nullptr) last.status_function(status, last.argument);
  else last.function(last.argument);
  return true;
}

void run_exit_handlers() {
  while (run_exit_handler(false, 0)) {
  }
}

void forget_exit_handlers() {
  destructors_left = destructors.size();
  handlers.clear();
  quick_handlers.clear();
  for (const Handler& handler : early_handlers) add(handlers, handler);
}

}  // namespace heddle::rt
