// GoPie's relations over one run (docs/design/gopie.md#relations), and other data that chains are made from.
//
//   Rel1    neighbours in one thread's projection of the trace
//   Rel2    operations on one object by different threads; Rel2_1: those of a neighbour (rule 3, applied once)
//
// Rel2 is sampled and never enumerated, because it is quadratic.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mutator/knowledge/known_run.h"
#include "mutator/rng.h"
#include "order/owned_memory.h"
#include "order/run_order.h"
#include "schema/schedule.h"

namespace heddle::mutator {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;

class Relations {
 public:
  explicit Relations(const KnownRun& run) : run_(run) { build(); }
  // Computes everything again after the run was replaced. Keeps its memory.
  void build();

  const KnownRun& run() const { return run_; }
  const Event& event(uint32_t i) const { return run_.events[i]; }
  uint32_t next_in_thread(uint32_t e) const { return places_[e].next; }
  uint32_t previous_in_thread(uint32_t e) const { return places_[e].previous; }
  // Eligible events on objects that two threads used: a chain can start from these.
  std::span<const uint32_t> shared() const { return shared_; }
  bool is_shared(uint32_t e) const { return places_[e].shared; }
  std::span<const uint32_t> on_object(uint32_t object) const {
    return std::span(by_object_).subspan(object_begin_[object], object_begin_[object + 1] - object_begin_[object]);
  }

  // One of shared(), with equal probability for each site. Otherwise a hundred threads in one function would hide the one thread that
  // differs. REQUIRES: !shared().empty()
  uint32_t draw_shared(Rng& rng) const;
  bool has_plain() const { return has_plain_; }

  // A Rel2 partner. Partners that are close in the trace are more likely. kNone: there is none.
  uint32_t partner(uint32_t e, Rng& rng) const;
  // The event that an exact element means. kNone for open elements and for elements of other runs.
  uint32_t find(const Element& element) const;
  // Any event that matches the element.
  uint32_t find_any(const Element& element) const;
  Element exact(uint32_t e) const;
  Element open(uint32_t e) const;
  // Is `a` over in every schedule before `b` can be attempted (order::Relation::must)? This is asked for a few pairs of each run, and only
  // the beginnings and ends of threads matter. So it follows these from `a` on, without computing clocks.
  bool must_precede(uint32_t a, uint32_t b) const;
  // The order of the run under that relation. Computed on first use.
  const order::RunOrder& order(order::Relation relation) const;

  // Chains that first take the outer locks of a cycle, then the inner ones.
  const std::vector<std::vector<uint32_t>>& lock_cycles() const;
  size_t rel1_pairs() const { return rel1_pairs_; }
  double rel2_pairs() const { return rel2_pairs_; }

 private:
  void find_thread_edges() const;
  uint32_t operation_of(uint32_t i) const;
  void find_lock_cycles() const;
  void group_by_site() const;

  const KnownRun& run_;
  // The index of an event among the others.
  struct EventPlace {
    uint32_t next, previous;  // in its thread
    uint32_t position;        // in by_object_
    bool shared;
  };
  std::vector<EventPlace> places_;
  std::vector<uint32_t> object_begin_, by_object_, shared_;
  std::vector<uint32_t> last_, listed_, fill_;  // of build()
  mutable std::vector<uint32_t> by_site_, site_begin_;  // shared(), grouped
  // Creations and joins of threads, in the order of the run.
  struct ThreadEdge {
    uint32_t event, thread;
    bool created;
  };
  mutable std::vector<ThreadEdge> thread_edges_;
  mutable std::vector<uint32_t> reached_;  // by thread: the first event that comes after it
  mutable bool thread_edges_known_ = false;
  bool has_plain_ = false;
  size_t rel1_pairs_ = 0;
  double rel2_pairs_ = 0;
  mutable order::OwnedMemory memory_;
  mutable std::optional<order::RunOrder> orders_[3];  // by Relation
  mutable std::vector<std::vector<uint32_t>> cycles_;
  mutable bool cycles_known_ = false;
};

// Does anything stand at this event that a schedule can name?
inline bool is_operation(const Event& e) { return e.site != kNoSite && !kind_info(e.kind).has(kPassive); }
// Of an operation that can fail: it did not.
inline bool has_effect(const Event& e) { return !in_vain(e.outcome); }

// Reads and writes in the terms of reads-from constraints: a lock reads the mutex, an unlock writes it.
inline bool reads_value(Kind kind) {
  const KindInfo& k = kind_info(kind);
  return k.has(kHoldsLock) || (k.has(kReads) && (k.has(kAtomic) || k.has(kPlain)));
}
inline bool writes_value(Kind kind) {
  const KindInfo& k = kind_info(kind);
  return k.has(kDropsLock) || (k.has(kWrites) && (k.has(kAtomic) || k.has(kPlain)));
}

}  // namespace heddle::mutator
