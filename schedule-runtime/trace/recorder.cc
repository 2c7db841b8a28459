#include "trace/recorder.h"

#include "trace/comparisons.h"
#include "trace/file_notes.h"
#include "trace/message_notes.h"
#include "trace/run_notes.h"
#include "trace/sites.h"
#include "trace/transfer_notes.h"

namespace heddle::rt {

constinit Recorder g_recorder;
constinit RunNotes g_run_notes;
constinit TimeNotes g_time_notes;
constinit FileNotes g_file_notes;
constinit MessageNotes g_message_notes;
constinit TransferNotes g_transfer_notes;

void Recorder::initialise() {
  events.reserve(kMaxEvents);
  contexts.reserve(kMaxEvents);
  positions.reserve(kMaxEvents);
  values.initialise(kMaxEvents);
  threads.reserve(kMaxThreads);
  objects.reserve(kMaxObjects);
  select_cases.reserve(kMaxSelectCases);
  channels.reserve(kMaxChannels);
  comparisons().initialise();
}

void Recorder::begin(uint64_t input_hash, uint64_t seed) {
  events.clear();
  contexts.clear();
  positions.clear();
  values.begin();
  run_notes().begin();
  file_notes().begin();
  message_notes().begin();
  transfer_notes().begin();
  threads.clear();
  objects.clear();
  select_cases.clear();
  channels.clear();
  waiting_selects = 0;
  objects.push() = {0, 0, kNoEvent};
  summary = {};
  summary.input_hash = input_hash;
  summary.seed = seed;
}

void Recorder::name_waiting_select(uint32_t thread, uint32_t event) {
  if (waiting_selects == 0) return;
  for (SelectCase& c : select_cases) {
    if (c.event == (kWaiting | thread)) c.event = event;
  }
}

void Recorder::drop_waiting_selects() {
  if (waiting_selects == 0) return;
  size_t kept = 0;
  for (const SelectCase& c : select_cases) {
    if (c.event < kWaiting) select_cases[kept++] = c;
  }
  select_cases.resize(kept);
}

const RunSummary& Recorder::publish() {
  summary.events = events.data();
  summary.event_count = static_cast<uint32_t>(events.size());
  summary.threads = threads.data();
  summary.thread_count = static_cast<uint32_t>(threads.size());
  summary.objects = objects.data();
  summary.object_count = static_cast<uint32_t>(objects.size());
  summary.select_cases = select_cases.data();
  summary.select_case_count = static_cast<uint32_t>(select_cases.size());
  summary.channels = channels.data();
  summary.channel_count = static_cast<uint32_t>(channels.size());
  summary.comparisons = comparisons().data();
  summary.comparison_count = comparisons().size();
  summary.sites = sites().records();
  summary.site_count = sites().size();
  return summary;
}

}  // namespace heddle::rt
