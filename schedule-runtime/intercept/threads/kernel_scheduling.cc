// The calls by which a program asks the kernel for processors, policies and priorities of its threads. About other processes the kernel is asked.
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <optional>

#include "base/raw_syscall.h"
#include "intercept/library_access.h"
#include "intercept/own_number.h"
#include "intercept/threads/thread_scheduling.h"

using namespace heddle::rt;

HEDDLE_REAL(sched_getcpu);
HEDDLE_REAL(getcpu);
HEDDLE_LIBRARY_NEXT(int, sched_getaffinity, (pid_t process, size_t size, cpu_set_t* to))
HEDDLE_LIBRARY_NEXT(int, sched_setaffinity, (pid_t process, size_t size, const cpu_set_t* from))
HEDDLE_LIBRARY_NEXT(int, sched_getscheduler, (pid_t process))
HEDDLE_LIBRARY_NEXT(int, sched_setscheduler, (pid_t process, int policy, const sched_param* parameters))
HEDDLE_LIBRARY_NEXT(int, sched_getparam, (pid_t process, sched_param* to))
HEDDLE_LIBRARY_NEXT(int, sched_setparam, (pid_t process, const sched_param* from))
HEDDLE_LIBRARY_NEXT(int, pthread_getaffinity_np, (pthread_t thread, size_t size, cpu_set_t* to))
HEDDLE_LIBRARY_NEXT(int, pthread_setaffinity_np, (pthread_t thread, size_t size, const cpu_set_t* from))
HEDDLE_LIBRARY_NEXT(int, pthread_getschedparam, (pthread_t thread, int* policy, sched_param* to))
HEDDLE_LIBRARY_NEXT(int, pthread_setschedparam, (pthread_t thread, int policy, const sched_param* from))
HEDDLE_LIBRARY_NEXT(int, pthread_setschedprio, (pthread_t thread, int priority))
HEDDLE_LIBRARY_NEXT(int, getpriority, (int which, id_t who))
HEDDLE_LIBRARY_NEXT(int, setpriority, (int which, id_t who, int value))
HEDDLE_LIBRARY_NEXT(int, nice, (int more))

namespace {

constexpr int kSysNice = 23;  // CAP_SYS_NICE
constexpr int kLowestNice = -20, kHighestNice = 19;

// The controlled thread of this number, as system calls name it; null: another process's, or the caller is not controlled.
Thread* thread_named(pid_t number) {
  if (current_thread() == nullptr) return nullptr;
  return number == 0 ? current_thread() : thread_of_number(number);
}
Thread* thread_with(pthread_t thread) { return current_thread() == nullptr ? nullptr : engine().thread_of(thread); }

bool privileged() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  return raw_syscall(SYS_capget, word(&header), word(data)) == 0 && (data[0].effective >> kSysNice & 1) != 0;
}
bool limit_allows(int what, int wanted) {
  rlimit limit = {};
  return raw_syscall(SYS_prlimit64, 0, static_cast<uintptr_t>(what), 0, word(&limit)) == 0 && static_cast<rlim_t>(wanted) <= limit.rlim_cur;
}

// These return an error number, or 0.
int get_affinity(const Thread& t, size_t size, cpu_set_t* to, Place place) {
  const ThreadScheduling now = thread_scheduling(t);
  const size_t known = std::min(size, sizeof now.affinity);
  if (size % sizeof(long) != 0 || std::any_of(now.affinity + known, std::end(now.affinity), [](uint8_t b) { return b != 0; })) return EINVAL;
  value_accessed(reinterpret_cast<char*>(to), true, place, size);
  memset(to, 0, size);
  memcpy(to, now.affinity, known);
  return 0;
}

// Processors that the process may not use are left out, as in the kernel.
int set_affinity(const Thread& t, size_t size, const cpu_set_t* from, Place place) {
  value_accessed(reinterpret_cast<const char*>(from), false, place, size);
  ThreadScheduling now = thread_scheduling(t);
  uint8_t allowed[sizeof now.affinity] = {};
  raw_syscall(SYS_sched_getaffinity, 0, sizeof allowed, word(allowed));
  bool any = false;
  for (size_t i = 0; i < sizeof now.affinity; ++i) {
    now.affinity[i] = static_cast<uint8_t>(i < size ? reinterpret_cast<const uint8_t*>(from)[i] & allowed[i] : 0);
    any |= now.affinity[i] != 0;
  }
  if (!any) return EINVAL;
  set_thread_scheduling(t, now);
  return 0;
}

int set_policy(const Thread& t, int policy, int priority) {
  policy &= ~SCHED_RESET_ON_FORK;
  const int least = sched_get_priority_min(policy), most = sched_get_priority_max(policy);
  if (least < 0 || priority < least || priority > most) return EINVAL;
  ThreadScheduling now = thread_scheduling(t);
  if (priority > now.priority && !privileged() && !limit_allows(RLIMIT_RTPRIO, priority)) return EPERM;
  now.policy = policy;
  now.priority = priority;
  set_thread_scheduling(t, now);
  return 0;
}

int set_nice(const Thread& t, int value) {
  value = std::clamp(value, kLowestNice, kHighestNice);
  ThreadScheduling now = thread_scheduling(t);
  if (value < now.nice && !privileged() && !limit_allows(RLIMIT_NICE, 20 - value)) return EACCES;
  now.nice = value;
  set_thread_scheduling(t, now);
  return 0;
}

int answer(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

// The C++ names are heddle's own: the C library's declarations differ from system to system.
#define HEDDLE_SCHEDULING(result, name, parameters)       \
  HEDDLE_SHIM result heddle_##name parameters asm(#name); \
  result heddle_##name parameters

HEDDLE_SCHEDULING(int, sched_getaffinity, (pid_t process, size_t size, cpu_set_t* to)) {
  if (const Thread* const t = thread_named(process)) return answer(get_affinity(*t, size, to, HEDDLE_HERE));
  return next_sched_getaffinity(number_for_kernel(process), size, to);
}
HEDDLE_SCHEDULING(int, sched_setaffinity, (pid_t process, size_t size, const cpu_set_t* from)) {
  if (const Thread* const t = thread_named(process)) return answer(set_affinity(*t, size, from, HEDDLE_HERE));
  return next_sched_setaffinity(number_for_kernel(process), size, from);
}
HEDDLE_SCHEDULING(int, sched_getscheduler, (pid_t process)) {
  if (const Thread* const t = thread_named(process)) return thread_scheduling(*t).policy;
  return next_sched_getscheduler(number_for_kernel(process));
}
HEDDLE_SCHEDULING(int, sched_setscheduler, (pid_t process, int policy, const sched_param* parameters)) {
  value_accessed(parameters, false, HEDDLE_HERE);
  if (const Thread* const t = thread_named(process)) return answer(set_policy(*t, policy, parameters->sched_priority));
  return next_sched_setscheduler(number_for_kernel(process), policy, parameters);
}
HEDDLE_SCHEDULING(int, sched_getparam, (pid_t process, sched_param* to)) {
  const Thread* const t = thread_named(process);
  if (t == nullptr) return next_sched_getparam(number_for_kernel(process), to);
  value_accessed(to, true, HEDDLE_HERE);
  *to = {thread_scheduling(*t).priority};
  return 0;
}
HEDDLE_SCHEDULING(int, sched_setparam, (pid_t process, const sched_param* from)) {
  value_accessed(from, false, HEDDLE_HERE);
  if (const Thread* const t = thread_named(process)) return answer(set_policy(*t, thread_scheduling(*t).policy, from->sched_priority));
  return next_sched_setparam(number_for_kernel(process), from);
}

HEDDLE_SCHEDULING(int, pthread_getaffinity_np, (pthread_t thread, size_t size, cpu_set_t* to)) {
  if (const Thread* const t = thread_with(thread)) return get_affinity(*t, size, to, HEDDLE_HERE);
  return current_thread() == nullptr ? next_pthread_getaffinity_np(thread, size, to) : ESRCH;
}
HEDDLE_SCHEDULING(int, pthread_setaffinity_np, (pthread_t thread, size_t size, const cpu_set_t* from)) {
  if (const Thread* const t = thread_with(thread)) return set_affinity(*t, size, from, HEDDLE_HERE);
  return current_thread() == nullptr ? next_pthread_setaffinity_np(thread, size, from) : ESRCH;
}
HEDDLE_SCHEDULING(int, pthread_getschedparam, (pthread_t thread, int* policy, sched_param* to)) {
  if (current_thread() == nullptr) return next_pthread_getschedparam(thread, policy, to);
  const Thread* const t = thread_with(thread);
  if (t == nullptr) return ESRCH;
  value_accessed(policy, true, HEDDLE_HERE);
  value_accessed(to, true, HEDDLE_HERE);
  const ThreadScheduling now = thread_scheduling(*t);
  *policy = now.policy;
  *to = {now.priority};
  return 0;
}
HEDDLE_SCHEDULING(int, pthread_setschedparam, (pthread_t thread, int policy, const sched_param* from)) {
  value_accessed(from, false, HEDDLE_HERE);
  if (const Thread* const t = thread_with(thread)) return set_policy(*t, policy, from->sched_priority);
  return current_thread() == nullptr ? next_pthread_setschedparam(thread, policy, from) : ESRCH;
}
HEDDLE_SCHEDULING(int, pthread_setschedprio, (pthread_t thread, int priority)) {
  if (const Thread* const t = thread_with(thread)) return set_policy(*t, thread_scheduling(*t).policy, priority);
  return current_thread() == nullptr ? next_pthread_setschedprio(thread, priority) : ESRCH;
}

HEDDLE_SCHEDULING(int, getpriority, (int which, id_t who)) {
  if (which != PRIO_PROCESS) return next_getpriority(which, who);
  const auto number = static_cast<pid_t>(who);
  const Thread* const t = thread_named(number);
  return t != nullptr ? thread_scheduling(*t).nice : next_getpriority(which, static_cast<id_t>(number_for_kernel(number)));
}
HEDDLE_SCHEDULING(int, setpriority, (int which, id_t who, int value)) {
  if (which != PRIO_PROCESS) return next_setpriority(which, who, value);
  const auto number = static_cast<pid_t>(who);
  const Thread* const t = thread_named(number);
  return t != nullptr ? answer(set_nice(*t, value)) : next_setpriority(which, static_cast<id_t>(number_for_kernel(number)), value);
}
HEDDLE_SCHEDULING(int, nice, (int more)) {
  const Thread* const t = current_thread();
  if (t == nullptr) return next_nice(more);
  const int error = set_nice(*t, thread_scheduling(*t).nice + more);
  return error != 0 ? answer(EPERM) : thread_scheduling(*t).nice;
}

HEDDLE_SHIM int sched_getcpu() noexcept {
  const Thread* const t = current_thread();
  return t != nullptr ? static_cast<int>(processor_of(*t)) : real_sched_getcpu();
}

HEDDLE_SHIM int getcpu(unsigned* cpu, unsigned* node) noexcept {
  const Thread* const t = current_thread();
  if (t == nullptr) return real_getcpu(cpu, node);
  if (cpu != nullptr) *cpu = processor_of(*t);
  if (node != nullptr) *node = 0;
  return 0;
}
