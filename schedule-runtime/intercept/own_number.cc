#include "intercept/own_number.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw_syscall.h"
#include "engine/program_exit.h"
#include "intercept/word_call.h"

using namespace heddle::rt;

namespace {

constexpr uintptr_t kOneThread = 1;  // ioprio_get, ioprio_set: IOPRIO_WHO_PROCESS

pid_t kernels(long call) { return static_cast<pid_t>(raw_syscall(call)); }
Word changed(Word number) { return static_cast<Word>(number_for_kernel(static_cast<pid_t>(number))); }

}  // namespace

pid_t heddle::rt::number_for_kernel(pid_t number) {
  if (current_thread() == nullptr || number <= 0) return number;
  if (number >= kFirstVirtualThread) {
    const bool known = static_cast<uint32_t>(number - kFirstVirtualThread) < engine().thread_count();
    return known ? kernels(SYS_gettid) : number;
  }
  if (!in_program()) return number;
  const ProgramProcess& process = program_process();
  return number == process.number ? kernels(SYS_getpid) : number == process.parent ? kernels(SYS_getppid) : number;
}

pid_t heddle::rt::number_for_program(pid_t number) {
  if (number <= 0 || !in_program()) return number;
  const ProgramProcess& process = program_process();
  return number == kernels(SYS_getpid) ? process.number : number == kernels(SYS_getppid) ? process.parent : number;
}

Thread* heddle::rt::thread_of_number(pid_t number) {
  const auto index = static_cast<uint32_t>(number - kFirstVirtualThread);
  if (number >= kFirstVirtualThread) return index < engine().thread_count() ? &engine().thread(index) : nullptr;
  return number == getpid() ? &engine().thread(0) : nullptr;
}

void heddle::rt::numbers_for_kernel(long call, uintptr_t* a) {
  switch (call) {
    case SYS_setpgid:
      a[1] = changed(a[1]);
      [[fallthrough]];
    case SYS_getpgid:
    case SYS_getsid:
    case SYS_pidfd_open:
    case SYS_prlimit64:
    case SYS_process_vm_readv:
    case SYS_process_vm_writev:
    case SYS_sched_getaffinity:
    case SYS_sched_getattr:
    case SYS_sched_getparam:
    case SYS_sched_getscheduler:
    case SYS_sched_rr_get_interval:
    case SYS_sched_setaffinity:
    case SYS_sched_setattr:
    case SYS_sched_setparam:
    case SYS_sched_setscheduler: a[0] = changed(a[0]); break;
    case SYS_getpriority:
    case SYS_setpriority:
      if (a[0] == PRIO_PROCESS) a[1] = changed(a[1]);
      break;
    case SYS_ioprio_get:
    case SYS_ioprio_set:
      if (a[0] == kOneThread) a[1] = changed(a[1]);
      break;
  }
}

HEDDLE_WORD_SHIM(getpgid, a = changed(a))
HEDDLE_WORD_SHIM(getsid, a = changed(a))
HEDDLE_WORD_SHIM(setpgid, a = changed(a), b = changed(b))
HEDDLE_WORD_SHIM(process_vm_readv, a = changed(a))
HEDDLE_WORD_SHIM(process_vm_writev, a = changed(a))
HEDDLE_WORD_SHIM(sched_rr_get_interval, a = changed(a))
