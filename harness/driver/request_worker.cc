#include "harness/driver/request_worker.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <span>
#include <vector>

#include "analyses/die.h"
#include "analyses/go_on.h"
#include "analyses/time_out.h"
#include "base/kernel_clock.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/spin_verdict.h"
#include "fiber/fiber.h"
#include "harness/driver/body.h"
#include "harness/driver/choose_restore.h"
#include "harness/driver/whole_program.h"
#include "races/race_detector.h"
#include "schema/trace_file.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::driver {
namespace {

constinit WorkerResult* result = nullptr;
constinit const RequestChannel* channel = nullptr;

[[noreturn]] void leave() {
  result->donors = std::max(result->donors, fiber::donor_count());
  rt::raw_syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

[[noreturn]] void leave(RequestOutcome outcome) {
  result->outcome = outcome;
  leave();
}

void save(RunSummary run) {
  const rt::Uncontrolled outside;
  run.comparison_count = 0;  // only for mutators
  const auto bytes = encode_trace(run);
  if (bytes.size() > kRequestTrace) return;
  std::memcpy(channel->memory + kRequestInput, bytes.data(), bytes.size());
  result->trace_size = static_cast<uint32_t>(bytes.size());
  result->trace_hash = trace_hash(run);
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

void limit_time(unsigned milliseconds) {
  const itimerval limit = {{0, 0}, {milliseconds / 1000, static_cast<suseconds_t>(milliseconds % 1000 * 1000)}};
  rt::raw_syscall(SYS_setitimer, ITIMER_REAL, rt::word(&limit), 0);
}

// Returns if the execution has passed.
void execute(const Request& request) {
  ++result->made;
  rt::set_spin_verdict(request.quick_verdict != 0 ? rt::kQuickVerdict : rt::kPatientVerdict);
  limit_time(request.milliseconds);
  const std::span<const uint8_t> input = {channel->memory, request.input_size};
  const bool restores = is_program() && !result->alone;  // what a program with its own main leaves behind
  const RunSummary& run = restores ? run_program(input) : rt::run_one(input, is_program() ? program_body : harness_body);
  limit_time(0);
  save(run);
  if ((run.flags & kRunFinding) != 0) leave(RequestOutcome::finding);
  result->outcome = RequestOutcome::passed;
  result->alone = result->alone || (restores && left_traces());
}

}  // namespace

uint64_t processor_nanoseconds() {
  rusage ended = {};
  rt::raw_syscall(SYS_getrusage, static_cast<uintptr_t>(RUSAGE_CHILDREN), rt::word(&ended));
  const auto of = [](const timeval& t) { return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_usec) * 1000; };
  return rt::kernel_clock(CLOCK_PROCESS_CPUTIME_ID) + of(ended.ru_utime) + of(ended.ru_stime);
}

bool RequestChannel::take(Request& request) const {
  if (recv(socket, &request, sizeof request, MSG_WAITALL) != sizeof request) return false;
  request.input_size = std::min(request.input_size, static_cast<uint32_t>(kRequestInput));
  return true;
}

bool RequestChannel::answer(const WorkerResult& of, int status) const {
  const rt::FindingMemory& found = of.findings;
  const bool ended = of.outcome != RequestOutcome::unfinished;
  const RequestReply reply = {.outcome = !ended && found.counts.all != 0 ? RequestOutcome::finding : of.outcome,
                              .status = status,
                              .signature = found.counts.different != 0 ? found.signatures[0] : 0,
                              .findings = static_cast<uint32_t>(found.counts.all),
                              .kind = static_cast<uint32_t>(found.first),
                              .only_spins = found.first == rt::FindingType::livelock || found.first == rt::FindingType::endless_threads,
                              .trace_size = of.trace_size,
                              .processor_nanoseconds = of.processor_before + processor_nanoseconds()};
  return send(socket, &reply, sizeof reply, MSG_NOSIGNAL) == sizeof reply;
}

void work(WorkerResult& shared, const RequestChannel& with_command) {
  result = &shared;
  channel = &with_command;
  rt::set_death_hook(save_unfinished);
  rt::set_last_act([] { leave(RequestOutcome::finding); });
  signal(SIGALRM, [](int) {
    rt::report_time_out();
    leave(RequestOutcome::timed_out);
  });
  for (;;) {
    execute(result->request);
    if (result->alone || (result->made > 1 && is_compared(++result->later_passed))) leave();
    result->answered = channel->answer(*result, 0);
    if (!result->answered || !channel->take(result->request)) leave();
    result->begin_execution();
  }
}

}  // namespace heddle::driver
