#include "mutator/modes/gfuzz_interest.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::mutator {

namespace {

constexpr double kWeight = 10;  // of all terms but the first
constexpr double kFullChildren = 5;
constexpr double kDivergence = 0.5;
constexpr uint64_t kAnyChoice = 1ull << 40;  // beyond every Event::choice

enum : uint8_t { kMade = 1, kClosed = 2, kLeftOpen = 4 };

uint8_t state_of(const ChannelRecord& c) {
  return static_cast<uint8_t>((c.made != 0 ? kMade : 0) | (c.closed != 0 ? kClosed : kLeftOpen));
}

// True: at least one of the bits is new.
bool learn_bits(std::unordered_map<SiteId, uint8_t>& known, SiteId site, uint8_t bits) {
  uint8_t& seen = known[site];
  const bool news = (bits & ~seen) != 0;
  seen |= bits;
  return news;
}

template <typename T>
bool learn_maximum(std::unordered_map<SiteId, T>& known, SiteId site, T value) {
  T& most = known[site];
  if (value <= most) return false;
  most = value;
  return true;
}

}  // namespace

Verdict PaperInterest::learn(const ChannelOps& ops) {
  const KnownRun& run = ops.run();
  Verdict v;
  if (run.channels.empty()) return v;
  std::unordered_map<uint64_t, uint32_t> counts;
  std::unordered_map<uint32_t, uint64_t> last;  // by channel
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    const ChannelOp op = e.finished() ? ops.op(i) : ChannelOp::none;
    const ChannelRecord* c = op != ChannelOp::none ? ops.channel(e.object) : nullptr;
    if (c == nullptr) continue;
    const uint64_t id = mix(c->site, static_cast<uint64_t>(op));
    uint64_t& previous = last[e.object];
    if (previous != 0) ++counts[mix(previous, id)];
    previous = id;
  }
  for (const auto& [pair, count] : counts) {
    const auto n = static_cast<uint32_t>(std::bit_width(count - 1));
    uint32_t& seen = buckets_[pair];
    v.interesting |= (seen >> n & 1) == 0;
    seen |= 1u << n;
    v.score += std::log2(count);
  }
  for (const ChannelRecord& c : run.channels) {
    v.interesting |= learn_bits(channels_, c.site, state_of(c));
    v.score += kWeight * ((c.made != 0) + (c.closed != 0));
    if (c.capacity == 0) continue;
    const double fullness = static_cast<double>(c.peak) / c.capacity;
    v.interesting |= learn_maximum(fullness_, c.site, fullness);
    v.score += kWeight * fullness;
  }
  return v;
}

Verdict HbInterest::learn(const ChannelOps& ops, const SelectOrder& order) {
  const KnownRun& run = ops.run();
  Verdict v;
  if (run.channels.empty() && order.empty()) return v;
  std::unordered_map<uint64_t, uint32_t> counts;
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (e.kind == Kind::select) v.interesting |= choices_.insert(mix(e.site, kAnyChoice)).second;
    if (!e.finished()) continue;
    const ChannelOp op = ops.op(i);
    if (op == ChannelOp::close) v.score += kWeight;
    // Counts each value once, where it is received. A failed receive has the close as its partner.
    if (op == ChannelOp::receive && e.outcome != Outcome::failure && e.partner != kNoEvent) {
      ++counts[mix(run.events[e.partner].site, e.site)];
    }
    if (e.kind == Kind::select) v.interesting |= choices_.insert(mix(e.site, e.choice)).second;
  }
  for (const auto& [choice, candidates] : order) {
    if (choice.kind != Kind::select) {
      v.interesting |= choices_.insert(mix(mix(choice.site, static_cast<uint64_t>(choice.kind)), static_cast<uint32_t>(choice.choice))).second;
    }
    v.score += kWeight * possible_others(candidates, choice.choice);
  }
  for (const auto& [pair, count] : counts) {
    Average& known = pairs_[pair];
    if (known.runs == 0) {
      v.interesting = true;
    } else {
      const double average = static_cast<double>(known.total) / static_cast<double>(known.runs);
      v.interesting |= std::abs(count - average) >= kDivergence * average;
    }
    known.total += count;
    ++known.runs;
    v.score += std::log2(count);
  }
  for (const ChannelRecord& c : run.channels) {
    v.interesting |= learn_bits(channels_, c.site, state_of(c));
    v.score += kWeight * (c.made != 0);
    if (c.capacity == 0) continue;
    v.interesting |= learn_maximum(queues_, c.site, c.peak);
    v.score += kWeight * c.peak;
  }
  return v;
}

uint32_t gfuzz_children(double score, double best) {
  if (best <= 0) return static_cast<uint32_t>(kFullChildren);
  return static_cast<uint32_t>(std::ceil(kFullChildren * std::min(1.0, score / best)));
}

}  // namespace heddle::mutator
