#include "mutator/knowledge/known_run.h"

#include <algorithm>

#include "mutator/knowledge/relations.h"
#include "schema/run_window.h"

namespace heddle::mutator {

KnownRun::KnownRun() = default;
KnownRun::~KnownRun() = default;

void KnownRun::assign(const RunSummary& run) {
  stale_ = true;
  hash = run.input_hash;
  flags = run.flags;
  steps = run.steps;
  payload_reads = run.payload_reads;
  cut = run.event_count > kMaxEvents;
  const RunWindow window = window_of(run, kMaxEvents);
  const uint32_t end = std::min(run.event_count, window.first + kMaxEvents);
  events.assign(run.events + window.first, run.events + end);
  if (cut) {
    uint32_t first = run.event_count;
    while (first > end && !run.events[first - 1].finished() &&
           run.event_count - first < kMaxUnfinished) {
      --first;
    }
    events.insert(events.end(), run.events + first, run.events + run.event_count);
  }
  window.shift_all(events.data(), static_cast<uint32_t>(events.size()));
  threads.assign(run.threads, run.threads + run.thread_count);
  window.shift_all(threads.data(), run.thread_count);
  objects.assign(run.objects, run.objects + run.object_count);
  window.shift_all(objects.data(), run.object_count);
  races.assign(run.races, run.races + std::min(run.race_count, 256u));
  chains.assign(run.chains, run.chains + run.chain_count);
  select_cases.assign(run.select_cases, run.select_cases + run.select_case_count);
  window.shift_all(select_cases.data(), run.select_case_count);
  channels.assign(run.channels, run.channels + run.channel_count);
  comparisons.assign(run.comparisons, run.comparisons + run.comparison_count);
  const auto [from, to] = window.stores(run.coherence, run.coherence_count, kMaxEvents);
  coherence.assign(run.coherence + from, run.coherence + to);
  window.shift_all(coherence.data(), to - from);
  if (!consistent()) make_consistent();
  if (threads.empty()) events.clear();
  std::erase_if(select_cases, [&](const SelectCase& c) { return c.event >= events.size() || c.object >= objects.size() || (cut && c.event >= kMaxEvents); });
  std::erase_if(coherence, [&](const StoreOrder& s) { return s.event >= events.size() || (s.after != kNoEvent && s.after >= events.size()); });
  std::erase_if(comparisons, [](const Comparison& c) {
    const bool number = c.kind != static_cast<uint8_t>(ComparisonKind::strings);
    const uint32_t longest = number ? Comparison::kLongestNumber : Comparison::kLongest;
    return c.size[0] > longest || c.size[1] > longest || (number && c.size[0] != c.size[1]);
  });
  std::erase_if(channels, [&](const ChannelRecord& c) { return c.object >= objects.size(); });
}

bool KnownRun::can_be_repeated() const {
  return coherence.empty() && !cut && (flags & (kRunTruncated | kRunStepBound)) == 0 && threads.size() <= kMaxDelays;
}

// The summary may come from another process's memory. So indices are checked once, here. Without branches, because almost all are valid.
bool KnownRun::consistent() const {
  const size_t known = std::min<size_t>(events.size(), kMaxEvents);  // beyond it, event indices have changed
  const size_t thread_count = threads.size(), object_count = objects.size();
  int bad = 0;
  for (const Event& e : events) {
    bad |= (e.thread >= thread_count) | (e.object >= object_count);
    bad |= ((e.partner != kNoEvent) & (e.partner >= known)) | ((e.kind == Kind::cond_wait) & (e.choice >= object_count));
  }
  return bad == 0;
}

void KnownRun::make_consistent() {
  const size_t known = std::min<size_t>(events.size(), kMaxEvents);
  for (Event& e : events) {
    if (e.thread >= threads.size()) e.thread = 0;
    if (e.object >= objects.size()) e.object = 0;
    if (e.kind == Kind::cond_wait && e.choice >= objects.size()) e.choice = 0;
    if (e.partner >= known) e.partner = kNoEvent;
  }
}

RunSummary KnownRun::summary() const {
  RunSummary run{};
  run.input_hash = hash;
  run.flags = flags;
  run.steps = steps;
  run.payload_reads = payload_reads;
  run.events = events.data();
  run.threads = threads.data();
  run.objects = objects.data();
  run.races = races.data();
  run.chains = chains.data();
  run.event_count = static_cast<uint32_t>(events.size());
  run.thread_count = static_cast<uint32_t>(threads.size());
  run.object_count = static_cast<uint32_t>(objects.size());
  run.race_count = static_cast<uint32_t>(races.size());
  run.chain_count = static_cast<uint32_t>(chains.size());
  run.select_cases = select_cases.data();
  run.channels = channels.data();
  run.select_case_count = static_cast<uint32_t>(select_cases.size());
  run.channel_count = static_cast<uint32_t>(channels.size());
  run.comparisons = comparisons.data();
  run.comparison_count = static_cast<uint32_t>(comparisons.size());
  run.coherence = coherence.data();
  run.coherence_count = static_cast<uint32_t>(coherence.size());
  return run;
}

size_t KnownRun::bytes() const {
  // The relations of a run need about as much memory as its events.
  return sizeof(*this) + 2 * events.size() * sizeof(Event) + threads.size() * sizeof(ThreadRecord) +
         objects.size() * sizeof(ObjectRecord) + races.size() * sizeof(RacingPair) +
         chains.size() * sizeof(ChainResult) + select_cases.size() * sizeof(SelectCase) +
         channels.size() * sizeof(ChannelRecord) + comparisons.size() * sizeof(Comparison) + coherence.size() * sizeof(StoreOrder);
}

const Relations& KnownRun::relations() const {
  if (!relations_) {
    relations_ = std::make_unique<Relations>(*this);
  } else if (stale_) {
    relations_->build();
  }
  stale_ = false;
  return *relations_;
}

}  // namespace heddle::mutator
