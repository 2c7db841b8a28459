#include "mutator/knowledge/foresight.h"

#include <algorithm>

#include "mutator/knowledge/order_walk.h"

namespace heddle::mutator {

bool Foresight::begin(uint32_t length) {
  if (length == 0 || used_ + length > kMostElements) return false;
  chains_.push_back({used_, length, length, 0, false});
  used_ += length;
  return true;
}

bool Foresight::add(std::span<const Element> chain) {
  if (!begin(static_cast<uint32_t>(chain.size()))) return false;
  const uint32_t first = chains_.back().first;
  for (uint32_t e = 0; e < run_.events.size(); ++e) {
    const Event& event = run_.events[e];
    for (uint32_t i = 0; i < chain.size(); ++i) {
      const Element& x = chain[i];
      if (x.site != event.site || x.kind != event.kind ||
          (x.occurrence != 0 && x.occurrence != event.occurrence))
        continue;
      if (x.thread != kAnyThread && x.thread != run_.threads[event.thread].id) continue;
      if (masks_[e] == 0) matched_.push_back(e);
      masks_[e] |= uint64_t{1} << (first + i);
    }
  }
  return true;
}

bool Foresight::add(std::span<const uint32_t> chain) {
  if (!begin(static_cast<uint32_t>(chain.size()))) return false;
  for (uint32_t i = 0; i < chain.size(); ++i) {
    if (masks_[chain[i]] == 0) matched_.push_back(chain[i]);
    masks_[chain[i]] |= uint64_t{1} << (chains_.back().first + i);
  }
  return true;
}

bool Foresight::is_held(uint64_t mask) const {
  return std::any_of(chains_.begin(), chains_.end(), [mask](const Chain& c) {
    const uint64_t own = c.over ? 0 : rest(c, mask);
    return own != 0 && (own & 1) == 0;
  });
}

bool Foresight::advance(uint64_t mask) {
  bool moved = false;
  for (Chain& c : chains_) {
    if (c.over || (rest(c, mask) & 1) == 0) continue;
    c.over = ++c.current == c.length;
    moved = true;
  }
  return moved;
}

bool Foresight::give_up(uint64_t mask) {
  for (Chain& c : chains_) {
    const uint64_t own = c.over ? 0 : rest(c, mask);
    if (own == 0 || (own & 1) != 0) continue;
    c.over = true;
    return true;
  }
  return false;
}

void Foresight::hold(OrderWalk& walk) const {
  for (const uint32_t e : matched_) is_held(masks_[e]) ? walk.hold(e) : walk.release(e);
}

void Foresight::walk(Rng& rng) {
  OrderWalk walk(run_, time_, branches_);
  walk.divert(diverted_);
  for (Chain& c : chains_) c.current = 0, c.over = false;
  for (const uint32_t e : matched_) {  // in the order of the run
    if (walk.done(e)) advance(masks_[e]);
  }
  hold(walk);
  const auto over = [this] {
    return std::all_of(chains_.begin(), chains_.end(), [](const Chain& c) { return c.over; });
  };
  uint32_t steps = kMostSteps;
  while (!over()) {
    if (steps-- == 0) return;
    bool moved = false;
    if (walk.wander(rng)) {
      for (const uint32_t e : walk.went()) moved |= masks_[e] != 0 && advance(masks_[e]);
    } else {
      // As the engine's ladder: an element that is blocked in its primitive counts as done; then
      // the oldest held thread's chain is given up.
      for (uint32_t t = 0; t < walk.threads() && !moved; ++t) {
        const uint32_t e = walk.at(t);
        moved =
            e != kNone && masks_[e] != 0 && !walk.held(e) && walk.blocked(e) && advance(masks_[e]);
      }
      for (uint32_t t = 0; t < walk.threads() && !moved; ++t) {
        const uint32_t e = walk.at(t);
        moved = e != kNone && masks_[e] != 0 && walk.held(e) && give_up(masks_[e]);
      }
      if (!moved) break;
    }
    if (moved) hold(walk);
  }
  for (Chain& c : chains_) c.least = std::min(c.least, c.current);
}

}  // namespace heddle::mutator
