#include "harness/driver/fork_server.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "analyses/die.h"
#include "analyses/go_on.h"
#include "analyses/race_list.h"
#include "analyses/report/report.h"
#include "analyses/report/symbolizer.h"
#include "analyses/report/symbolizer_memory.h"
#include "analyses/signals.h"
#include "analyses/time_out.h"
#include "base/afl.h"
#include "base/exit_codes.h"
#include "base/line.h"
#include "base/options.h"
#include "base/raw_syscall.h"
#include "base/reserved_array.h"
#include "engine/engine.h"
#include "engine/order_statistics.h"
#include "feedback/feedback.h"
#include "fiber/fiber.h"
#include "harness/driver/asked_time_out.h"
#include "harness/driver/coverage_counters.h"
#include "harness/driver/execution_end.h"
#include "harness/driver/execution_server.h"
#include "harness/driver/kernel_fork.h"
#include "harness/driver/output_passing.h"
#include "harness/driver/payload_file.h"
#include "harness/driver/saved_input.h"
#include "harness/driver/statistics.h"
#include "harness/driver/target.h"
#include "harness/driver/trace_output.h"
#include "harness/driver/whole_program.h"
#include "restore/process_state.h"
#include "schema/codec.h"
#include "schema/run_channel.h"
#include "trace/recorder.h"

namespace heddle::driver {
namespace {

constexpr size_t kMaxInput = 1 << 20;  // the engine's
constexpr unsigned kMeasureSeconds = 10;

constexpr char kRun = 'r', kMeasure = 'm', kOutputs = 'o';

// One writer at a time: the fuzzing engine's process before the child begins, then the child.
struct Shared {
  ExecutionEnd end;
  pid_t child;  // the execution that is under way
  uint32_t size;
  uint64_t executions;  // before this one
  size_t donors;  // that executions have needed
  int exit_code;  // of the program, in the last execution that came to its end
  bool counts_orders;
  uint64_t order;  // of its operations, if they are counted
  Measurement measurement;
  rt::FindingMemory findings;
  rt::RacesSeen races;
  rt::SymbolizerMemory symbols;
  alignas(64) uint8_t input[kMaxInput];
  alignas(64) uint8_t channel[kRunChannelSize];
  alignas(64) uint8_t counters[];
};

constinit Shared* shared = nullptr;
constinit int server = -1;  // our end of the socket
constinit pid_t server_process = -1;
constinit RunSummary last_run = {};

bool read_fully(int file, void* out, size_t size) {
  auto* at = static_cast<char*>(out);
  while (size != 0) {
    const ssize_t n = read(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

[[noreturn]] void leave(Outcome outcome) {
  shared->donors = std::max(shared->donors, fiber::donor_count());
  leave_process(shared->end, shared->counters, outcome);
}

// A finding ends the execution's process.
[[noreturn]] void leave_cut_short() {
  if (!rt::goes_on_after_own_failure()) leave(Outcome::finding);
  RunSummary run = rt::recorder().publish();
  if (run.steps == 0) run.steps = run.event_count;
  write_run(shared->channel, run);
  leave(Outcome::cut);
}

[[noreturn]] void execute() {
  install_trace_output();
  rt::set_death_hook([] {
    const rt::Uncontrolled outside;
    save_unfinished_trace();
  });
  begin_trace_output();
  shared->child = static_cast<pid_t>(rt::raw_syscall(SYS_getpid));
  signal(SIGALRM, [](int) {
    answer_time_out(shared->end, rt::report_time_out);
    leave(Outcome::finding);
  });
  rt::set_last_act(leave_cut_short);
  std::memset(first_counter(), 0, counter_count());
  set_current_input(shared->input, shared->size);  // its report names the file that the engine will write
  rt::add_executions_elsewhere(shared->executions);
  if (shared->counts_orders) rt::order_statistics().leave_to_other_process();
  const RunSummary& run = rt::run_one({shared->input, shared->size}, program_body);
  write_run(shared->channel, run);
  rt::publish_afl_counters();
  shared->exit_code = rt::last_body_result();
  shared->order = rt::order_statistics().last_order();
  leave(Outcome::done);
}

[[noreturn]] void find_out() {
  alarm(kMeasureSeconds);  // its default action ends this process
  rt::set_last_act([] { leave(Outcome::finding); });
  measure(shared->measurement);
  leave(Outcome::done);
}

// Runs in the server's process.
[[noreturn]] void serve(int engine) {
  // Signals from a terminal are for the engine's process. If that process ends, the server ends, too.
  setpgid(0, 0);
  become_execution_server(true);
  char command;
  while (read_fully(engine, &command, 1)) {
    if (command == kOutputs) {
      take_outputs(engine);
      continue;
    }
    const int status = execute_in_child(shared->donors, engine, [](void* what) { *static_cast<char*>(what) == kMeasure ? find_out() : execute(); }, &command);
    if (write(engine, &status, sizeof status) != sizeof status) break;
  }
  rt::raw_syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

int ask(char command) {
  shared->end.outcome = Outcome::unfinished;
  shared->child = 0;
  int status = -1;
  if (send(server, &command, 1, MSG_NOSIGNAL) != 1 || !read_fully(server, &status, sizeof status)) {
    // Errors in the options or limits of the system were already reported.
    const bool said = waitpid(server_process, &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 0;
    if (!said) rt::print_line(2, "heddle: the fork server has ended, and so does this process\n");
    rt::raw_syscall(SYS_exit_group, static_cast<uintptr_t>(said ? WEXITSTATUS(status) : rt::kInternalErrorExit));
  }
  return status;
}

}  // namespace

bool has_fork_server() { return server >= 0; }

bool start_fork_server() {
  int ends[2];
  void* memory = mmap(nullptr, sizeof(Shared) + counter_count(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    rt::print_line(2, "heddle: no fork server: %s\n", std::strerror(errno));
    return false;
  }
  shared = static_cast<Shared*>(memory);
  rt::share_finding_memory(shared->findings);
  rt::share_symbolizer_memory(shared->symbols);
  rt::share_races_seen(shared->races);
  std::fflush(nullptr);  // or each child might write it once more
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    serve(raise_descriptor(ends[1]));
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    rt::print_line(2, "heddle: no fork server: %s\n", std::strerror(errno));
    return false;
  }
  server_process = child;
  server = raise_descriptor(ends[0]);
  return true;
}

void send_outputs() {
  if (send(server, &kOutputs, 1, MSG_NOSIGNAL) == 1) pass_outputs(server);
}

Measurement measure_in_child() {
  shared->measurement = {};
  ask(kMeasure);
  Measurement measured = shared->measurement;
  measured.found = shared->findings.counts.all + shared->findings.known.all != 0;
  shared->findings = {};  // no report was printed yet
  return measured;
}

bool tell_forked_time_out() {
  if (!has_fork_server() || shared->child == 0 || !ask_for_time_out(shared->child, shared->end)) return false;
  if (shared->end.outcome == Outcome::unfinished) {
    rt::print_line(2, "heddle: the forked execution %s\n",
                   shared->end.reports ? "did not finish the report of its time-out" : "does not answer: there is no report of its time-out");
  }
  return true;
}

// An execution that its failure has killed, and of which nothing is known. The search goes on if the user wants that.
static bool killed_and_goes_on(int status, bool told) {
  if (!told && WIFSIGNALED(status)) {
    rt::print_line(2, "heddle: the forked execution was killed by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  if (rt::options().exit_on_finding || !WIFSIGNALED(status)) return false;
  if (!told) ++shared->findings.counts.all;
  last_run = {};
  last_run.flags = kRunFinding;
  return true;
}

int forked_exit_code() { return shared->end.outcome == Outcome::done ? shared->exit_code : 0; }

const RunSummary& run_forked(std::span<const uint8_t> input) {
  shared->size = static_cast<uint32_t>(std::min(input.size(), kMaxInput));
  if (shared->size != 0) std::memcpy(shared->input, input.data(), shared->size);
  const uint64_t found = shared->findings.counts.all;
  shared->counts_orders = rt::order_statistics().begun();
  const int status = ask(kRun);
  take_counters(shared->counters);
  ++shared->executions;
  if (shared->end.outcome != Outcome::done && shared->end.outcome != Outcome::cut) {
    if (killed_and_goes_on(status, shared->findings.counts.all != found)) return last_run;
    rt::set_death_hook(say_at_death);  // the child has saved its run
    rt::die();
  }
  uint64_t number;
  if (shared->end.ignored != nullptr) rt::note_ignored(shared->end.ignored);
  if (!read_run(shared->channel, last_run, number)) rt::fail("a forked execution left no record");
  last_run.input_hash = hash_input(input);
  if (shared->counts_orders)
    rt::order_statistics().count(shared->end.outcome == Outcome::done ? shared->order : 0, last_run);
  rt::kFeedback.execution_ended(last_run);
  return last_run;
}

}  // namespace heddle::driver
