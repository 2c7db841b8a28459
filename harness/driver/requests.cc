#include "harness/driver/requests.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

#include "analyses/report/report.h"
#include "analyses/report/symbolizer.h"
#include "analyses/report/symbolizer_memory.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "harness/driver/choose_restore.h"
#include "harness/driver/execution_server.h"
#include "harness/driver/kernel_fork.h"
#include "harness/driver/payload_file.h"
#include "harness/driver/request_worker.h"
#include "harness/driver/whole_program.h"
#include "restore/restored_modules.h"
#include "schema/request.h"

namespace heddle::driver {
namespace {

constinit WorkerResult* result = nullptr;
constinit RequestChannel channel = {};

// The numbers of the variable; false: it is not there, or wrong.
bool take_descriptors(int& shared, int& socket) {
  const char* const value = std::getenv(kRequestVariable);
  return value != nullptr && std::sscanf(value, "%d,%d", &shared, &socket) == 2;
}

[[noreturn]] void end(int code) {
  rt::raw_syscall(SYS_exit_group, static_cast<uintptr_t>(code));
  __builtin_unreachable();
}

bool connect() {
  int shared = -1, socket = -1;
  if (!take_descriptors(shared, socket)) return false;
  unsetenv(kRequestVariable);  // the program could see it
  void* const at = mmap(nullptr, kRequestMemory, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, shared, 0);
  void* const own = mmap(nullptr, sizeof(WorkerResult), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED || own == MAP_FAILED) return false;
  close(shared);
  channel = {static_cast<uint8_t*>(at), raise_descriptor(socket)};
  result = static_cast<WorkerResult*>(own);
  rt::share_finding_memory(result->findings);
  rt::share_symbolizer_memory(result->symbols);
  return true;
}

void silence() {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, 1);
  dup2(nothing, 2);
  close(nothing);
}

// Makes the execution of result->request, and those that the command asks for until the worker ends. Returns its wait status.
int run_worker() {
  result->made = 0;
  result->begin_execution();
  result->processor_before = processor_nanoseconds();
  const int status = execute_in_child(result->donors, -1, [](void*) { work(*result, channel); }, nullptr);
  result->processor_before = 0;
  return status;
}

auto what_happened() { return std::tuple(result->outcome, result->findings.signatures[0], result->trace_hash); }

// A report of a time-out would take the limit once more.
bool to_be_compared() {
  if (result->made < 2 || result->outcome == RequestOutcome::timed_out) return false;
  return result->outcome == RequestOutcome::passed || is_compared(++result->later_found);
}

// The program may keep state from one execution to the next that heddle does not restore. Then each has a process of its own from now on.
int compare_with_first_execution() {
  const auto before = what_happened();
  const bool left_traces = std::exchange(result->alone, true);
  const int status = run_worker();
  result->alone = left_traces || what_happened() != before;
  return status;
}

}  // namespace

bool serves_requests() {
  int shared, socket;
  return take_descriptors(shared, socket);
}

void serve_requests() {
  if (!connect()) {
    rt::print_line(2, "heddle: %s cannot be used: %s\n", kRequestVariable, std::strerror(errno));
    end(rt::kUsageExit);
  }
  const itimerval none = {};
  rt::raw_syscall(SYS_setitimer, ITIMER_REAL, rt::word(&none), 0);  // the engine's, which would see an execution without an end
  result->alone = rt::keeps_everything() || (is_program() && !can_restore_in_process());
  become_execution_server(result->alone);
  if (is_program() && !result->alone) restore_in_process();
  const RequestReady ready = {kRequestVersion};
  if (send(channel.socket, &ready, sizeof ready, MSG_NOSIGNAL) != sizeof ready) end(0);
  silence();
  while (channel.take(result->request)) {
    int status = run_worker();
    if (result->answered) continue;  // the command wants no more
    if (to_be_compared()) status = compare_with_first_execution();
    if (!channel.answer(*result, status)) break;
  }
  end(0);
}

}  // namespace heddle::driver
