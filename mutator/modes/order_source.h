// The source run of chains: its events according to the rules, their relations, and its schedule.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mutator/knowledge/relations.h"
#include "mutator/modes/order_chain.h"
#include "mutator/modes/order_rules.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

class OrderSource {
 public:
  OrderSource(const OrderRules& rules, const RunSummary& run, const Schedule& schedule);

  const OrderRules& rules() const { return rules_; }
  const KnownRun& run() const { return run_; }
  const Schedule& schedule() const { return schedule_; }
  const Relations& relations() const { return run_.relations(); }
  const Event& event(uint32_t e) const { return run_.events[e]; }
  uint32_t thread(uint32_t e) const { return event(e).thread; }

  // Can the event be an element of a chain?
  bool eligible(uint32_t e) const;
  // Rel1: the eligible neighbours in the thread, at most two.
  EventChain neighbours(uint32_t e) const;
  // Rel2: eligible operations of other threads on one of its objects. All, or `limit` of them; operations that are close in the trace are
  // more likely.
  std::vector<uint32_t> related(uint32_t e, uint32_t limit, Rng& rng) const;
  // Rel2 by rule 3, applied once: a partner of a neighbour, in another thread than e. At most one; kNone if there is none.
  uint32_t distantly_related(uint32_t e, Rng& rng) const;

  // Could each of the two have been attempted before the other was over? By the weak relation, and by the strong one, which also has the
  // edges of channels, locks and so on.
  bool concurrent(uint32_t a, uint32_t b) const { return relations().order(order::Relation::weak).orderable(a, b); }
  bool strongly_concurrent(uint32_t a, uint32_t b) const {
    return relations().order(order::Relation::strong).orderable(a, b);
  }
  // How many operations on its object are concurrent with it, and how many there are in the run. Counted on the first few hundred events.
  uint32_t concurrent_on_object(uint32_t e) const;
  uint32_t concurrent_anywhere(uint32_t e) const;
  uint32_t on_object(uint32_t e) const;

  // The cases of a select. Empty for other events.
  std::span<const SelectCase> cases(uint32_t e) const;
  size_t bytes() const { return sizeof *this + run_.bytes(); }

 private:
  // Selects with a case on the object that took another case. These are not in the lists of Relations.
  void add_other_cases(uint32_t e, std::vector<uint32_t>& out) const;
  bool partners(uint32_t a, uint32_t b) const { return thread(a) != thread(b) && eligible(b); }

  const OrderRules& rules_;
  KnownRun run_;
  Schedule schedule_;
};

}  // namespace heddle::mutator
