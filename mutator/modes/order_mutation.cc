#include "mutator/modes/order_mutation.h"

#include <algorithm>
#include <unordered_set>

namespace heddle::mutator {
namespace {

constexpr int kRoundsWithoutNews = 5;

struct HashChain {
  size_t operator()(const EventChain& chain) const { return chain.hash(); }
};

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

// Of the items from `begin` on, `wanted` stay.
template <typename T>
void draw_some(std::vector<T>& items, size_t begin, size_t wanted, Rng& rng) {
  if (items.size() <= begin + wanted) return;
  for (size_t i = begin; i < begin + wanted; ++i) {
    std::swap(items[i], items[i + rng.below(static_cast<uint32_t>(items.size() - i))]);
  }
  items.resize(begin + wanted);
}

void add_proper(const OrderSource& source, const EventChain& chain, std::vector<EventChain>& out) {
  if (proper(source, chain)) out.push_back(chain);
}

}  // namespace

void abridge_chain(const OrderSource& source, const EventChain& chain, Rng&, std::vector<EventChain>& out) {
  if (chain.size() < 2) return;
  add_proper(source, EventChain(chain.begin() + 1, chain.end()), out);
  add_proper(source, EventChain(chain.begin(), chain.end() - 1), out);
}

void flip_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out) {
  const size_t begin = out.size();
  for (size_t i = 1; i < chain.size(); ++i) {
    EventChain c = chain;
    std::swap(c[i - 1], c[i]);
    add_proper(source, c, out);
  }
  draw_some(out, begin, source.rules().per_rule, rng);
}

void substitute_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out) {
  const size_t begin = out.size();
  for (size_t i = 0; i < chain.size(); ++i) {
    for (uint32_t other : source.neighbours(chain[i])) {
      if (chain.contains(other)) continue;
      EventChain c = chain;
      c[i] = other;
      add_proper(source, c, out);
    }
  }
  draw_some(out, begin, source.rules().per_rule, rng);
}

void augment_chain(const OrderSource& source, const EventChain& chain, Rng& rng, std::vector<EventChain>& out) {
  const uint32_t tail = chain.back();
  std::vector<uint32_t> found = source.related(tail, source.rules().per_rule, rng);
  // The further away, the less likely: one by rule 3 now and then.
  if (rng.chance(1, 2)) {
    const uint32_t distant = source.distantly_related(tail, rng);
    if (distant != kNone) found.push_back(distant);
  }
  draw_some(found, 0, source.rules().per_rule, rng);
  for (uint32_t e : found) {
    if (chain.contains(e) || (source.rules().happens_before && !source.concurrent(tail, e))) continue;
    out.push_back(chain);
    out.back().push_back(e);
  }
}

std::vector<EventChain> mutants(const OrderSource& source, const EventChain& start, uint32_t count, Rng& rng) {
  const OrderRules& rules = source.rules();
  std::vector<EventChain> all{start}, next, made;
  std::unordered_set<EventChain, HashChain> known{start};
  for (int without_news = 0; all.size() < count && without_news < kRoundsWithoutNews;) {
    next.clear();
    // Old ones too, with fresh coins; all of them, or as many as give a choice, from anywhere on.
    const size_t wanted = count - all.size(), from = rng.below(static_cast<uint32_t>(all.size()));
    for (size_t i = 0; i < all.size() && next.size() < 2 * wanted; ++i) {
      const EventChain& c = all[(from + i) % all.size()];
      made.clear();
      abridge_chain(source, c, rng, made);
      if (rules.flip) flip_chain(source, c, rng, made);
      if (c.size() <= rules.bound && rng.chance(1, 2)) substitute_chain(source, c, rng, made);
      if (c.size() <= rules.bound && rng.chance(1, 2)) augment_chain(source, c, rng, made);
      for (const EventChain& m : made) {
        if (known.insert(m).second) next.push_back(m);
      }
    }
    without_news = next.empty() ? without_news + 1 : 0;
    draw_some(next, 0, wanted, rng);
    all.insert(all.end(), next.begin(), next.end());
  }
  return all;
}

}  // namespace heddle::mutator
