#include "analyses/report/report.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>

#include "analyses/die.h"
#include "analyses/go_on.h"
#include "analyses/race_list.h"
#include "analyses/report/columns.h"
#include "analyses/report/names.h"
#include "analyses/report/next_steps.h"
#include "analyses/report/positions.h"
#include "analyses/report/row_places.h"
#include "analyses/report/stale_reads.h"
#include "analyses/report/symbolizer.h"
#include "analyses/report/terminal.h"
#include "analyses/report/unlooped_waits.h"
#include "analyses/report/values.h"
#include "analyses/signals.h"
#include "analyses/suppressions.h"
#include "base/error_output.h"
#include "base/line.h"
#include "base/options.h"
#include "base/raw_syscall.h"
#include "graph/execution_graph.h"
#include "trace/debugger.h"
#include "trace/live_state.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constinit FindingMemory g_own_memory = {};
constinit FindingMemory* g_memory = &g_own_memory;
constinit Text g_text;

void print_text() {
  static constinit Text shown;
  const Terminal terminal = report_terminal();
  if (!terminal.colours && !terminal.links) return g_text.flush(2);
  shown.clear();
  put_for_terminal(shown, g_text.view(), terminal, file_of_table());
  shown.flush(2);
}
constinit ReportObserver g_observer = nullptr;

// False when it has been reported already. Beyond FindingMemory::kMaxSignatures everything counts as reported.
bool remember(uint64_t signature, FindingType type) {
  FindingMemory& known = *g_memory;
  ++known.counts.all;
  for (uint32_t i = 0; i < known.counts.different; ++i) {
    if (known.signatures[i] == signature) return false;
  }
  if (known.counts.different == FindingMemory::kMaxSignatures) return false;
  if (known.counts.different == 0) known.first = type;
  known.signatures[known.counts.different++] = signature;
  return true;
}

const char* program_name() {
  static char name[1024];
  const long file = raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), word("/proc/self/cmdline"), O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return "./target";
  const long n = raw_syscall(SYS_read, static_cast<uintptr_t>(file), word(name), sizeof name - 1);
  raw_syscall(SYS_close, static_cast<uintptr_t>(file));
  return n > 0 && name[0] != 0 ? name : "./target";
}

// A run does not continue after it.
bool ends_run(FindingType type) {
  return type == FindingType::unsupported || type == FindingType::double_free || type == FindingType::invalid_free || use_after_end(type);
}

}  // namespace

void share_finding_memory(FindingMemory& memory) {
  memory = *g_memory;
  g_memory = &memory;
}

void set_report_observer(ReportObserver observer) { g_observer = observer; }

FindingCounts finding_counts() { return g_memory->counts; }

bool first_cut_short() {
  const bool first = !g_memory->cut_short;
  g_memory->cut_short = true;
  return first;
}

void print_finding_statistics(int fd) {
  print_line(fd, "heddle: findings: %llu, %u different\n", static_cast<unsigned long long>(g_memory->counts.all),
             g_memory->counts.different);
  print_known_statistics(fd, g_memory->known);
  print_suppression_statistics(fd);
}

void put_report(Text& out, const Story& story, const RunSummary& run, bool run_has_ended, uint32_t width, int process,
                const char* program) {
  name_block(story.block.begin, story.block.size);
  const uintptr_t address = story.object != 0 ? live_state().object_address(story.object) : story.address;
  const char* type = finding_name(story.type);
  const bool timed_out = story.type == FindingType::timeout, too_large = story.type == FindingType::out_of_memory;
  if (story.header) {
    out.put("=================================================================\n");
    out.add("==%d==ERROR: HeddleSanitizer: %s on address 0x%012llx\n", process, type, static_cast<unsigned long long>(address));
  } else {
    out.add("\nheddle: what the threads did %s\n", timed_out ? "until the time-out" : story.type == FindingType::leak ? "in the execution that leaked" : too_large ? "before the allocation" : "before the failure in the sanitizer's report");
  }
  out.put(story.what.view());
  const bool in_short = options().report[0] == 's';
  for (uint32_t i = 0; i < (in_short && story.stack_count != 0 ? 1 : story.stack_count); ++i) {
    const Stack& s = story.stacks[i];
    out.add("%s:\n", s.title);
    put_stack(out, s.position, s.context);
    if (!in_short) out.put("\n");
  }
  if (!in_short) {
    StaleReads stale;
    put_stale_reads(out, run, story, program, stale);
    const UnloopedWakeUps unlooped = unlooped_wake_ups(run, story);
    uint32_t also[2 * StaleReads::kMost + UnloopedWakeUps::kMost];
    const uint32_t* const end = std::copy_n(unlooped.events, unlooped.count, std::copy_n(stale.events, stale.count, also));
    put_interleaving(out, run, {width, &story, {also, end}, !run_has_ended});
    put_races_of_execution(out, run, story);
    put_handler_conflicts(out, run, story);
  }
  put_next_steps(out, run, story, program);
  if (story.header) {
    out.add("SUMMARY: HeddleSanitizer: %s ", type);
    if (story.stack_count != 0) put_place_of_operation(out, story.stacks[0].position, story.stacks[0].context);
    out.put("\n");
  }
  name_block(0, 0);
}

void print_part(const Story& story) {
  const EnginesErrorOutput output;  // the engine's own message comes next
  const RunSummary& run = recorder().publish();
  forget_names();
  g_text.clear();
  put_report(g_text, story, run, true, report_width(), static_cast<int>(raw_syscall(SYS_getpid)), program_name());
  print_text();
  stop_symbolizer();
}

void report(const Story& story, bool run_has_ended) {
  OutsideExecution outside;
  if (suppressed(story)) return;
  // What the target dies of by itself goes on to the handler that it would have reached without us.
  const bool dies_itself = own_failure(story.type);
  const bool known = known_finding(story, signature(story), g_memory->known);
  const bool continues = known || !options().exit_on_finding;
  const bool cut = continues && !run_has_ended && ends_run(story.type);
  if (!known || cut || dies_itself) recorder().summary.flags |= kRunFinding;
  const bool first = !known && remember(signature(story), story.type);
  if (dies_itself && continues) set_after_own_failure(first ? After::goes_on : After::known);
  const bool ends = !dies_itself && !continues;
  if (!first && !ends) {
    if (cut) live_state().end_execution();
    return;
  }
  if (ends && !acquire_crash_state()) return;  // another thread's report is under way, and ends the process
  if (graph::active()) {  // so far
    const std::span<const StoreOrder> stores = graph::execution_graph().stores();
    recorder().summary.coherence = stores.data();
    recorder().summary.coherence_count = static_cast<uint32_t>(stores.size());
  }
  const RunSummary& run = recorder().publish();
  forget_names();
  complete_values(run);
  EnginesErrorOutput output;
  g_text.clear();
  put_report(g_text, story, run, run_has_ended, report_width(), static_cast<int>(raw_syscall(SYS_getpid)), program_name());
  print_text();
  if (g_observer != nullptr) g_observer(story, run, run_has_ended);
  if (dies_itself && story.header) note_own_failure_printed();
  debugger::finding(finding_name(story.type));
  if (continues) output.give_back();
  if (!ends) {
    if (!run_has_ended) run_death_hook();
    if (cut) live_state().end_execution();
    return;
  }
  stop_symbolizer();
  die();
}

}  // namespace heddle::rt
