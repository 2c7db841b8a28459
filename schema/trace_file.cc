#include "schema/trace_file.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "schema/layout.h"
#include "trace_generated.h"

namespace heddle {
namespace {

static_assert(kSameLayout<Event, fbs::Event>);
static_assert(kSameLayout<ThreadRecord, fbs::ThreadRecord>);
static_assert(kSameLayout<ObjectRecord, fbs::ObjectRecord>);
static_assert(kSameLayout<SiteRecord, fbs::SiteRecord>);
static_assert(kSameLayout<RacingPair, fbs::RacingPair>);
static_assert(kSameLayout<ChainResult, fbs::ChainResult>);
static_assert(kSameLayout<SelectCase, fbs::SelectCase>);
static_assert(kSameLayout<ChannelRecord, fbs::ChannelRecord>);
static_assert(kSameLayout<Comparison, fbs::Comparison>);
static_assert(kSameLayout<StoreOrder, fbs::StoreOrder>);

constexpr size_t kMaxBytes = size_t{1} << 30;
constexpr size_t kMinBytes = 8;
constexpr size_t kMaxRecords = size_t{1} << 28;  // indices plus one must fit into 32 bits

template <typename T, typename Stored>
bool copy_records(const flatbuffers::Vector<const Stored*>* vector, std::vector<T>& out) {
  if (vector == nullptr || vector->size() == 0) return true;
  if (vector->size() > kMaxRecords) return false;
  // Uses memcpy, because the verifier does not check the alignment of the elements.
  out.resize(vector->size());
  std::memcpy(static_cast<void*>(out.data()), vector->Data(), out.size() * sizeof(T));
  return true;
}

template <typename Stored, typename T>
flatbuffers::Offset<flatbuffers::Vector<const Stored*>> records(
    flatbuffers::FlatBufferBuilder& builder, const T* data, uint32_t count) {
  if (count == 0) return 0;
  return builder.CreateVectorOfStructs(reinterpret_cast<const Stored*>(data), count);
}

uint32_t index_or(uint32_t index, size_t count, uint32_t none) {
  return index < count ? index : none;
}

bool repair_events(StoredTrace& t) {
  for (Event& e : t.events) {
    if (e.thread >= t.threads.size() || e.object >= t.objects.size() ||
        e.pc_index >= t.sites.size()) {
      return false;
    }
    e.partner = index_or(e.partner, t.events.size(), kNoEvent);
    const auto kind = static_cast<uint8_t>(e.kind);
    if (kind >= kKindLimit || kind_info(e.kind).name.empty()) e.kind = Kind::none;
    const auto order = static_cast<uint8_t>(e.order);
    if (order > 5 && e.order != MemoryOrder::plain) e.order = MemoryOrder::relaxed;
    if (e.outcome > Outcome::interrupted) e.outcome = Outcome::none;
  }
  return true;
}

bool repair_channels(StoredTrace& t) {
  // If a run ended in the middle of a select, it has the select's cases but no event.
  std::erase_if(t.select_cases, [&](const SelectCase& c) { return c.event >= t.events.size(); });
  for (SelectCase& c : t.select_cases) {
    if (c.object >= t.objects.size()) return false;
    if (c.direction > static_cast<uint8_t>(CaseDirection::otherwise)) c.direction = 0;
    c.ready = c.ready != 0;
  }
  for (ChannelRecord& c : t.channels) {
    if (c.object >= t.objects.size()) return false;
    c.made = c.made != 0;
    c.closed = c.closed != 0;
    c.reserved = 0;
  }
  return true;
}

void repair_coherence(StoredTrace& t) {
  std::erase_if(t.coherence, [&](const StoreOrder& s) { return s.event >= t.events.size(); });
  for (StoreOrder& s : t.coherence) s.after = index_or(s.after, t.events.size(), kNoEvent);
}

void repair_records(StoredTrace& t) {
  for (ThreadRecord& r : t.threads) {
    r.parent = index_or(r.parent, t.threads.size(), 0);
    r.create_event = index_or(r.create_event, t.events.size(), kNoEvent);
    r.blocked_on = index_or(r.blocked_on, t.objects.size(), 0);
    if (r.state > static_cast<uint8_t>(ThreadEnd::resting)) r.state = 0;
    std::memset(r.reserved, 0, sizeof r.reserved);
  }
  for (ObjectRecord& r : t.objects) {
    if (r.holder > t.threads.size()) r.holder = 0;
    r.first_event = index_or(r.first_event, t.events.size(), kNoEvent);
  }
  for (RacingPair& r : t.races) {
    r.first_writes = r.first_writes != 0;
    r.second_writes = r.second_writes != 0;
    for (Kind* kind : {&r.first_kind, &r.second_kind}) {
      if (static_cast<uint8_t>(*kind) >= kKindLimit || kind_info(*kind).name.empty()) *kind = Kind::none;
    }
  }
}

// A side is 0 beyond its size, so that equal values have equal bytes.
void repair_comparisons(StoredTrace& t) {
  for (Comparison& c : t.comparisons) {
    if (c.kind > static_cast<uint8_t>(ComparisonKind::strings)) c.kind = static_cast<uint8_t>(ComparisonKind::strings);
    for (int i = 0; i < 2; ++i) {
      const bool number = c.kind != static_cast<uint8_t>(ComparisonKind::strings);
      c.size[i] = std::min<uint8_t>(c.size[number ? 0 : i], number ? Comparison::kLongestNumber : Comparison::kLongest);
      std::memset(c.side[i] + c.size[i], 0, Comparison::kLongest - c.size[i]);
    }
  }
}

}  // namespace

RunSummary StoredTrace::summary() const {
  RunSummary run{};
  run.input_hash = input_hash;
  run.seed = seed;
  run.flags = flags;
  run.steps = steps;
  run.payload_reads = payload_reads;
  run.events = events.data();
  run.threads = threads.data();
  run.objects = objects.data();
  run.sites = sites.data();
  run.races = races.data();
  run.chains = chains.data();
  run.select_cases = select_cases.data();
  run.channels = channels.data();
  run.event_count = static_cast<uint32_t>(events.size());
  run.thread_count = static_cast<uint32_t>(threads.size());
  run.object_count = static_cast<uint32_t>(objects.size());
  run.site_count = static_cast<uint32_t>(sites.size());
  run.race_count = static_cast<uint32_t>(races.size());
  run.chain_count = static_cast<uint32_t>(chains.size());
  run.select_case_count = static_cast<uint32_t>(select_cases.size());
  run.channel_count = static_cast<uint32_t>(channels.size());
  run.comparisons = comparisons.data();
  run.comparison_count = static_cast<uint32_t>(comparisons.size());
  run.coherence = coherence.data();
  run.coherence_count = static_cast<uint32_t>(coherence.size());
  return run;
}

std::vector<uint8_t> encode_trace(const RunSummary& run) {
  flatbuffers::FlatBufferBuilder builder(4096 + run.event_count * sizeof(Event));
  const auto coherence = records<fbs::StoreOrder>(builder, run.coherence, run.coherence_count);
  const auto comparisons = records<fbs::Comparison>(builder, run.comparisons, run.comparison_count);
  const auto channels = records<fbs::ChannelRecord>(builder, run.channels, run.channel_count);
  const auto cases = records<fbs::SelectCase>(builder, run.select_cases, run.select_case_count);
  const auto chains = records<fbs::ChainResult>(builder, run.chains, run.chain_count);
  const auto races = records<fbs::RacingPair>(builder, run.races, run.race_count);
  const auto sites = records<fbs::SiteRecord>(builder, run.sites, run.site_count);
  const auto objects = records<fbs::ObjectRecord>(builder, run.objects, run.object_count);
  const auto threads = records<fbs::ThreadRecord>(builder, run.threads, run.thread_count);
  const auto events = records<fbs::Event>(builder, run.events, run.event_count);
  builder.Finish(fbs::CreateTrace(builder, /*version=*/1, run.input_hash, run.seed, run.flags,
                                  run.steps, events, threads, objects, sites, races, chains, cases, channels, run.payload_reads, comparisons, coherence),
                 fbs::TraceIdentifier());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

bool decode_trace(std::span<const uint8_t> bytes, StoredTrace& out) {
  if (bytes.size() < kMinBytes || bytes.size() > kMaxBytes) return false;
  std::vector<uint8_t> aligned;  // operator new aligns to 16
  if (reinterpret_cast<uintptr_t>(bytes.data()) % 16 != 0) {
    aligned.assign(bytes.begin(), bytes.end());
    bytes = aligned;
  }
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), /*max_depth=*/2, /*max_tables=*/2);
  if (!fbs::VerifyTraceBuffer(verifier)) return false;
  const fbs::Trace& stored = *fbs::GetTrace(bytes.data());
  StoredTrace trace;
  trace.input_hash = stored.input_hash();
  trace.seed = stored.seed();
  trace.flags = stored.flags();
  trace.steps = stored.steps();
  trace.payload_reads = stored.payload_reads();
  if (!copy_records(stored.events(), trace.events) ||
      !copy_records(stored.threads(), trace.threads) ||
      !copy_records(stored.objects(), trace.objects) ||
      !copy_records(stored.sites(), trace.sites) || !copy_records(stored.races(), trace.races) ||
      !copy_records(stored.chains(), trace.chains) ||
      !copy_records(stored.select_cases(), trace.select_cases) ||
      !copy_records(stored.channels(), trace.channels) || !copy_records(stored.comparisons(), trace.comparisons) ||
      !copy_records(stored.coherence(), trace.coherence) || !repair_events(trace) || !repair_channels(trace)) {
    return false;
  }
  repair_records(trace);
  repair_coherence(trace);
  repair_comparisons(trace);
  out = std::move(trace);
  return true;
}

}  // namespace heddle
