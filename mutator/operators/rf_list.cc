#include "mutator/operators/rf_list.h"

#include <algorithm>

#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool names_pair(const std::vector<ReadsFrom>& list, const ReadsFrom& rf) {
  return std::any_of(list.begin(), list.end(), [&](const ReadsFrom& old) { return same_op(old.read, rf.read) && same_op(old.write, rf.write); });
}

bool add_reads_from(Context& c, const ReadsFrom& rf) {
  auto& list = c.schedule.reads_from;
  if (names_pair(list, rf)) return false;
  if (!list.empty() && (list.size() >= kMaxConstraints || c.rng.chance(1, 2))) {
    list[c.rng.below(static_cast<uint32_t>(list.size()))] = rf;
  } else {
    list.push_back(rf);
  }
  return true;
}

}  // namespace heddle::mutator
