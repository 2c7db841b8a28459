// Chains as values: taken out of the schedule (deep copies), changed, checked, written back.
#pragma once

#include <span>
#include <vector>

#include "mutator/operators/operator.h"

namespace heddle::mutator {

using Chain = std::vector<Element>;

// The chain numbers in use. A random one of them, or -1.
int pick_chain(const Schedule& schedule, size_t min_length, Rng& rng);
int pick_chain(Context& context, size_t min_length);
Chain get_chain(const Schedule& schedule, int id);
// False: there is no room, and nothing changes.
bool put_chain(Schedule& schedule, int id, const Chain& chain);
// Adds it as a new chain. In a third of the cases it is the only one, and there are never more than four, because chains block each other.
// Call it last, because it changes the schedule.
bool add_chain(Context& context, const Chain& chain);

// No later element must-precedes an earlier one, for all i < j (docs/design/gopie.md#must-order). This also keeps two elements of one
// thread in program order. Open elements and elements of other runs are not checked.
bool valid_chain(const RunRelations& run, const Chain& chain);
// The same for events of the run. kNone stands for an element that is not checked.
bool valid_order(const Relations& run, std::span<const uint32_t> events);
// The same operation, as far as both elements specify it.
bool same_op(const Element& a, const Element& b);
// Both are about the same choice, with any preference. Only the first one has an effect.
bool same_passage(const SelectPreference& a, const SelectPreference& b);
// Both hold the same operation until the same operation has run.
bool same_delay(const Delay& a, const Delay& b);
bool contains(const Chain& chain, const Element& element);

// Makes every plain access that a constraint names a choice point. Otherwise the constraint could not be enforced.
void make_constraints_visible(Schedule& schedule);
// False: it is already there, or there is no room.
bool make_visible(Schedule& schedule, SiteId site);
// The plain sides of a race.
bool make_visible(Schedule& schedule, const RacingPair& race);
// The kind of a side's operation: its own, or that of the plain access when it is visible.
Kind first_kind(const RacingPair& race);
Kind second_kind(const RacingPair& race);

}  // namespace heddle::mutator
