// Numbers 0, 1, 2, ... with weights, and a draw of one of them by weight: both in logarithmic time (Fenwick 1994).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::mutator {

class WeightedDraw {
 public:
  // Of all numbers. It must stay below 2^64.
  uint64_t sum() const { return sum_; }
  // Adds the next number.
  void add(uint64_t weight) {
    weights_.push_back(0);
    const size_t i = weights_.size();
    // The new entry of the tree covers the numbers (i - lowest bit, i].
    uint64_t below = 0;
    for (size_t j = i - 1; j > i - (i & -i); j -= j & -j) below += tree_[j - 1];
    tree_.push_back(below);
    set(i - 1, weight);
  }
  void set(size_t number, uint64_t weight) {
    const uint64_t change = weight - weights_[number];  // modulo 2^64
    weights_[number] = weight;
    sum_ += change;
    for (size_t i = number + 1; i <= tree_.size(); i += i & -i) tree_[i - 1] += change;
  }
  // The number in whose share the ticket falls. REQUIRES: ticket < sum()
  size_t find(uint64_t ticket) const {
    size_t number = 0;
    for (size_t step = std::bit_floor(tree_.size()); step != 0; step /= 2) {
      if (number + step > tree_.size() || tree_[number + step - 1] > ticket) continue;
      number += step;
      ticket -= tree_[number - 1];
    }
    return number;
  }

 private:
  std::vector<uint64_t> weights_, tree_;
  uint64_t sum_ = 0;
};

}  // namespace heddle::mutator
