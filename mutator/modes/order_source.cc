#include "mutator/modes/order_source.h"

#include <algorithm>

namespace heddle::mutator {
namespace {

constexpr uint32_t kCounted = 256;  // so many events are examined to count concurrent ones
constexpr size_t kEnumerated = 64;  // up to so many operations on one object are listed; more are sampled

// What GoPie records: channels, selects, and lock and unlock.
bool original_kind(Kind kind) {
  switch (kind) {
    case Kind::channel_send:
    case Kind::channel_receive:
    case Kind::channel_close:
    case Kind::select: return true;
    default: break;
  }
  const KindInfo& info = kind_info(kind);
  return info.has(kHoldsLock) || info.has(kDropsLock);
}

}  // namespace

OrderSource::OrderSource(const OrderRules& rules, const RunSummary& run, const Schedule& schedule)
    : rules_(rules), schedule_(schedule) {
  run_.assign(run);
}

bool OrderSource::eligible(uint32_t i) const {
  const Event& e = event(i);
  if (e.site == kNoSite || kind_info(e.kind).has(kPassive)) return false;
  if (!rules_.every_kind) return e.finished() && original_kind(e.kind);
  return e.kind != Kind::thread_start && e.kind != Kind::thread_exit;
}

EventChain OrderSource::neighbours(uint32_t e) const {
  EventChain out;
  uint32_t i = relations().previous_in_thread(e);
  while (i != kNone && !eligible(i)) i = relations().previous_in_thread(i);
  if (i != kNone) out.push_back(i);
  i = relations().next_in_thread(e);
  while (i != kNone && !eligible(i)) i = relations().next_in_thread(i);
  if (i != kNone) out.push_back(i);
  return out;
}

std::span<const SelectCase> OrderSource::cases(uint32_t e) const {
  if (event(e).kind != Kind::select) return {};
  const auto& all = run_.select_cases;
  const auto first = std::find_if(all.begin(), all.end(), [e](const SelectCase& c) { return c.event == e; });
  const auto last = std::find_if(first, all.end(), [e](const SelectCase& c) { return c.event != e; });
  return {first, last};
}

void OrderSource::add_other_cases(uint32_t e, std::vector<uint32_t>& out) const {
  const auto add = [&](uint32_t i) {
    if (partners(e, i) && std::find(out.begin(), out.end(), i) == out.end()) out.push_back(i);
  };
  for (const SelectCase& c : cases(e)) {
    if (c.object == 0) continue;
    for (uint32_t i : relations().on_object(c.object)) add(i);
  }
  for (const SelectCase& c : run_.select_cases) {
    if (c.object != 0 && c.object == event(e).object) add(c.event);
  }
}

std::vector<uint32_t> OrderSource::related(uint32_t e, uint32_t limit, Rng& rng) const {
  std::vector<uint32_t> out;
  const auto list = relations().on_object(event(e).object);
  if (event(e).object != 0 && list.size() <= kEnumerated) {
    for (uint32_t i : list) {
      if (partners(e, i)) out.push_back(i);
    }
    if (!run_.select_cases.empty()) add_other_cases(e, out);
    if (out.size() <= limit) return out;
  }
  std::vector<uint32_t> drawn;
  for (uint32_t tries = 0; tries < 4 * limit && drawn.size() < limit; ++tries) {
    uint32_t p = relations().partner(e, rng);
    if (!out.empty() && rng.chance(1, 4)) p = out[rng.below(static_cast<uint32_t>(out.size()))];
    if (p == kNone || !eligible(p)) continue;
    if (std::find(drawn.begin(), drawn.end(), p) == drawn.end()) drawn.push_back(p);
  }
  return drawn;
}

uint32_t OrderSource::distantly_related(uint32_t e, Rng& rng) const {
  const EventChain near = neighbours(e);
  if (near.empty()) return kNone;
  const auto found = related(near[rng.below(static_cast<uint32_t>(near.size()))], 1, rng);
  return found.empty() || thread(found[0]) == thread(e) ? kNone : found[0];
}

uint32_t OrderSource::concurrent_on_object(uint32_t e) const {
  uint32_t count = 0, looked = 0;
  for (uint32_t i : relations().on_object(event(e).object)) {
    if (++looked > kCounted) break;
    count += partners(e, i) && concurrent(e, i);
  }
  return count;
}

uint32_t OrderSource::concurrent_anywhere(uint32_t e) const {
  uint32_t count = 0;
  const uint32_t n = std::min<uint32_t>(static_cast<uint32_t>(run_.events.size()), kCounted);
  for (uint32_t i = 0; i < n; ++i) count += partners(e, i) && concurrent(e, i);
  return count;
}

uint32_t OrderSource::on_object(uint32_t e) const {
  return static_cast<uint32_t>(relations().on_object(event(e).object).size());
}

}  // namespace heddle::mutator
