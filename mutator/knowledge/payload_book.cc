#include "mutator/knowledge/payload_book.h"

#include <algorithm>
#include <cstring>

namespace heddle::mutator {
namespace {

constexpr uint32_t kNowhere = ~0u;

uint64_t number(const Comparison& c, int side) {
  uint64_t value = 0;
  std::memcpy(&value, c.side[side], std::min<size_t>(c.size[side], sizeof value));
  return value;
}

// The result of the comparison, and its place.
uint64_t outcome_of(const Comparison& c) {
  const uint64_t place = mix(c.place, c.kind);
  if (c.kind == static_cast<uint8_t>(ComparisonKind::strings)) {
    const size_t size = std::min(c.size[0], c.size[1]);
    size_t alike = 0;
    while (alike < size && c.side[0][alike] == c.side[1][alike]) ++alike;
    return mix(place, alike + (alike == size && c.size[0] == c.size[1] ? 100 : 0));
  }
  const uint64_t a = number(c, 0), b = number(c, 1);
  if (a == b) return mix(place, mix(0xE0, c.kind == static_cast<uint8_t>(ComparisonKind::constant) ? b : 0));
  return mix(place, a < b);
}

bool same_bytes(const std::vector<uint8_t>& a, std::span<const uint8_t> b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

void assign(PayloadBook::Known& known, std::span<const uint8_t> payload, uint64_t reads, std::span<const Comparison> comparisons) {
  known.bytes.assign(payload.begin(), payload.end());
  known.reads = reads;
  known.comparisons.assign(comparisons.begin(), comparisons.end());
}

}  // namespace

void PayloadBook::learn(std::span<const uint8_t> payload, uint64_t reads, std::span<const Comparison> comparisons, bool novel) {
  read_ = true;
  if (payload.empty() || payload.size() > kLongest) return;
  uint32_t place = kNowhere;
  for (const Comparison& c : comparisons) {
    const uint64_t outcome = outcome_of(c);
    uint64_t& before = before_[c.place % kPlaces];
    reach(outcome, payload, reads, comparisons, place);
    if (before != 0) reach(mix(before, outcome), payload, reads, comparisons, place);
    before = outcome;
  }
  for (const Comparison& c : comparisons) before_[c.place % kPlaces] = 0;
  if (novel) keep_recent(payload, reads, comparisons);
}

void PayloadBook::reach(uint64_t outcome, std::span<const uint8_t> payload, uint64_t reads, std::span<const Comparison> comparisons, uint32_t& place) {
  const auto it = outcomes_.find(outcome);
  if (it != outcomes_.end() && reached_[it->second].bytes.size() <= payload.size()) return;
  if (it == outcomes_.end() && outcomes_.size() == kMostOutcomes) return;
  if (place == kNowhere) {
    place = new_place();
    if (place == kNowhere) return;
    assign(reached_[place], payload, reads, comparisons);
  }
  if (it != outcomes_.end() && --reached_[it->second].outcomes == 0) free_.push_back(it->second);
  outcomes_[outcome] = place;
  ++reached_[place].outcomes;
}

uint32_t PayloadBook::new_place() {
  uint32_t place = kNowhere;
  if (!free_.empty()) {
    place = free_.back();
    free_.pop_back();
  } else if (reached_.size() < kMostReached) {
    place = static_cast<uint32_t>(reached_.size());
    reached_.emplace_back();
  } else {
    return place;
  }
  uint32_t least = kNowhere;
  for (const Known& known : reached_) {
    if (known.outcomes != 0) least = std::min(least, known.uses);
  }
  reached_[place].uses = least != kNowhere && least > kHeadStart ? least - kHeadStart : 0;
  return place;
}

// Stores each payload once, even if many novel schedules have it.
void PayloadBook::keep_recent(std::span<const uint8_t> payload, uint64_t reads, std::span<const Comparison> comparisons) {
  for (Known& known : recent_) {
    if (same_bytes(known.bytes, payload)) return assign(known, payload, reads, comparisons);
  }
  if (recent_.size() < kMostRecent) recent_.emplace_back();
  Known& known = recent_[next_++ % kMostRecent];
  assign(known, payload, reads, comparisons);
  known.uses = 0;
}

const PayloadBook::Known* PayloadBook::draw(Rng& rng) {
  const size_t reached = reached_.size() - free_.size();
  if (recent_.empty() && reached == 0) return nullptr;
  std::vector<Known>& from = recent_.empty() || (reached != 0 && rng.chance(1, 3)) ? reached_ : recent_;
  const auto kept = [&](const Known& known) { return &from == &recent_ || known.outcomes != 0; };
  Known* known = &from[rng.below(static_cast<uint32_t>(from.size()))];
  if (rng.chance(1, 2) || !kept(*known)) {
    known = nullptr;
    for (Known& other : from) {
      if (kept(other) && (known == nullptr || other.uses < known->uses)) known = &other;
    }
  }
  ++known->uses;
  return known;
}

}  // namespace heddle::mutator
