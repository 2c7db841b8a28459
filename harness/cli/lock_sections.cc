#include "harness/cli/lock_sections.h"

#include <algorithm>

namespace heddle::cli {

void LockSections::add(const StoredTrace& run) {
  std::map<Key, Section>& out = runs_.emplace_back();
  std::map<std::pair<uint32_t, uint32_t>, Section> held;  // by thread and lock
  for (const Event& e : run.events) {
    if (e.object == 0 || e.site == kNoSite || (e.flags & kEventRecursive) != 0) continue;
    const Element element = element_of(run, e);
    const KindInfo& kind = kind_info(e.kind);
    if (kind.has(kHoldsLock) && in_vain(e.outcome)) {
      out.emplace(key(element), Section{});
    } else if (kind.has(kHoldsLock)) {
      const Section section = {element, e.object, kind.has(kWrites)};
      out.emplace(key(element), section);
      if (e.finished()) held.insert_or_assign({e.thread, e.object}, section);
    } else if (kind.has(kDropsLock) && e.finished()) {
      const auto at = held.find({e.thread, e.object});
      if (at == held.end()) continue;  // another thread gives it back
      out.emplace(key(element), at->second);
      held.erase(at);
    }
  }
}

const LockSections::Section* LockSections::section_of(const std::map<Key, Section>& run, const Element& e) const {
  const auto at = run.find(key(e));
  return at == run.end() ? nullptr : &at->second;
}

bool LockSections::is_in_vain(const Element& e) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) {
    const Section* const section = section_of(run, e);
    return section != nullptr && section->lock == 0;
  });
}

Order LockSections::order_of_sections(const Order& order) const {
  for (const auto& run : runs_) {
    const Section* const first = section_of(run, order.first);
    const Section* const second = section_of(run, order.second);
    if (first == nullptr || second == nullptr || first->lock != second->lock) continue;
    if (!first->exclusive && !second->exclusive) continue;
    if (!is_in_vain(first->begin) && !is_in_vain(second->begin)) return {first->begin, second->begin};
  }
  return order;
}

}  // namespace heddle::cli
