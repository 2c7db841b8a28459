#include "trace/finding.h"

namespace heddle::rt {
namespace {

constinit FindingSink g_sink = nullptr;

constexpr auto kMisuse = &Options::report_misuse;

constexpr FindingKind kKinds[] = {
    {FindingType::deadlock, "deadlock", nullptr,
     "Threads wait for each other in a cycle: for a lock, for a once function or static initialisation, or for the end of a thread."},
    {FindingType::mixed_deadlock, "mixed-deadlock", nullptr, "The same, where at least one thread of the cycle waits on a channel."},
    {FindingType::lost_wakeup, "lost-wakeup", &Options::report_leaks,
     "A thread waits on a condition variable. The notification came before the wait, and no other one has come since."},
    {FindingType::blocked_threads, "blocked-threads", &Options::report_leaks,
     "Threads are blocked at the end of the run, nothing can wake them, and there is no cycle."},
    {FindingType::livelock, "livelock", &Options::report_livelock,
     "Main has not ended, and every thread that can run only spins: none of them reads a new value."},
    {FindingType::endless_threads, "endless-threads", &Options::report_endless,
     "Main has ended, no thread sleeps, and every thread that can run only spins: none of them reads a new value."},
    {FindingType::unlock_not_owner, "unlock-by-non-owner", kMisuse,
     "A thread unlocks a lock that another thread holds, or waits on a condition variable without holding the mutex."},
    {FindingType::unlock_not_locked, "unlock-of-unlocked", kMisuse, "A thread unlocks a lock that no thread holds."},
    {FindingType::double_lock, "double-lock", kMisuse, "A thread locks a mutex that it holds and that is not recursive."},
    {FindingType::destroy_held, "destroy-while-held", kMisuse,
     "A lock is destroyed while a thread holds it, waits for it, or is about to lock it."},
    {FindingType::destroy_waited, "destroy-while-waited-on", kMisuse, "A condition variable is destroyed while a thread waits on it."},
    {FindingType::use_after_destroy, "use-after-destroy", kMisuse,
     "A lock, condition variable or semaphore is used after its destruction, or was about to be used at that moment."},
    {FindingType::use_before_init, "use-before-init", kMisuse,
     "A barrier or spinlock is used that was not initialised, or a lock or similar object is initialised while another thread holds it or waits "
     "on it."},
    {FindingType::join_self, "join-of-self", kMisuse, "A thread joins itself."},
    {FindingType::double_join, "double-join", kMisuse, "A thread joins a thread that has been joined."},
    {FindingType::send_on_closed_channel, "send-on-closed-channel", kMisuse, "A value is sent on a closed channel. Go panics here."},
    {FindingType::close_of_closed_channel, "close-of-closed-channel", kMisuse, "A closed channel is closed. Go panics here."},
    {FindingType::close_of_nil_channel, "close-of-nil-channel", kMisuse, "A nil channel is closed. Go panics here."},
    {FindingType::negative_wait_group, "negative-wait-group", kMisuse, "done() was called more often than add()."},
    {FindingType::wait_group_misuse, "wait-group-misuse", kMisuse,
     "An add() to a wait group whose count is zero has no happens-before order with a wait() of another thread. Go calls it \"WaitGroup misuse\"."},
    {FindingType::broken_pipe, "broken-pipe", kMisuse,
     "A thread writes to a pipe or socket whose other end is closed, and SIGPIPE would end the process."},
    {FindingType::data_race, "data-race", &Options::report_races,
     "Two accesses to the same memory without happens-before between them. One of them writes, and they are not both atomic."},
    {FindingType::assertion, "assertion-failure", nullptr,
     "assert() fails, abort() is called, an exception is not caught, a pure virtual function is called, or a joinable std::thread is "
     "destroyed. In a whole program, report_abort=0 makes it an ordinary end."},
    {FindingType::crash, "crash", nullptr,
     "A fatal signal: a null pointer, a division by zero, memory that another thread has unmapped, __builtin_trap. (Built with --asan: "
     "ASan reports it, except a trap.)"},
    {FindingType::exit_code, "exit-code", &Options::report_exit, "A whole program ends with an exit code other than 0."},
    {FindingType::unexpected_exit, "unexpected-exit", nullptr,
     "A harness calls exit() or a similar function, which would end the fuzzer. In a whole program: a function of the C library does so by itself "
     "(error())."},
    {FindingType::heap_use_after_free, "heap-use-after-free", nullptr,
     "A heap block is read, written, or used as a lock or atomic after it was freed. (Built with --asan: ASan reports it.)"},
    {FindingType::stack_use_after_return, "stack-use-after-return", nullptr,
     "A local variable of another thread is used after its function has returned. (Built with --asan: ASan reports it.)"},
    {FindingType::thread_local_use_after_end, "thread-local-use-after-end", nullptr,
     "A thread-local variable is used after its thread has ended."},
    {FindingType::double_free, "double-free", nullptr,
     "A heap block is freed that this execution has already freed. (Built with --asan: ASan reports it.)"},
    {FindingType::invalid_free, "invalid-free", nullptr,
     "A variable is freed, or an address where no heap block begins. (Built with --asan: ASan reports it.)"},
    {FindingType::sanitizer, "sanitizer-report", nullptr,
     "AddressSanitizer or UndefinedBehaviorSanitizer reports an error. The name of the finding is the sanitizer's; this one stands in the "
     "interleaving."},
    {FindingType::leak, "memory-leak", nullptr,
     "LeakSanitizer reports memory that an execution left behind (built with --asan). Its report names the blocks; heddle adds the interleaving."},
    {FindingType::timeout, "timeout", nullptr, "An execution does not end within libFuzzer's time limit (-timeout, 30 seconds)."},
    {FindingType::out_of_memory, "out-of-memory", nullptr,
     "A thread allocates more memory at once than libFuzzer's limit (-malloc_limit_mb; with ASan, -rss_limit_mb is the default)."},
    {FindingType::unsupported, "unsupported-call", nullptr, "The program makes a call that heddle does not support inside an execution."},
};

const FindingKind* kind_of(FindingType type) {
  for (const FindingKind& kind : kKinds) {
    if (kind.type == type) return &kind;
  }
  return nullptr;
}

}  // namespace

std::span<const FindingKind> finding_kinds() { return kKinds; }

const char* finding_name(FindingType type) {
  if (type == FindingType::none) return "none";
  const FindingKind* kind = kind_of(type);
  return kind != nullptr ? kind->name : "unknown";
}

bool is_reported(FindingType type) {
  const FindingKind* kind = kind_of(type);
  return kind == nullptr || kind->option == nullptr || options().*kind->option;
}

void set_finding_sink(FindingSink sink) { g_sink = sink; }

void raise_finding(const Finding& finding) {
  if (g_sink != nullptr) g_sink(finding);
}

}  // namespace heddle::rt
