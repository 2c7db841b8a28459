// Cuts chains to what comes true in walks through the parent's run, together with the schedule's
// other chains. What would fail holds threads back in vain until nothing else can run, and then the
// rest of its chain is lost.
#include <algorithm>
#include <span>

#include "mutator/knowledge/foresight.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {
namespace {

constexpr int kWalks = 1;

// The walks know nothing of time.
bool time_passes(const KnownRun& run) {
  return std::any_of(run.events.begin(), run.events.end(), [](const Event& e) {
    return e.kind == Kind::sleep || e.kind == Kind::clock_jump || e.outcome == Outcome::timeout || e.outcome == Outcome::interrupted;
  });
}

}  // namespace

void keep_foreseen(Context& c) {
  Schedule& s = c.schedule;
  if (!c.run || s.elements.empty() || time_passes(c.run->run())) return;
  Foresight foresight(c.run->run(), 0, nullptr);
  std::vector<uint8_t> ids;
  std::vector<Chain> chains;
  for (const Element& e : s.elements) {
    if (std::find(ids.begin(), ids.end(), e.chain) != ids.end()) continue;
    Chain chain = get_chain(s, e.chain);
    if (!foresight.add(std::span<const Element>(chain))) return;
    ids.push_back(e.chain);
    chains.push_back(std::move(chain));
  }
  for (int i = 0; i < kWalks; ++i) foresight.walk(c.rng);
  for (size_t k = 0; k < ids.size(); ++k) {
    const size_t n = foresight.realised(k);
    if (n == chains[k].size()) continue;
    // What comes after the element that does not come would be held until nothing else can go. That
    // may be what a bug needs, and a delay says it without a chain that fails.
    if (n + 1 < chains[k].size() && s.delays.size() < c.options.max_delays) {
      Element held = chains[k][n + 1];
      held.chain = held.thread_var = 0;
      s.delays.push_back({held, {}});
    }
    chains[k].resize(n < 2 ? 0 : n);
    put_chain(s, ids[k], chains[k]);
  }
}

}  // namespace heddle::mutator
