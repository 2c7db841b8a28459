#include "analyses/thrown_exceptions.h"

#include <unwind.h>

#include "analyses/signals.h"
#include "base/program_code.h"
#include "races/access_log.h"
#include "trace/live_state.h"
#include "trace/recorder.h"
#include "trace/sites.h"

extern "C" __attribute__((weak)) _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn, void*);

namespace heddle::rt {
namespace {

struct Entry {
  const void* exception;
  uint64_t execution;
  Thrown thrown;
};
constexpr uint32_t kMost = 64;  // an exception that is caught is soon forgotten
constinit Entry g_thrown[kMost] = {};
constinit uint32_t g_count = 0;

struct Way {
  uintptr_t from;
  bool begun;
  uintptr_t program;  // the first position behind the library's
};

_Unwind_Reason_Code step(_Unwind_Context* frame, void* argument) {
  Way& way = *static_cast<Way*>(argument);
  const uintptr_t at = _Unwind_GetIP(frame);
  way.begun |= at == way.from;
  if (at == 0 || !way.begun || !of_own_code(at - 1)) return _URC_NO_REASON;
  way.program = at;
  return _URC_END_OF_STACK;
}

// The library throws for the program: std::vector::at, std::stoi.
uintptr_t program_call(uintptr_t pc) {
  if (of_own_code(pc - 1) || &_Unwind_Backtrace == nullptr) return pc;
  OutsideExecution outside;  // the unwinder has a lock
  Way way = {pc, false, 0};
  _Unwind_Backtrace(step, &way);
  return way.program != 0 ? way.program : pc;
}

bool is_of(const Entry& entry, const void* exception) { return entry.exception == exception && entry.execution == executions_begun(); }

void note(uintptr_t pc, const void* exception, bool made) {
  const Thrown thrown = {live_state().current_thread(), live_state().current_context(), sites().index_of(program_call(pc)),
                         static_cast<uint32_t>(recorder().events.size()), access_log().total(), made};
  if (g_count != 0 && is_of(g_thrown[(g_count - 1) % kMost], exception)) --g_count;  // made, and thrown at once
  g_thrown[g_count++ % kMost] = {exception, executions_begun(), thrown};
}

}  // namespace

void note_throw(uintptr_t pc, const void* exception) { note(pc, exception, false); }

// A library makes an exception only to throw it. With ASan its throw is not seen.
void note_made(uintptr_t pc, const void* exception) { note(pc, exception, of_own_code(pc - 1)); }

const Thrown* find_throw(const void* exception) {
  for (uint32_t i = g_count; i-- > 0 && g_count - i <= kMost;) {
    const Entry& entry = g_thrown[i % kMost];
    if (is_of(entry, exception)) return &entry.thrown;
  }
  return nullptr;
}

const Thrown* first_throw(uint32_t thread, uint32_t events) {
  const Thrown* first = nullptr;
  for (uint32_t i = g_count; i-- > 0 && g_count - i <= kMost;) {
    const Entry& entry = g_thrown[i % kMost];
    if (entry.execution == executions_begun() && entry.thrown.thread == thread && entry.thrown.events >= events) first = &entry.thrown;
  }
  return first;
}

}  // namespace heddle::rt
