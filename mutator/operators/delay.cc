// Flow fuzzing (docs/design/flow.md): holds an operation until another one, which came after it, has run. Mostly for a pair whose reversal
// has an effect (mutator/knowledge/flow_pairs.h). Sometimes for any two operations on one object, so that plain accesses are included.
#include <algorithm>

#include "mutator/knowledge/flow_pairs.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {

namespace {

struct Pair {
  uint32_t first = kNone, second = kNone;
};

// Better pairs are more likely: class 1 in half of the cases, else the front of the list.
Pair flow_pair(const Relations& run, Rng& rng) {
  static FlowPairs found;  // for its memory
  const std::span<const FlowPair> pairs = found.find(run);
  if (pairs.empty()) return {};
  const auto class_1 = std::partition_point(pairs.begin(), pairs.end(), [](const FlowPair& p) { return p.rank == FlowRank::outcome; });
  const auto lost = static_cast<uint32_t>(class_1 - pairs.begin());
  auto n = static_cast<uint32_t>(pairs.size());
  if (lost != 0 && rng.chance(1, 2)) n = lost;
  const FlowPair& p = pairs[std::min(rng.below(n), rng.below(n))];
  return {p.first, p.second};
}

Pair any_pair(const Relations& run, Rng& rng) {
  Pair best;
  for (int draw = 0; draw < 4; ++draw) {
    uint32_t a = run.draw_shared(rng);
    uint32_t b = run.partner(a, rng);
    if (b == kNone) continue;
    if (b < a) std::swap(a, b);
    if (!run.event(a).finished() || run.must_precede(a, b)) continue;
    best = {a, b};
    if (run.event(a).kind == run.event(b).kind) break;
  }
  return best;
}

}  // namespace

bool delay(Context& c) {
  auto& list = c.schedule.delays;
  if (!list.empty() && c.rng.chance(1, 4)) {
    list.erase(list.begin() + c.rng.below(static_cast<uint32_t>(list.size())));
    return true;
  }
  if (!c.run || c.run->shared().empty()) return false;
  Pair pair;
  if (c.rng.chance(3, 4)) pair = flow_pair(*c.run, c.rng);
  if (pair.first == kNone) pair = any_pair(*c.run, c.rng);
  if (pair.first == kNone) return false;
  Delay d{};
  d.what = c.run->exact(pair.first);
  if (!c.rng.chance(1, 8)) d.until = c.run->exact(pair.second);
  if (list.size() >= 10) {
    list[c.rng.below(static_cast<uint32_t>(list.size()))] = d;
  } else {
    list.push_back(d);
  }
  return true;
}

}  // namespace heddle::mutator
