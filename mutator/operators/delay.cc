// Flow fuzzing (go-family.md 4): holds an operation until one that came after it has gone. First choice are pairs where
// the second had no effect (a failed trylock, a lost once, an operation that never finished), then pairs of one kind.
#include "mutator/operators/chain.h"

namespace heddle::mutator {

namespace {
bool without_effect(const Event& e) {
  if (!e.finished()) return true;
  return e.outcome == Outcome::failure && (kind_info(e.kind).has(kHoldsLock) || e.kind == Kind::once_begin);
}
}  // namespace

bool delay(Context& c) {
  auto& list = c.schedule.delays;
  if (!list.empty() && c.rng.chance(1, 4)) {
    list.erase(list.begin() + c.rng.below(static_cast<uint32_t>(list.size())));
    return true;
  }
  if (!c.run || c.run->shared().empty()) return false;
  uint32_t first = kNone, second = kNone;
  int best = -1;
  for (int draw = 0; draw < 4; ++draw) {
    uint32_t a = c.run->draw_shared(c.rng);
    uint32_t b = c.run->partner(a, c.rng);
    if (b == kNone) continue;
    if (b < a) std::swap(a, b);
    const Event &x = c.run->event(a), &y = c.run->event(b);
    if (!x.finished() || c.run->must_precede(a, b)) continue;
    const int worth = without_effect(y) ? 2 : x.kind == y.kind ? 1 : 0;
    if (worth > best) best = worth, first = a, second = b;
  }
  if (first == kNone) return false;
  Delay d{};
  d.what = c.run->exact(first);
  if (!c.rng.chance(1, 8)) d.until = c.run->exact(second);
  if (list.size() >= 10) {
    list[c.rng.below(static_cast<uint32_t>(list.size()))] = d;
  } else {
    list.push_back(d);
  }
  return true;
}

}  // namespace heddle::mutator
