#include "mutator/knowledge/object_groups.h"

#include "mutator/knowledge/relations.h"

namespace heddle::mutator {

void ObjectGroups::learn(const KnownRun& run) {
  first_.assign(run.objects.size(), 0);
  for (const Event& e : run.events) {
    if (e.object == 0 || !is_operation(e)) continue;
    uint64_t& first = first_[e.object];
    if (first == 0) first = position(e.site, e.kind);
    else unite(first, position(e.site, e.kind));
  }
}

uint64_t ObjectGroups::group(uint64_t position) const {
  for (auto at = same_group_.find(position); at != same_group_.end(); at = same_group_.find(position)) position = at->second;
  return position;
}

void ObjectGroups::unite(uint64_t one, uint64_t other) {
  const uint64_t stays = group(one), joins = group(other);
  if (stays == joins) return;
  same_group_[joins] = stays;
  if (const auto known = tried_.find(joins); known != tried_.end()) tried_[stays] += known->second;
}

uint32_t ObjectGroups::tried(uint64_t position) const {
  const auto known = tried_.find(group(position));
  return known != tried_.end() ? known->second : 0;
}

}  // namespace heddle::mutator
