#include "harness/driver/measurement.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/analyses.h"
#include "base/asan.h"
#include "engine/engine.h"
#include "feedback/feedback.h"
#include "harness/driver/library_watch.h"
#include "harness/driver/program_fork.h"
#include "harness/driver/run_difference.h"
#include "harness/driver/streams.h"
#include "harness/driver/target.h"
#include "harness/driver/whole_program.h"
#include "heap/early_heap.h"
#include "restore/initial_state.h"
#include "restore/process_state.h"
#include "schema/codec.h"
#include "schema/trace_file.h"

namespace heddle::driver {
namespace {

constexpr int kRuns = 3;

// The results of an execution that are compared.
struct Outcome {
  StoredTrace run;
  std::string output;
  int exit_code = 0;
};

std::string contents(int file) {
  std::string text(static_cast<size_t>(lseek(file, 0, SEEK_END)), 0);
  if (pread(file, text.data(), text.size(), 0) < 0) text.clear();
  if (ftruncate(file, 0) == 0) lseek(file, 0, SEEK_SET);
  return text;
}

// Heddle says some of its notes once, in the first execution. They are not the program's output.
void leave_out_notes(std::string& output) {
  constexpr std::string_view kNote = "heddle: note: ";
  for (size_t at = output.find(kNote); at != std::string::npos; at = output.find(kNote, at)) {
    const size_t end = output.find('\n', at);
    output.erase(at, end == std::string::npos ? end : end + 1 - at);
  }
}

Outcome execute(int output) {
  static const std::vector<uint8_t> input = [] {
    Schedule schedule;
    wanted_run().write(schedule);
    return wanted_run().any() ? encode_schedule(schedule) : std::vector<uint8_t>{};
  }();
  const RunSummary& run = rt::run_one(input, program_body);
  Outcome out;
  out.exit_code = rt::last_body_result();
  decode_trace(encode_trace(run), out.run);
  out.output = contents(output);
  leave_out_notes(out.output);
  return out;
}

void find_difference(const Outcome& first, const Outcome& next, Measurement& out) {
  if (const char* call = rt::unrestorable_call()) {
    std::snprintf(out.why, sizeof out.why, "the effect of %s cannot be undone", call);
  } else if (first.exit_code != next.exit_code) {
    std::snprintf(out.why, sizeof out.why, "a second execution ends with another exit code than the first");
  } else if (const size_t at = differs_at(first.run.summary(), next.run.summary()); at != kNoDifference) {
    static constinit rt::Text where;
    where.clear();
    put_difference(where, first.run.summary(), next.run.summary(), at);
    std::snprintf(out.why, sizeof out.why, "a second execution makes other operations than the first: %.*s", static_cast<int>(where.view().size()), where.view().data());
  } else if (first.output != next.output) {
    std::snprintf(out.why, sizeof out.why, "a second execution prints other output than the first");
  } else if (has_forked()) {
    std::snprintf(out.why, sizeof out.why, "the program starts processes, which takes less time from a small one");  // their page tables are copied
  } else {
    out.sound = true;
  }
}

}  // namespace

void measure(Measurement& out) {
  const int output = memfd_create("output", MFD_CLOEXEC);
  if (output >= 0) {
    dup2(output, 1);
    dup2(output, 2);
  }
  rt::engine().prepare();
  rt::leave_out(rt::kFeedback);
  rt::leave_out(rt::kCutShort);  // its note is said once in all processes of a search, and would be lost here
  rt::capture_initial_state();
  if (rt::asan_linked() && rt::early_heap::size() != 0) {
    std::snprintf(out.why, sizeof out.why, "AddressSanitizer cannot restore freed memory that was allocated before main");
    out.complete = true;
    return;
  }
  rt::capture_process_state();
  LibraryWatch libraries;
  Outcome first;
  for (int i = 0; i < kRuns; ++i) {
    if (i != 0) {
      rt::restore_process_state();
      restore_streams();
    }
    Outcome next = execute(output);
    ++out.executions;
    out.forks |= has_forked();
    if (i == 0) {
      first = std::move(next);
      out.exit_code = first.exit_code;
      next = first;
    }
    out.sound = false;
    find_difference(first, next, out);
    if (!out.sound) break;
    if (const std::string changed = libraries.changed(); !changed.empty()) {
      out.sound = false;
      std::snprintf(out.why, sizeof out.why, "%s is not instrumented and keeps state", changed.c_str());
      break;
    }
  }
  out.complete = true;
}

}  // namespace heddle::driver
