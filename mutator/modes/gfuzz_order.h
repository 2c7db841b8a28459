// An order as in GFuzz (docs/design/gfuzz.md#orders): the selects of a run, each with its cases and the case that it took. With happens-before,
// also the other decisions of the select kind (choice_points.h), if they can have another outcome.
//
// Instances are identified by thread, site and occurrence. So a loop has a list of choices. The original kept only the last one
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

// In the order in which they were decided. Selects that never finished took nothing, and selects with one case have no choice. Both are
// left out.
using SelectOrder = std::vector<OrderTuple>;

// At most kMaxPreferences. If there are more, the first instances at every place are kept.
SelectOrder recorded_order(const ChoicePoints& points, Choices which);

// A hash of all choices. Equal mutations have equal keys, even with different seeds.
uint64_t order_key(const SelectOrder& order, const std::vector<int32_t>& choices);

// `schedule`, whose run has the order `order`, with these choices. From the first changed choice on, every select gets a preference.
// Earlier selects are not changed. So the child replays its parent up to there.
void prescribe(Schedule& schedule, const SelectOrder& order, const std::vector<int32_t>& choices);

// A choice had another outcome than prescribed: the prescribed case had no partner until nothing else could run.
bool missed_preference(const ChoicePoints& points, const Schedule& schedule);

}  // namespace heddle::mutator
