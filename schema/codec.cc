#include "schema/codec.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "schedule_generated.h"
#include "schema/layout.h"

namespace heddle {
namespace {

static_assert(kSameLayout<Element, fbs::Element>);
static_assert(kSameLayout<ReadsFrom, fbs::ReadsFrom>);
static_assert(kSameLayout<SelectPreference, fbs::SelectPreference>);
static_assert(kSameLayout<Delay, fbs::Delay>);
static_assert(kSameLayout<GraphNode, fbs::GraphNode>);
static_assert(kSameLayout<ThreadWeight, fbs::ThreadWeight>);

constexpr size_t kNoLimit = ~size_t{0};
// FlatBuffers' own offsets end here. Longer inputs are foreign, and are cut when written.
constexpr size_t kMaxBytes = size_t{1} << 30;
constexpr size_t kMinBytes = 8;  // root offset and file identifier

StrategyId clamp_strategy(uint8_t raw) {
  return raw < kStrategyCount ? static_cast<StrategyId>(raw) : StrategyId::automatic;
}

MemoryModel clamp_model(uint8_t raw) {
  return raw <= static_cast<uint8_t>(MemoryModel::rc11) ? static_cast<MemoryModel>(raw)
                                                        : MemoryModel::sc;
}

// Reading drops newer fields, so the result is never newer than this format.
uint16_t clamp_version(uint16_t raw) {
  return raw == 0 || raw > kFormatVersion ? kFormatVersion : raw;
}

Kind clamp_kind(Kind kind) {
  const auto raw = static_cast<uint8_t>(kind);
  return raw < kKindLimit && !kind_info(kind).name.empty() ? kind : Kind::none;
}

template <typename T>
void zero(T& bytes) {
  std::memset(&bytes, 0, sizeof bytes);
}

// How many elements there are before the first one with a chain number beyond the limit.
size_t usable_elements(const Element* elements, size_t size) {
  size = std::min(size, kMaxElements);
  for (size_t i = 0; i < size; ++i) {
    if (elements[i].chain >= kMaxChains) return i;
  }
  return size;
}

void clamp_element(Element& e) {
  e.kind = clamp_kind(e.kind);
  zero(e.reserved);
}

// Outside of chains, the chain number has no meaning.
void clamp_pattern(Element& e) {
  clamp_element(e);
  e.chain = 0;
}

// Site 0 has a special meaning here ("initial value", "until idle"). The other fields are then ignored.
void clamp_optional_pattern(Element& e) {
  if (e.site == kNoSite) {
    e = Element{};
  } else {
    clamp_pattern(e);
  }
}

template <typename T>
void cut(std::vector<T>& v, size_t limit) {
  if (v.size() > limit) v.resize(limit);
}

// FlatBuffers' verifier checks that the vector is inside the buffer and that its length field is aligned. It does not check that the
// elements are aligned. False: they are not, so the span must not be used.
template <typename T, typename Stored>
bool take(const flatbuffers::Vector<Stored>* vector, size_t limit, std::span<const T>& out) {
  if (vector == nullptr || vector->size() == 0) return true;
  const uint8_t* data = vector->Data();
  if (reinterpret_cast<uintptr_t>(data) % alignof(T) != 0) return false;
  out = {reinterpret_cast<const T*>(data), std::min<size_t>(vector->size(), limit)};
  return true;
}

bool read_fields(const fbs::Schedule& s, ScheduleView& view) {
  if (!take(s.elements(), kMaxElements, view.elements) ||
      !take(s.reads_from(), kMaxConstraints, view.reads_from) ||
      !take(s.selects(), kMaxPreferences, view.selects) ||
      !take(s.delays(), kMaxDelays, view.delays) || !take(s.graph(), kMaxGraphNodes, view.graph) ||
      !take(s.visible_plain(), kMaxVisiblePlain, view.visible_plain) ||
      !take(s.weights(), kNoLimit, view.weights) || !take(s.payload(), kNoLimit, view.payload)) {
    return false;
  }
  view.elements = view.elements.first(usable_elements(view.elements.data(), view.elements.size()));
  view.version = clamp_version(s.version());
  view.seed = s.seed();
  view.strategy = clamp_strategy(s.strategy());
  view.memory_model = clamp_model(s.memory_model());
  view.pct_depth = s.pct_depth();
  view.stickiness = s.stickiness();
  view.step_estimate = s.step_estimate();
  view.surw_site = s.surw_site();
  view.assumes = s.assumes() & kAllAssumptions;
  return true;
}

ScheduleView foreign_view(std::span<const uint8_t> bytes) {
  ScheduleView view;
  view.payload = bytes;
  return view;
}

// Keeps the capacity of `to`.
template <typename T>
void copy(std::span<const T> from, std::vector<T>& to) {
  to.assign(from.begin(), from.end());
}

template <typename Stored, typename T>
flatbuffers::Offset<flatbuffers::Vector<const Stored*>> structs(
    flatbuffers::FlatBufferBuilder& builder, const std::vector<T>& v) {
  if (v.empty()) return 0;
  return builder.CreateVectorOfStructs(reinterpret_cast<const Stored*>(v.data()), v.size());
}

template <typename T>
flatbuffers::Offset<flatbuffers::Vector<T>> scalars(flatbuffers::FlatBufferBuilder& builder,
                                                    const std::vector<T>& v) {
  if (v.empty()) return 0;
  return builder.CreateVector(v.data(), v.size());
}

}  // namespace

ScheduleView view_schedule(std::span<const uint8_t> bytes) {
  // The identifier is checked first, so that most foreign inputs cost only one comparison.
  if (bytes.size() < kMinBytes || bytes.size() > kMaxBytes ||
      !fbs::ScheduleBufferHasIdentifier(bytes.data())) {
    return foreign_view(bytes);
  }
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), /*max_depth=*/2, /*max_tables=*/2);
  if (!fbs::VerifyScheduleBuffer(verifier)) return foreign_view(bytes);
  ScheduleView view;
  if (!read_fields(*fbs::GetSchedule(bytes.data()), view)) return foreign_view(bytes);
  view.foreign = false;
  return view;
}

bool decode_schedule(std::span<const uint8_t> bytes, Schedule& out) {
  std::vector<uint8_t> aligned;  // operator new aligns to 16
  if (reinterpret_cast<uintptr_t>(bytes.data()) % 16 != 0) {
    aligned.assign(bytes.begin(), bytes.end());
    bytes = aligned;
  }
  const ScheduleView view = view_schedule(bytes);
  out.version = view.version;
  out.seed = view.seed;
  out.strategy = view.strategy;
  out.memory_model = view.memory_model;
  out.pct_depth = view.pct_depth;
  out.stickiness = view.stickiness;
  out.step_estimate = view.step_estimate;
  out.surw_site = view.surw_site;
  out.assumes = view.assumes;
  copy(view.elements, out.elements);
  copy(view.reads_from, out.reads_from);
  copy(view.selects, out.selects);
  copy(view.delays, out.delays);
  copy(view.graph, out.graph);
  copy(view.visible_plain, out.visible_plain);
  copy(view.weights, out.weights);
  copy(view.payload, out.payload);
  clamp_schedule(out);
  return !view.foreign;
}

void clamp_schedule(Schedule& s) {
  s.version = clamp_version(s.version);
  s.strategy = clamp_strategy(static_cast<uint8_t>(s.strategy));
  s.memory_model = clamp_model(static_cast<uint8_t>(s.memory_model));
  s.assumes &= kAllAssumptions;
  cut(s.elements, usable_elements(s.elements.data(), s.elements.size()));
  cut(s.reads_from, kMaxConstraints);
  cut(s.selects, kMaxPreferences);
  cut(s.delays, kMaxDelays);
  cut(s.graph, kMaxGraphNodes);
  cut(s.visible_plain, kMaxVisiblePlain);
  cut(s.payload, kMaxBytes / 2);
  for (Element& e : s.elements) clamp_element(e);
  for (ReadsFrom& c : s.reads_from) {
    clamp_pattern(c.read);
    clamp_optional_pattern(c.write);
    c.negative = c.negative != 0;
    c.shield = c.shield != 0;
    zero(c.reserved);
  }
  for (SelectPreference& p : s.selects) {
    p.kind = clamp_kind(p.kind);
    zero(p.reserved);
  }
  for (Delay& d : s.delays) {
    clamp_pattern(d.what);
    clamp_optional_pattern(d.until);
  }
  for (GraphNode& n : s.graph) {
    n.kind = clamp_kind(n.kind);
    if (n.order > 5 && n.order != 255) n.order = 0;  // MemoryOrder
    if (n.from_index == 0) n.from_thread = kAnyThread;
    zero(n.reserved);
  }
  for (ThreadWeight& w : s.weights) w.reserved = 0;
}

struct ScheduleEncoder::Builder {
  flatbuffers::FlatBufferBuilder builder{1024};
};

ScheduleEncoder::ScheduleEncoder() : builder_(std::make_unique<Builder>()) {}
ScheduleEncoder::~ScheduleEncoder() = default;

std::span<const uint8_t> ScheduleEncoder::encode(Schedule& s) {
  clamp_schedule(s);
  // A fixed order of building: equal schedules give equal bytes. Do not reorder.
  flatbuffers::FlatBufferBuilder& builder = builder_->builder;
  builder.Clear();
  const auto payload = scalars(builder, s.payload);
  const auto weights = structs<fbs::ThreadWeight>(builder, s.weights);
  const auto visible_plain = scalars(builder, s.visible_plain);
  const auto graph = structs<fbs::GraphNode>(builder, s.graph);
  const auto delays = structs<fbs::Delay>(builder, s.delays);
  const auto selects = structs<fbs::SelectPreference>(builder, s.selects);
  const auto reads_from = structs<fbs::ReadsFrom>(builder, s.reads_from);
  const auto elements = structs<fbs::Element>(builder, s.elements);
  builder.Finish(
      fbs::CreateSchedule(builder, s.version, s.seed, static_cast<uint8_t>(s.strategy),
                          static_cast<uint8_t>(s.memory_model), s.pct_depth, s.stickiness,
                          s.step_estimate, s.surw_site, elements, reads_from, selects, delays,
                          graph, visible_plain, weights, payload, s.assumes),
      fbs::ScheduleIdentifier());
  return {builder.GetBufferPointer(), builder.GetSize()};
}

std::vector<uint8_t> encode_schedule(const Schedule& schedule) {
  Schedule s = schedule;
  ScheduleEncoder encoder;
  const std::span<const uint8_t> bytes = encoder.encode(s);
  return {bytes.begin(), bytes.end()};
}

bool holds_schedule(std::span<const uint8_t> bytes) {
  const std::string_view mark = fbs::ScheduleIdentifier();
  return std::search(bytes.begin(), bytes.end(), mark.begin(), mark.end()) != bytes.end();
}

uint64_t hash_input(std::span<const uint8_t> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace heddle
