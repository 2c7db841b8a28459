#include "analyses/report/process_calls.h"

#include <string_view>

#include "trace/run_notes.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kRecent = 3;  // operations of the thread

bool is_recent(const RunSummary& run, const RunNote& note) {
  uint32_t later = 0;
  for (uint32_t i = note.events; i < run.event_count; ++i) later += run.events[i].thread == note.thread;
  return later <= kRecent;
}

}  // namespace

uint32_t first_process_call(const RunSummary& run, const Story& story) {
  std::string_view own;
  for (uint32_t i = run_notes().size(); i-- > 0 && story.thread != kNoEvent;) {
    const RunNote& note = run_notes()[i];
    if (note.what != RunNote::process_call) continue;
    if (note.thread != story.thread && own == note.call) return i;
    if (note.thread == story.thread && own.empty() && is_recent(run, note)) own = note.call;
  }
  return kNoEvent;
}

}  // namespace heddle::rt
