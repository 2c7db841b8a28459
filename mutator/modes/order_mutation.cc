#include "mutator/modes/order_mutation.h"

#include <algorithm>
#include <unordered_set>

namespace heddle::mutator {
namespace {

constexpr int kRoundsWithoutNews = 5;

struct HashChain {
  size_t operator()(const EventChain& chain) const {
    uint64_t h = chain.size();
    for (uint32_t e : chain) h = mix(h, e);
    return h;
  }
};

bool contains(const EventChain& chain, uint32_t e) { return std::find(chain.begin(), chain.end(), e) != chain.end(); }

// Rules may bring two operations of one thread together; backwards they would hold each other up.
bool proper(const OrderSource& source, const EventChain& chain) {
  for (size_t i = 1; i < chain.size(); ++i) {
    if (source.thread(chain[i - 1]) == source.thread(chain[i]) &&
        source.relations().must_precede(chain[i], chain[i - 1])) {
      return false;
    }
  }
  return true;
}

template <typename T>
void draw_some(std::vector<T>& items, size_t wanted, Rng& rng) {
  for (size_t i = 0; i < wanted && i + 1 < items.size(); ++i) {
    std::swap(items[i], items[i + rng.below(static_cast<uint32_t>(items.size() - i))]);
  }
  if (items.size() > wanted) items.resize(wanted);
}

}  // namespace

std::vector<EventChain> abridged(const OrderSource& source, const EventChain& chain) {
  std::vector<EventChain> out;
  if (chain.size() < 2) return out;
  for (EventChain c : {EventChain(chain.begin() + 1, chain.end()), EventChain(chain.begin(), chain.end() - 1)}) {
    if (proper(source, c)) out.push_back(std::move(c));
  }
  return out;
}

std::vector<EventChain> flipped(const OrderSource& source, const EventChain& chain, Rng& rng) {
  std::vector<EventChain> out;
  for (size_t i = 1; i < chain.size(); ++i) {
    EventChain c = chain;
    std::swap(c[i - 1], c[i]);
    if (proper(source, c)) out.push_back(std::move(c));
  }
  draw_some(out, source.rules().per_rule, rng);
  return out;
}

std::vector<EventChain> substituted(const OrderSource& source, const EventChain& chain, Rng& rng) {
  std::vector<EventChain> out;
  for (size_t i = 0; i < chain.size(); ++i) {
    for (uint32_t other : source.neighbours(chain[i])) {
      if (contains(chain, other)) continue;
      EventChain c = chain;
      c[i] = other;
      if (proper(source, c)) out.push_back(std::move(c));
    }
  }
  draw_some(out, source.rules().per_rule, rng);
  return out;
}

std::vector<EventChain> augmented(const OrderSource& source, const EventChain& chain, Rng& rng) {
  const uint32_t tail = chain.back();
  EventChain found = source.related(tail, source.rules().per_rule, rng);
  // The further away, the less likely: one by rule 3 now and then. With happens-before only what is concurrent counts.
  if (rng.chance(1, 2)) {
    const uint32_t distant = source.distantly_related(tail, rng);
    if (distant != kNone) found.push_back(distant);
  }
  draw_some(found, source.rules().per_rule, rng);
  std::vector<EventChain> out;
  for (uint32_t e : found) {
    if (contains(chain, e) || (source.rules().happens_before && !source.concurrent(tail, e))) continue;
    EventChain c = chain;
    c.push_back(e);
    out.push_back(std::move(c));
  }
  return out;
}

std::vector<EventChain> mutants(const OrderSource& source, const EventChain& start, uint32_t count, Rng& rng) {
  const OrderRules& rules = source.rules();
  std::vector<EventChain> all{start}, next;
  std::unordered_set<EventChain, HashChain> known{start};
  const auto offer = [&](std::vector<EventChain> chains) {
    for (EventChain& c : chains) {
      if (known.insert(c).second) next.push_back(std::move(c));
    }
  };
  for (int without_news = 0; all.size() < count && without_news < kRoundsWithoutNews;) {
    next.clear();
    for (const EventChain& c : all) {  // old ones too, with fresh coins
      offer(abridged(source, c));
      if (rules.flip) offer(flipped(source, c, rng));
      if (c.size() <= rules.bound && rng.chance(1, 2)) offer(substituted(source, c, rng));
      if (c.size() <= rules.bound && rng.chance(1, 2)) offer(augmented(source, c, rng));
    }
    without_news = next.empty() ? without_news + 1 : 0;
    draw_some(next, count - all.size(), rng);
    for (EventChain& c : next) all.push_back(std::move(c));
  }
  return all;
}

}  // namespace heddle::mutator
