// The fuzz input as a value: the contents of a schedule. Mutators, the text form and the command work on this. The runtime reads the same
// fields directly from the verified bytes (schema/codec.h).
//
// The structs are frozen, because they are stored in vectors of the FlatBuffer without conversion. New data is a new struct in a new
// vector, at the end of the table in schedule.fbs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schema/identity.h"
#include "schema/kinds.h"

namespace heddle {

// A pattern for operations. Site and kind are always given. Thread, object, occurrence and context are given or open. An exact element
// replays an operation, an open one generalises it.
struct Element {
  ThreadId thread;      // 0: any
  SiteId site;          // 0: matches nothing (for the write of a ReadsFrom: the initial value)
  ObjectId object;      // 0: any
  uint32_t occurrence;  // 0: any, so the next one; else the n-th occurrence (from 1)
  uint32_t context;     // 0: any
  Kind kind;
  uint8_t chain;        // its chain. Elements of a chain are in their order
  uint8_t thread_var;   // 0: none. Else a variable: equal numbers mean the same thread, different numbers different threads
  uint8_t reserved[5];

  bool operator==(const Element&) const = default;
};
static_assert(sizeof(Element) == 40 && offsetof(Element, kind) == 32);

// "This read takes its value from that write" (or never does). As in docs/design/strategies.md#reads-from-constraints, a mutex lock counts
// as a read of the mutex, and an unlock as a write.
struct ReadsFrom {
  Element read;
  Element write;      // site 0: the initial value
  uint8_t negative;   // 1: the read must not take the value of this write
  uint8_t shield;     // 1: meanwhile, hold back other writes (positive) or the write itself (negative)
  uint8_t reserved[6];

  bool operator==(const ReadsFrom&) const = default;
};
static_assert(sizeof(ReadsFrom) == 88);

// The instance-th choice (from 1; 0: every one) of this thread at this site takes candidate `choice`.
struct SelectPreference {
  ThreadId thread;  // 0: any
  SiteId site;
  uint32_t instance;
  int32_t choice;  // -1: the default case
  Kind kind;
  uint8_t reserved[7];

  bool operator==(const SelectPreference&) const = default;
};
static_assert(sizeof(SelectPreference) == 32);

// Hold `what` until `until` has run (site 0: until nothing else can run).
struct Delay {
  Element what;
  Element until;

  bool operator==(const Delay&) const = default;
};
static_assert(sizeof(Delay) == 80);

// One event of the prefix of an execution graph (docs/design/weak-memory.md#prefixes): the thread's n-th graph event (schema/coherence.h), from
// 1. `from` is the store that a load or read-modify-write reads, or, for a store, the one right before it in modification order among the
// prefix's. from_index 0: the initial value. Site, kind and order are checked.
struct GraphNode {
  ThreadId thread;
  SiteId site;
  ThreadId from_thread;
  uint32_t index;
  uint32_t from_index;
  Kind kind;
  uint8_t order;
  uint8_t reserved[6];

  bool operator==(const GraphNode&) const = default;
};
static_assert(sizeof(GraphNode) == 40);

// Of a thread: its expected number of interesting operations (SURW), or its priority (PCT).
struct ThreadWeight {
  ThreadId thread;
  uint32_t count;
  uint32_t reserved;

  bool operator==(const ThreadWeight&) const = default;
};
static_assert(sizeof(ThreadWeight) == 16);

// Decides what the schedule leaves open. Written to files.
enum class StrategyId : uint8_t {
  automatic = 0,  // drawn by the seed among the others
  round_robin = 1,
  random_walk = 2,
  sticky = 3,
  pct = 4,
  pos = 5,
  surw = 6,
  writes_first = 7,
  nonpreemptive = 8,
  turns = 9,
  places = 10,
};
inline constexpr int kStrategyCount = 11;

enum class MemoryModel : uint8_t { sc = 0, rc11 = 1 };

// What this run takes for granted: what a busy machine can do does not happen, or what looks wrong is meant. Bits of Schedule::assumes; written to files.
enum Assumption : uint8_t {
  kNoSpuriousWakes = 1,  // no wait wakes spuriously
  kPatientTimeouts = 2,  // time passes only when nothing else can run
  kEndlessIntended = 4,  // threads that only spin after main has ended are meant to: they are stopped
};
inline constexpr int kAssumptionCount = 3;
inline constexpr uint8_t kAllAssumptions = (1 << kAssumptionCount) - 1;

inline constexpr uint16_t kFormatVersion = 1;
inline constexpr size_t kMaxVisiblePlain = 32;
inline constexpr size_t kMaxElements = 1024;    // for all chains together; elements beyond it are dropped
inline constexpr size_t kMaxChains = 16;
inline constexpr size_t kMaxConstraints = 256;
inline constexpr size_t kMaxPreferences = 1024;
inline constexpr size_t kMaxDelays = 64;
inline constexpr size_t kMaxGraphNodes = 1024;

struct Schedule {
  uint16_t version = kFormatVersion;
  uint64_t seed = 0;
  StrategyId strategy = StrategyId::automatic;
  MemoryModel memory_model = MemoryModel::sc;
  uint8_t pct_depth = 0;        // 0: the default, 3
  uint8_t stickiness = 0;       // in 256: the probability to stay on the thread; 0: the default
  uint32_t step_estimate = 0;   // PCT's k; 0: the default
  SiteId surw_site = 0;         // SURW: the interesting object is the one that this site uses; 0: drawn from the seed
  std::vector<Element> elements;        // the elements of all chains, distinguished by Element::chain
  std::vector<ReadsFrom> reads_from;
  std::vector<SelectPreference> selects;
  std::vector<Delay> delays;
  std::vector<GraphNode> graph;
  std::vector<SiteId> visible_plain;    // sites whose plain accesses are choice points in this run
  std::vector<ThreadWeight> weights;
  std::vector<uint8_t> payload;         // the harness's data bytes
  uint8_t assumes = 0;                  // Assumption

  bool operator==(const Schedule&) const = default;
};

// What the schedule says of the run and not of its order: data bytes, memory model, assumptions. The rest is the default.
inline Schedule without_order(const Schedule& s) { return {.memory_model = s.memory_model, .payload = s.payload, .assumes = s.assumes}; }

}  // namespace heddle
