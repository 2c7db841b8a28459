#include "mutator/modes/order_start.h"

#include <algorithm>
#include <cmath>

namespace heddle::mutator {
namespace {

constexpr int kDraws = 1000;

bool add_new(std::vector<EventChain>& chains, EventChain chain) {
  if (std::find(chains.begin(), chains.end(), chain) != chains.end()) return false;
  chains.push_back(std::move(chain));
  return true;
}

std::vector<EventChain> pairs(const OrderSource& source, Rng& rng) {
  std::vector<EventChain> chains;
  for (uint32_t tries = 0; tries < 8 * kStartChains && chains.size() < kStartChains; ++tries) {
    const uint32_t a = source.relations().draw_shared(rng);
    if (!source.eligible(a)) continue;
    const auto b = source.related(a, 1, rng);
    if (!b.empty()) add_new(chains, {a, b[0]});
  }
  return chains;
}

// Never negative. In the original, noise could change its sign (docs/design/gopie.md#what-heddle-corrects).
double quality(const OrderSource& source, uint32_t e) {
  const double same = source.concurrent_on_object(e), all = source.concurrent_anywhere(e);
  return 0.2 * std::log1p(source.on_object(e)) + 0.3 * same / (all + 1) + 0.5 * std::log1p(all);
}

// The smallest keys of a set are a weighted sample without replacement (Efraimidis and Spirakis 2006).
double draw_key(double weight, Rng& rng) { return -std::log((rng.below(1u << 20) + 1) / double{1u << 20}) / weight; }

// A concurrent operation of another thread on the object that is not in the chain; kNone.
uint32_t concurrent_partner(const OrderSource& source, const EventChain& chain, bool only_concurrent, Rng& rng) {
  uint32_t other = kNone;
  for (uint32_t p : source.related(chain.back(), 12, rng)) {
    if (chain.contains(p)) continue;
    if (source.concurrent(chain.back(), p) && (other == kNone || rng.chance(1, 2))) return p;
    if (!only_concurrent) other = p;
  }
  return other;
}

// Random, and not the best ones: an important pair may be next to many busy operations (docs/design/gopie.md#start-chains). The draw gives
// each site the same share, so many operations at one site count no more than a single operation at another.
std::vector<EventChain> good_chains(const OrderSource& source, Rng& rng) {
  struct Candidate {
    double key;
    uint32_t event;
  };
  std::vector<Candidate> candidates;
  std::vector<double> known(source.run().events.size(), -1);  // quality; 0: no start
  for (int i = 0; i < kDraws; ++i) {
    const uint32_t e = source.relations().draw_shared(rng);
    if (known[e] < 0) known[e] = source.eligible(e) && source.concurrent_on_object(e) != 0 ? quality(source, e) : 0;
    if (known[e] > 0) candidates.push_back({draw_key(known[e], rng), e});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.key != b.key ? a.key < b.key : a.event < b.event;
  });
  std::vector<EventChain> chains;
  // If there are few elements, several chains start from one element.
  for (uint32_t i = 0; !candidates.empty() && i < 4 * kStartChains && chains.size() < kStartChains; ++i) {
    EventChain chain{candidates[i % candidates.size()].event};
    uint32_t next = concurrent_partner(source, chain, false, rng);
    for (uint32_t round = 0; next != kNone && round < kStartRounds; ++round) {
      chain.push_back(next);
      // Most bugs need two or three operations. So each further one is added with probability 1/2.
      next = rng.chance(1, 2) ? concurrent_partner(source, chain, true, rng) : kNone;
    }
    if (chain.size() >= 2) add_new(chains, std::move(chain));
  }
  return chains;
}

}  // namespace

std::vector<EventChain> start_chains(const OrderSource& source, Rng& rng) {
  if (source.relations().shared().empty()) return {};
  return source.rules().happens_before ? good_chains(source, rng) : pairs(source, rng);
}

double concurrency_score(const OrderSource& source, const EventChain& chain) {
  double score = 0;
  for (uint32_t e : chain) score += source.concurrent_on_object(e);
  return score;
}

}  // namespace heddle::mutator
