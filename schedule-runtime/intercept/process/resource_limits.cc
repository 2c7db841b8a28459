// Limits of resources, which are the process's: setrlimit, prlimit. Those that an execution has changed are put back at its end.
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/line.h"
#include "base/raw_syscall.h"
#include "engine/program_exit.h"
#include "intercept/own_number.h"
#include "intercept/process_call.h"
#include "intercept/word_call.h"
#include "restore/process_state.h"
#include "restore/touched_state.h"

using namespace heddle::rt;

namespace {

// As the kernel has it, which knows no other width.
struct Limit {
  uint64_t soft, hard;
};
constexpr uint64_t kResources = RLIM_NLIMITS;
constinit Limit g_initial[kResources] = {};
constinit bool g_stays = false;  // a limit that cannot be put back, in a process that has only this execution

long kernels_limit(uint64_t resource, const Limit* to, Limit* before) {
  return raw_syscall(SYS_prlimit64, 0, resource, word(to), word(before));
}

// Only who has this capability can raise a hard limit again. In a container, not even root may have it.
bool may_raise_hard_limits() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  return raw_syscall(SYS_capget, word(&header), word(data)) == 0 && (data[0].effective & 1u << CAP_SYS_RESOURCE) != 0;
}

void put_back_limits() {
  for (uint64_t resource = 0; resource < kResources; ++resource) {
    const Limit& initial = g_initial[resource];
    Limit now;
    if (kernels_limit(resource, nullptr, &now) != 0 || (now.soft == initial.soft && now.hard == initial.hard)) continue;
    if (kernels_limit(resource, &initial, nullptr) != 0 && !g_stays) {
      print_line(2, "heddle: warning: a limit of resources (setrlimit) could not be put back: only a privileged process can raise the hard limit again\n");
    }
  }
}
constinit TouchedState g_limits_touched{put_back_limits};

// `to` is null if the program only asks.
void sets_limit(const char* call, Place place, uint64_t resource, const Limit* to) {
  if (current_thread() == nullptr || to == nullptr || resource >= kResources) return;
  note_process_call(call, place);
  if (g_limits_touched.touch()) {
    for (uint64_t r = 0; r < kResources; ++r) kernels_limit(r, nullptr, &g_initial[r]);
  }
  // Executions of a whole program get a process each then.
  if (in_program() && to->hard < g_initial[resource].hard && !may_raise_hard_limits()) {
    g_stays = true;
    note_unrestorable("setrlimit of a hard limit");
  }
}

bool is_own(Word number) {
  return number == 0 || static_cast<pid_t>(number) == static_cast<pid_t>(raw_syscall(SYS_getpid));
}

}  // namespace

HEDDLE_WORD_SHIM(setrlimit, sets_limit("setrlimit", HEDDLE_HERE, a, reinterpret_cast<const Limit*>(b)))
HEDDLE_WORD_SHIM(setrlimit64, sets_limit("setrlimit", HEDDLE_HERE, a, reinterpret_cast<const Limit*>(b)))

#define HEDDLE_PRLIMIT(name)                                                              \
  HEDDLE_WORD_SHIM(name, a = static_cast<Word>(number_for_kernel(static_cast<pid_t>(a))); \
                   if (is_own(a)) sets_limit("prlimit", HEDDLE_HERE, b, reinterpret_cast<const Limit*>(c)))
HEDDLE_PRLIMIT(prlimit)
HEDDLE_PRLIMIT(prlimit64)
