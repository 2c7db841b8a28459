#include "mutator/orders/order_children.h"

#include <algorithm>
#include <utility>

#include "mutator/knowledge/choice_points.h"
#include "mutator/knowledge/deliveries.h"
#include "mutator/knowledge/prefix.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {
namespace {

void prefer(Schedule& child, const SelectPreference& wanted) {
  std::erase_if(child.selects, [&](const SelectPreference& p) { return same_passage(p, wanted); });
  child.selects.push_back(wanted);
}

// The handlers of signals that are sent come where they came in the run.
void repeat_deliveries(Schedule& child, const RunReversals& run, const Relations& relations, std::span<const uint32_t> events) {
  for (const Delivery& d : run.deliveries()) {
    if (std::find(events.begin(), events.end(), d.send) == events.end()) continue;
    if (d.late != kNoEvent) prefer(child, handler_comes(true, relations.run(), d.late));
    if (relations.event(d.handle).outcome == Outcome::success) prefer(child, handler_comes_again(relations.run(), d.handle));
  }
}

// The last operation of the prefix is to go another way than in the run. So whoever waited for it there does not matter.
void begin_with(Schedule& child, const RunReversals& run, const Relations& relations, std::span<const uint32_t> events) {
  repeat_deliveries(child, run, relations, events);
  const auto waiter = [&](uint32_t e) { return e != events.back() ? waiter_of(relations.run(), e) : kNoEvent; };
  const std::vector<uint32_t> prefix = as_they_began(events, waiter);
  std::vector<Element> operations, left_out;
  for (const uint32_t e : prefix) {
    if (is_operation(relations.event(e))) operations.push_back(relations.exact(e));
  }
  for (const uint32_t e : run.first_left_out(prefix)) {
    if (e != kNoEvent) left_out.push_back(relations.exact(e));
  }
  put_prefix(child, operations, left_out);
}

}  // namespace

bool fits(const Schedule& child) {
  return child.elements.size() <= kMaxElements && child.delays.size() <= kMaxDelays && child.selects.size() <= kMaxPreferences;
}

void order_children(const KnownRun& run, const RunReversals& reversals, const Schedule& schedule,
                    const std::function<void(OrderChild&&)>& add) {
  const Relations& relations = run.relations();
  for (const RunReversals::Reversal& r : reversals.reversals()) {
    const std::vector<uint32_t> prefix = reversals.prefix(r);
    OrderChild child{schedule, reversals.prefix_key(prefix), r.first, r.second, reversals.shape(prefix)};
    begin_with(child.schedule, reversals, relations, prefix);
    switch (r.handler) {
      case RunReversals::Reversal::Handler::none: break;
      case RunReversals::Reversal::Handler::before_first: prefer(child.schedule, handler_comes(false, run, r.first)); break;
      case RunReversals::Reversal::Handler::after_second: prefer(child.schedule, handler_comes(true, run, r.second)); break;
    }
    add(std::move(child));
  }
  const ChoicePoints points(relations);
  std::vector<Candidate> candidates;
  for (uint32_t e = 0; e < run.events.size(); ++e) {
    if (!points.is_free_choice(e)) continue;
    points.candidates(e, candidates);
    const std::vector<uint32_t> prefix = reversals.prefix(e);
    for (const Candidate& c : candidates) {
      if (c.choice == points.taken(e)) continue;
      const uint64_t key = mix(reversals.prefix_key(prefix), static_cast<uint64_t>(static_cast<int64_t>(c.choice)) + 0xC401CE);
      OrderChild child{schedule, key, e, e};
      prefer(child.schedule, points.preference(e, c.choice));
      begin_with(child.schedule, reversals, relations, prefix);
      add(std::move(child));
    }
  }
}

void far_order_children(const KnownRun& run, const RunReversals& reversals, const Schedule& schedule, FarPairs which,
                        const std::function<void(OrderChild&&)>& add) {
  for (const FarReversal& r : far_reversals(run, reversals, which)) {
    OrderChild child{schedule, reversals.prefix_key(r.prefix), r.first, r.second, reversals.shape(r.prefix)};
    begin_with(child.schedule, reversals, run.relations(), r.prefix);
    add(std::move(child));
  }
}

}  // namespace heddle::mutator
