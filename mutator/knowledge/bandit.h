// The recent success of each move, and the weights for the draw of moves that follow from it.
//
// An arm is a move. Its prior is its default weight. If a child is novel, the moves that made it share the credit, as they share the use. Both
// sums decay: a child counts half after some 1,400 others. The factor of an arm is its contribution, divided by what the average move would
// have contributed in its place. With few data the factor is drawn towards 1, and it always stays in [1/4, 4]. So late in a campaign, when little
// is new, the priors decide, and no arm starves.
//
// Deterministic for the same sequence of results. It steers what mutators write, never what an input does.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mutator/rng.h"

namespace heddle::mutator {

class Bandit {
 public:
  using Arms = uint64_t;  // a bit for each
  static constexpr size_t kMaxArms = 64;
  static constexpr uint32_t kOne = 256;  // a factor of 1
  static constexpr uint32_t kFloor = kOne / 4, kCeiling = kOne * 4;

  struct Figures {
    uint64_t used = 0;   // children made with it
    uint64_t novel = 0;  // of those, novel ones
  };

  // At most kMaxArms priors, of at most 2^22 in all. An arm with a prior of 0 is never drawn, but its figures are kept.
  explicit Bandit(std::span<const uint32_t> priors);

  // These arms made the child with this hash. It may run soon.
  void made(uint64_t child, Arms arms);
  // An input has run. Inputs that were not made here are ignored.
  void ran(uint64_t input, bool novel);

  // Draws an arm by weight. REQUIRES: some prior is not 0.
  size_t draw(Rng& rng) const;
  // Decides for or against an arm with the prior odds `a` of `of`. While the factor is 1, this is rng.chance(a, of).
  bool chance(size_t arm, uint32_t a, uint32_t of, Rng& rng) const;

  bool empty() const { return cumulative_.empty() || cumulative_.back() == 0; }
  uint32_t factor(size_t arm) const { return factor_[arm]; }
  // The probability that a draw gives this arm.
  double share(size_t arm) const;
  const Figures& figures(size_t arm) const { return arms_[arm].figures; }
  // A heading and a line for each arm that was used: its name, used, novel, current share of the draws. Empty if none was used.
  std::string table(std::span<const std::string_view> names) const;

 private:
  static constexpr double kMemory = 2000;      // children: after so many, an old child's weight has fallen to 1/e
  static constexpr double kPseudoNovelties = 4;  // this many children are assumed to behave as the prior says
  static constexpr uint32_t kPeriod = 32;      // credited children between two updates of the weights
  static constexpr size_t kAwaited = 64;       // engines run a child at once, or after a few calls

  struct Arm {
    uint32_t prior = 0;
    double used = 0, novel = 0;  // shares, in units that grow
    Figures figures;
  };
  struct Child {
    uint64_t hash = 0;
    Arms arms = 0;
  };
  void weigh();

  std::vector<Arm> arms_;
  std::vector<uint32_t> factor_, cumulative_;
  std::array<Child, kAwaited> awaited_;
  double unit_ = 1;  // the weight of a child now. It grows, instead of all sums shrinking
  double used_ = 0, novel_ = 0;
  uint32_t since_ = 0;
};

}  // namespace heddle::mutator
