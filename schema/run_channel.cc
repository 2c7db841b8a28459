#include "schema/run_channel.h"

#include <algorithm>
#include <cstring>

#include "schema/run_window.h"

namespace heddle {
namespace {

constexpr size_t kMost = sizeof(RunChannelHeader) + (kChannelEvents + kChannelUnfinished) * sizeof(Event) +
                         kChannelThreads * sizeof(ThreadRecord) + kChannelObjects * sizeof(ObjectRecord) +
                         kChannelRaces * sizeof(RacingPair) + kChannelChains * sizeof(ChainResult) +
                         kChannelChannels * sizeof(ChannelRecord) + kChannelCases * sizeof(SelectCase) + kChannelComparisons * sizeof(Comparison) + kChannelEvents * sizeof(StoreOrder);
static_assert(kMost <= kRunChannelSize);

class Writer {
 public:
  explicit Writer(void* memory) : next_(static_cast<unsigned char*>(memory) + sizeof(RunChannelHeader)) {}
  template <typename T>
  uint32_t put(const T* records, uint32_t count) {
    if (count != 0) std::memcpy(next_, records, count * sizeof(T));
    next_ += count * sizeof(T);
    return count;
  }
  // Records that refer to events.
  template <typename T>
  uint32_t put(const T* records, uint32_t count, RunWindow window) {
    T* const first = reinterpret_cast<T*>(next_);
    put(records, count);
    window.shift_all(first, count);
    return count;
  }

 private:
  unsigned char* next_;
};

class Reader {
 public:
  explicit Reader(const void* memory)
      : next_(static_cast<const unsigned char*>(memory) + sizeof(RunChannelHeader)) {}
  template <typename T>
  const T* get(uint32_t count) {
    const T* records = reinterpret_cast<const T*>(next_);
    next_ += count * sizeof(T);
    return records;
  }

 private:
  const unsigned char* next_;
};

// The events at the end that never finished, as far as there is room.
uint32_t unfinished(const RunSummary& run) {
  uint32_t n = 0;
  while (n < kChannelUnfinished && run.event_count - n > kChannelEvents && !run.events[run.event_count - 1 - n].finished()) ++n;
  return n;
}

}  // namespace

void write_run(void* memory, const RunSummary& run) {
  RunChannelHeader& h = *static_cast<RunChannelHeader*>(memory);
  __atomic_store_n(&h.complete, 0, __ATOMIC_SEQ_CST);
  h.magic = kRunChannelMagic;
  h.layout = kRunChannelLayout;
  ++h.number;
  h.input_hash = run.input_hash;
  h.seed = run.seed;
  h.flags = run.flags;
  h.steps = run.steps;
  h.payload_reads = run.payload_reads;
  Writer out(memory);
  const uint32_t tail = unfinished(run);
  const RunWindow window = window_of(run, kChannelEvents);
  h.events = out.put(run.events + window.first, std::min(run.event_count - tail - window.first, kChannelEvents), window);
  h.events += out.put(run.events + run.event_count - tail, tail, window);
  h.threads = out.put(run.threads, std::min(run.thread_count, kChannelThreads), window);
  h.objects = out.put(run.objects, std::min(run.object_count, kChannelObjects), window);
  h.races = out.put(run.races, std::min(run.race_count, kChannelRaces));
  h.chains = out.put(run.chains, std::min(run.chain_count, kChannelChains));
  h.channels = out.put(run.channels, std::min(run.channel_count, kChannelChannels));
  h.cases = out.put(run.select_cases, std::min(run.select_case_count, kChannelCases), window);
  h.comparisons = out.put(run.comparisons, std::min(run.comparison_count, kChannelComparisons));
  const auto [first, last] = window.stores(run.coherence, run.coherence_count, kChannelEvents);
  h.coherence = out.put(run.coherence + first, last - first, window);
  h.reserved = 0;
  __atomic_store_n(&h.complete, 1, __ATOMIC_RELEASE);
}

bool read_run(const void* memory, RunSummary& out, uint64_t& number) {
  const RunChannelHeader& h = *static_cast<const RunChannelHeader*>(memory);
  if (__atomic_load_n(&h.complete, __ATOMIC_ACQUIRE) != 1) return false;
  if (h.magic != kRunChannelMagic || h.layout != kRunChannelLayout) return false;
  if (h.events > kChannelEvents + kChannelUnfinished || h.threads > kChannelThreads || h.objects > kChannelObjects ||
      h.races > kChannelRaces || h.chains > kChannelChains || h.channels > kChannelChannels || h.cases > kChannelCases ||
      h.comparisons > kChannelComparisons || h.coherence > kChannelEvents) {
    return false;
  }
  Reader in(memory);
  out = {};
  out.input_hash = h.input_hash;
  out.seed = h.seed;
  out.flags = h.flags;
  out.steps = h.steps;
  out.payload_reads = h.payload_reads;
  out.events = in.get<Event>(out.event_count = h.events);
  out.threads = in.get<ThreadRecord>(out.thread_count = h.threads);
  out.objects = in.get<ObjectRecord>(out.object_count = h.objects);
  out.races = in.get<RacingPair>(out.race_count = h.races);
  out.chains = in.get<ChainResult>(out.chain_count = h.chains);
  out.channels = in.get<ChannelRecord>(out.channel_count = h.channels);
  out.select_cases = in.get<SelectCase>(out.select_case_count = h.cases);
  out.comparisons = in.get<Comparison>(out.comparison_count = h.comparisons);
  out.coherence = in.get<StoreOrder>(out.coherence_count = h.coherence);
  number = h.number;
  return true;
}

}  // namespace heddle
