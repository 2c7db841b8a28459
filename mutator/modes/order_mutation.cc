#include "mutator/modes/order_mutation.h"

#include <algorithm>

namespace heddle::mutator {
namespace {

constexpr int kRoundsWithoutNews = 5;

// Rules may put two operations of one thread next to each other. In the wrong order they would block each other.
bool proper(const OrderSource& source, const EventChain& chain) {
  for (size_t i = 1; i < chain.size(); ++i) {
    if (source.thread(chain[i - 1]) == source.thread(chain[i]) &&
        source.relations().must_precede(chain[i], chain[i - 1])) {
      return false;
    }
  }
  return true;
}

// Of the items from `begin` on, only `wanted` are kept.
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
  // More distant operations are less likely. Sometimes rule 3 adds one.
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

Mutants::Mutants(const OrderSource& source, const EventChain& start, uint32_t count)
    : source_(source), count_(count), all_{start}, known_{start} {}

bool Mutants::next(EventChain& chain, Rng& rng) {
  // Works in steps, because mostly only the first few chains are needed.
  if (given_ == all_.size() && all_.size() < count_) grow(std::min(4 * std::max<size_t>(all_.size(), 2), count_), rng);
  if (given_ >= std::min(all_.size(), count_)) return false;
  chain = all_[given_++];
  return true;
}

void Mutants::grow(size_t size, Rng& rng) {
  const OrderRules& rules = source_.rules();
  for (int without_news = 0; all_.size() < size && without_news < kRoundsWithoutNews;) {
    next_.clear();
    // Old chains are mutated again, with new random decisions. All of them, or a random window that gives enough choice.
    const size_t wanted = size - all_.size(), from = rng.below(static_cast<uint32_t>(all_.size()));
    for (size_t i = 0; i < all_.size() && next_.size() < 2 * wanted; ++i) {
      const EventChain& c = all_[(from + i) % all_.size()];
      made_.clear();
      abridge_chain(source_, c, rng, made_);
      if (rules.flip) flip_chain(source_, c, rng, made_);
      if (c.size() <= rules.bound && rng.chance(1, 2)) substitute_chain(source_, c, rng, made_);
      if (c.size() <= rules.bound && rng.chance(1, 2)) augment_chain(source_, c, rng, made_);
      for (const EventChain& m : made_) {
        if (!known_.contains(m) && std::find(next_.begin(), next_.end(), m) == next_.end()) next_.push_back(m);
      }
    }
    without_news = next_.empty() ? without_news + 1 : 0;
    draw_some(next_, 0, wanted, rng);
    for (const EventChain& c : next_) known_.insert(c);
    all_.insert(all_.end(), next_.begin(), next_.end());
  }
}

}  // namespace heddle::mutator
