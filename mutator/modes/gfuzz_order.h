// An order as in GFuzz (docs/design/gfuzz.md#orders): the selects of a run, each with its cases and the case that it took. With happens-before,
// also the other decisions of the select kind (choice_points.h), if they can have another outcome.
//
// Instances are identified by thread, site and passage. So a loop has a list of choices, where the original kept only the last one
// (docs/design/gfuzz.md#what-heddle-corrects).
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/knowledge/choice_points.h"
#include "schema/schedule.h"

namespace heddle::mutator {

enum class Choices : uint8_t { selects, all };

struct OrderTuple {
  SelectPreference select;            // which one, and (choice) what it took
  std::vector<Candidate> candidates;  // two or more
};

// In the order in which they were decided. Selects that never finished took nothing, and those with one case have no choice.
using SelectOrder = std::vector<OrderTuple>;

// At most kMaxPreferences: where there are more, the first passages of every place.
SelectOrder recorded_order(const ChoicePoints& points, Choices which);

// Hash of who takes what: equal mutations have equal keys, whatever seed they run under.
uint64_t order_key(const SelectOrder& order, const std::vector<int32_t>& choices);

// `schedule`, of which `order` is the record, with these choices. From the first changed one on every select is told what to take.
// Those before it are left alone, or as the schedule has them: so the child replays its parent up to there.
void prescribe(Schedule& schedule, const SelectOrder& order, const std::vector<int32_t>& choices);

// A choice that ran came out otherwise than prescribed, as nothing came for that until nothing else could run.
bool missed_preference(const ChoicePoints& points, const Schedule& schedule);

}  // namespace heddle::mutator
