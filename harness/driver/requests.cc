#include "harness/driver/requests.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "analyses/die.h"
#include "analyses/go_on.h"
#include "analyses/report/report.h"
#include "analyses/report/symbolizer.h"
#include "analyses/report/symbolizer_memory.h"
#include "analyses/signals.h"
#include "analyses/time_out.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/spin_verdict.h"
#include "fiber/fiber.h"
#include "harness/driver/body.h"
#include "harness/driver/execution_server.h"
#include "harness/driver/kernel_fork.h"
#include "harness/driver/payload_file.h"
#include "harness/driver/target.h"
#include "harness/driver/whole_program.h"
#include "races/race_detector.h"
#include "schema/request.h"
#include "schema/trace_file.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::driver {
namespace {

// What the child tells the server, and the next children.
struct Result {
  RequestOutcome outcome;
  uint32_t trace_size;
  size_t donors;  // that executions have needed
  rt::FindingMemory findings;
  rt::SymbolizerMemory symbols;
};

constinit Result* result = nullptr;
constinit uint8_t* memory = nullptr;
constinit int command = -1;

[[noreturn]] void leave(RequestOutcome outcome) {
  result->donors = std::max(result->donors, fiber::donor_count());
  result->outcome = outcome;
  rt::raw_syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

void save(RunSummary run) {
  const rt::Uncontrolled outside;
  run.comparison_count = 0;  // only for mutators
  const auto bytes = encode_trace(run);
  if (bytes.size() > kRequestTrace) return;
  std::memcpy(memory + kRequestInput, bytes.data(), bytes.size());
  result->trace_size = static_cast<uint32_t>(bytes.size());
}

// What a thread was about to do, also if it is the one that runs: in the middle of an operation.
bool next_of(uint32_t thread, Event& next) {
  uint32_t context;
  if (rt::live_state().pending(thread, next, context)) return true;
  const rt::Thread& t = rt::engine().thread(thread);
  if (t.state == rt::ThreadState::finished || !t.in_operation) return false;
  next = rt::unfinished_event(t.op);
  return true;
}

// The finding comes in the middle of the execution. What each thread was about to do tells what the finding's own operation is: it may never
// become an event.
void save_unfinished() {
  const rt::Uncontrolled outside;
  RunSummary run = rt::recorder().publish();
  if (run.steps == 0) run.steps = run.event_count;
  std::vector<Event> events(run.events, run.events + run.event_count);
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    Event next;
    if (next_of(t, next)) events.push_back(next);
  }
  run.events = events.data();
  run.event_count = static_cast<uint32_t>(events.size());
  std::vector<ThreadRecord> threads(run.threads, run.threads + run.thread_count);
  if (const uint32_t failing = rt::live_state().current_thread(); failing < threads.size()) threads[failing].state = static_cast<uint8_t>(ThreadEnd::running);
  run.threads = threads.data();
  run.races = rt::race_detector_pairs(run.race_count);
  save(run);
}

[[noreturn]] void execute(const Request& request) {
  rt::set_death_hook(save_unfinished);
  rt::set_last_act([] { leave(RequestOutcome::finding); });
  signal(SIGALRM, [](int) {
    rt::report_time_out();
    leave(RequestOutcome::timed_out);
  });
  if (request.quick_verdict != 0) rt::set_spin_verdict(rt::kQuickVerdict);
  const itimerval limit = {{0, 0}, {request.milliseconds / 1000, static_cast<suseconds_t>(request.milliseconds % 1000 * 1000)}};
  rt::raw_syscall(SYS_setitimer, ITIMER_REAL, rt::word(&limit), 0);
  const RunSummary& run = rt::run_one({memory, request.input_size}, is_program() ? program_body : harness_body);
  save(run);
  leave((run.flags & kRunFinding) != 0 ? RequestOutcome::finding : RequestOutcome::passed);
}

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
  void* const own = mmap(nullptr, sizeof(Result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED || own == MAP_FAILED) return false;
  close(shared);
  memory = static_cast<uint8_t*>(at);
  result = static_cast<Result*>(own);
  command = raise_descriptor(socket);
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

RequestReply make_execution(Request request) {
  result->outcome = RequestOutcome::unfinished;
  result->trace_size = 0;
  result->findings = {};
  const int status = execute_in_child(result->donors, command, [](void* made) { execute(*static_cast<const Request*>(made)); }, &request);
  const rt::FindingMemory& found = result->findings;
  const bool ended = result->outcome != RequestOutcome::unfinished;
  return {.outcome = !ended && found.counts.all != 0 ? RequestOutcome::finding : result->outcome,
          .status = status,
          .signature = found.counts.different != 0 ? found.signatures[0] : 0,
          .findings = static_cast<uint32_t>(found.counts.all),
          .kind = static_cast<uint32_t>(found.first),
          .only_spins = found.first == rt::FindingType::livelock || found.first == rt::FindingType::endless_threads,
          .trace_size = result->trace_size};
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
  become_execution_server();
  const RequestReady ready = {kRequestVersion};
  if (send(command, &ready, sizeof ready, MSG_NOSIGNAL) != sizeof ready) end(0);
  silence();
  for (Request request; recv(command, &request, sizeof request, MSG_WAITALL) == sizeof request;) {
    request.input_size = std::min(request.input_size, static_cast<uint32_t>(kRequestInput));
    const RequestReply reply = make_execution(request);
    if (send(command, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply) break;
  }
  end(0);
}

}  // namespace heddle::driver
