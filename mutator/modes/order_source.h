// A run that chains are made from: its events as the rules see them, their relations, and its schedule.
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

  // May it be an element of a chain?
  bool eligible(uint32_t e) const;
  // Rel1: the eligible neighbours in the thread, at most two.
  EventChain neighbours(uint32_t e) const;
  // Rel2: eligible operations of other threads on one of its objects; all, or `limit` of them, the closer in the
  // trace the likelier.
  std::vector<uint32_t> related(uint32_t e, uint32_t limit, Rng& rng) const;
  // Rel2 by rule 3, applied once: of a neighbour, by another thread than e's. At most one; kNone.
  uint32_t distantly_related(uint32_t e, Rng& rng) const;

  // Could each of the two have been attempted before the other was over? By the weak relation, and by the strong one,
  // which also has the edges of channels, locks and so on.
  bool concurrent(uint32_t a, uint32_t b) const { return relations().order(order::Relation::weak).orderable(a, b); }
  bool strongly_concurrent(uint32_t a, uint32_t b) const {
    return relations().order(order::Relation::strong).orderable(a, b);
  }
  // Operations on its object that are concurrent with it, and all such operations of the run. Counted on the first
  // few hundred events.
  uint32_t concurrent_on_object(uint32_t e) const;
  uint32_t concurrent_anywhere(uint32_t e) const;
  uint32_t on_object(uint32_t e) const;

  // The cases of a select; empty for others.
  std::span<const SelectCase> cases(uint32_t e) const;
  size_t bytes() const { return sizeof *this + run_.bytes(); }

 private:
  // Selects with a case on the object that another case won: not in the lists of Relations.
  void add_other_cases(uint32_t e, std::vector<uint32_t>& out) const;
  bool partners(uint32_t a, uint32_t b) const { return thread(a) != thread(b) && eligible(b); }

  const OrderRules& rules_;
  KnownRun run_;
  Schedule schedule_;
};

}  // namespace heddle::mutator
