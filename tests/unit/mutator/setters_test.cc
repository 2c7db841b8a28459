// "N setters each set a, then b; one checker asserts that it never sees one without the other", in a model of the runtime:
// plain accesses, visible or not, chains and reads-from constraints as held operations, a random walk for
// the rest. How many executions until the assertion fails must not depend on N (docs/design/strategies.md#what-the-field-has-learned).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "mutator/mutator.h"
#include "parent.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

enum : SiteId { kWriteA = 21, kWriteB = 22, kReadA1 = 31, kReadB1 = 32, kReadA2 = 33, kReadB2 = 34 };

// One execution. The checker: assert((a == 0 && b == 0) || (a == 1 && b == -1)), as the compiler makes it.
class Model {
 public:
  Model(const Schedule& s, uint32_t setters) : s_(s), rng_(s.seed), step_(setters + 1) {
    for (const Element& e : s_.elements) chains_[e.chain].push_back(e);
  }

  bool run() {
    for (;;) {
      std::vector<uint32_t> free, held;
      for (uint32_t t = 0; t < step_.size(); ++t) {
        if (site(t) == 0) continue;
        (holds(t) ? held : free).push_back(t);
      }
      if (free.empty() && held.empty()) break;
      if (free.empty()) {
        for (int i = 0; i < 16; ++i) abandoned_[i] |= position_[i] > 0 || !chains_[i].empty();
        negatives_ = false;
      }
      const auto& from = free.empty() ? held : free;
      uint32_t t = from[rng_.below(static_cast<uint32_t>(from.size()))];
      do {
        step(t);
      } while (site(t) != 0 && !visible(site(t)));  // an invisible access is no choice point
    }
    races();
    return failed_;
  }

  Parent parent;

 private:
  static Kind kind(SiteId site) { return site >= kReadA1 ? Kind::plain_read : Kind::plain_write; }
  static uint32_t variable(SiteId site) { return site == kWriteA || site == kReadA1 || site == kReadA2 ? 1 : 2; }
  bool visible(SiteId site) const {
    return std::find(s_.visible_plain.begin(), s_.visible_plain.end(), site) != s_.visible_plain.end();
  }
  // The next access of a thread: thread 0 is the checker. The start of a thread counts as visible.
  SiteId site(uint32_t t) const {
    if (t == 0) return failed_ ? 0 : next_read_;
    return step_[t] == 0 ? kWriteA : step_[t] == 1 ? kWriteB : 0;
  }
  static bool matches(const Element& e, uint32_t t, SiteId site) {
    return e.site == site && e.kind == kind(site) && (e.thread == 0 || e.thread == Parent::id(t)) && e.occurrence <= 1;
  }
  bool holds(uint32_t t) const {
    const SiteId at = site(t);
    if (!visible(at)) return false;
    for (int id = 0; id < 16; ++id) {
      if (abandoned_[id]) continue;
      for (size_t i = position_[id]; i < chains_[id].size(); ++i) {
        if (!matches(chains_[id][i], t, at)) continue;
        if (i > position_[id]) return true;
        break;
      }
    }
    if (negatives_) {
      for (const ReadsFrom& rf : s_.reads_from) {
        if (!matches(rf.read, t, at)) continue;
        const bool now = writer_[variable(at)] == rf.write.site;
        if (now == (rf.negative != 0)) return true;
      }
    }
    return false;
  }
  void step(uint32_t t) {
    const SiteId at = site(t);
    if (visible(at)) {
      parent.add(t, at, kind(at), variable(at));
      for (int id = 0; id < 16; ++id) {
        if (!abandoned_[id] && position_[id] < chains_[id].size() && matches(chains_[id][position_[id]], t, at)) {
          ++position_[id];
        }
      }
    }
    seen_[at - 20] = true;
    if (t != 0) {
      (at == kWriteA ? a_ : b_) = at == kWriteA ? 1 : -1;
      writer_[variable(at)] = at;
      ++step_[t];
      return;
    }
    switch (at) {
      case kReadA1: next_read_ = a_ == 0 ? kReadB1 : kReadA2; break;
      case kReadB1: next_read_ = b_ == 0 ? SiteId{0} : kReadA2; break;
      case kReadA2: next_read_ = kReadB2; failed_ |= a_ != 1; break;
      case kReadB2: next_read_ = 0; failed_ |= b_ != -1; break;
    }
  }
  // Everything that was passed races with the conflicting writes, at any position.
  void races() {
    const auto pair = [&](SiteId w, SiteId r, bool writes) {
      if (seen_[w - 20] && seen_[r - 20]) parent.races.push_back({w, r, variable(w), 1, writes, {}, {}});
    };
    for (SiteId w : {kWriteA, kWriteB}) {
      for (SiteId r : {kReadA1, kReadB1, kReadA2, kReadB2}) {
        if (variable(w) == variable(r)) pair(w, r, false);
      }
      if (step_.size() > 2) pair(w, w, true);
    }
  }

  const Schedule& s_;
  Rng rng_;
  std::vector<uint32_t> step_;
  Chain chains_[16];
  size_t position_[16] = {};
  bool abandoned_[16] = {};
  bool negatives_ = true;
  bool failed_ = false;
  bool seen_[16] = {};
  int a_ = 0, b_ = 0;
  SiteId writer_[3] = {};
  SiteId next_read_ = kReadA1;
};

// Executions until the assertion fails, for a campaign as libFuzzer runs it.
// Without an opening: the model knows no strategies and no delays, so this is about the moves.
uint32_t executions(uint32_t setters, uint32_t seed) {
  Options options;
  options.opening = 0;
  Mutator m(options);
  Rng rng(seed);
  std::vector<std::vector<uint8_t>> corpus{{}};
  std::vector<uint8_t> input;
  uint32_t events_seen = 0;
  for (uint32_t n = 1; n <= 1000; ++n) {
    Schedule s;
    decode_schedule(input, s);
    Model model(s, setters);
    if (model.run()) return n;
    model.parent.hash = hash_input(input);
    const uint32_t feature = static_cast<uint32_t>(std::min<size_t>(model.parent.events.size(), 4));
    const bool novel = n == 1 || (events_seen >> feature & 1) == 0;
    events_seen |= 1u << feature;
    model.parent.flags = novel ? kRunNovel : 0u;
    m.learn(model.parent.summary(), input);
    if (novel) corpus.push_back(input);
    if (n % 5 == 0) input = corpus[rng.below(static_cast<uint32_t>(corpus.size()))];
    const size_t size = input.size();
    input.resize(4096);
    input.resize(m.mutate(input.data(), size, 4096, static_cast<uint32_t>(rng.next())));
  }
  return 1000;
}

TEST(Setters, FoundWithinThirtyExecutionsWhateverTheirNumber) {
  for (uint32_t setters : {3u, 10u, 100u}) {
    std::vector<uint32_t> counts;
    for (uint32_t seed = 1; seed <= 201; ++seed) counts.push_back(executions(setters, seed));
    std::sort(counts.begin(), counts.end());
    double mean = 0;
    for (uint32_t c : counts) mean += c;
    std::printf("%u setters: median %u, mean %.1f, worst %u\n", setters, counts[counts.size() / 2], mean / 201, counts.back());
    EXPECT_LE(counts[counts.size() / 2], 30u);
    EXPECT_LE(mean / 201, 30.0);
  }
}

}  // namespace
}  // namespace heddle::mutator
