// Chains as values: taken out of the schedule (deep copies), changed, checked, written back.
#pragma once

#include <span>
#include <vector>

#include "mutator/operators/operator.h"

namespace heddle::mutator {

using Chain = std::vector<Element>;

// The numbers in use; a random one of them, or -1.
int pick_chain(const Schedule& schedule, size_t min_length, Rng& rng);
int pick_chain(Context& context, size_t min_length);
Chain get_chain(const Schedule& schedule, int id);
// False, and nothing changed: no room.
bool put_chain(Schedule& schedule, int id, const Chain& chain);
// As a new chain; in a third of the cases the only one, and never more than four in all: chains get in each
// other's way. Call it last: it changes the schedule.
bool add_chain(Context& context, const Chain& chain);

// No later element must-precedes an earlier one, for all i < j (docs/design/gopie.md#must-order): this also keeps
// two elements of one thread in program order. Open elements and strangers are not judged.
bool valid_chain(const RunRelations& run, const Chain& chain);
// The same of events of the run; kNone stands for one that is not judged.
bool valid_order(const Relations& run, std::span<const uint32_t> events);
// The same operation, as far as both say.
bool same_op(const Element& a, const Element& b);
// They speak of the same choice, whatever they prefer there: only the first one counts.
bool same_passage(const SelectPreference& a, const SelectPreference& b);
// They hold the same operation until the same one has gone.
bool same_delay(const Delay& a, const Delay& b);
bool contains(const Chain& chain, const Element& element);

// Every plain access that a constraint names is made a choice point, or the constraint could not be enforced.
void make_constraints_visible(Schedule& schedule);
// False: already there, or full.
bool make_visible(Schedule& schedule, SiteId site);
// The plain sides of a race.
bool make_visible(Schedule& schedule, const RacingPair& race);
// The kind of a side's operation: its own, or that of the plain access it is once visible.
Kind first_kind(const RacingPair& race);
Kind second_kind(const RacingPair& race);

}  // namespace heddle::mutator
