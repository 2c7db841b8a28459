// The smallest set of conditions that agrees with the runs seen so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::cli {

class ConditionSearch {
 public:
  static constexpr size_t kLargest = 4;  // conditions of a set that is tried

  explicit ConditionSearch(size_t candidates) : holds_(candidates), weights_(candidates, 1) {}

  // Sets with less weight are smaller. It is 1 if not said otherwise.
  void set_weight(size_t candidate, size_t weight) { weights_[candidate] = weight; }

  size_t weight(size_t candidate) const { return weights_[candidate]; }
  // One more candidate: in which of the runs so far it holds.
  void add_candidate(const std::vector<bool>& holds, size_t weight);

  // A run: which candidates hold there, and whether it has the finding.
  void add(const std::vector<bool>& holds, bool finding);

  // The candidates, by number, of a set such that each run in which all of them hold has the
  // finding. First those sets that hold in each run with the finding, then those that are small and
  // hold in many of them, then those that come first. None: no set of the sizes that are tried is
  // enough.
  std::optional<std::vector<size_t>> best() const;

  // Of the runs in which all of the set hold. 0 if one of them has no finding.
  size_t findings_with(const std::vector<size_t>& set) const { return findings_of(held_by(set)); }
  // All of the set hold in each run with a finding, and in no other.
  bool agrees(const std::vector<size_t>& set) const { return held_by(set) == finding_; }

  struct Set {
    std::vector<size_t> candidates;
    size_t findings;  // of the runs in which they hold
  };
  // Sets of one or two, each run of which has the finding. None is part of another one.
  std::vector<Set> sufficient() const;
  // The candidates that hold in each run. Whether they are needed is not known.
  std::vector<size_t> in_all_runs() const;
  // The candidates that hold in all runs with a finding in which the set holds, and not in all runs.
  std::vector<size_t> always_with(const std::vector<size_t>& set) const;

 private:
  using Bits = std::vector<uint64_t>;  // one for each run

  Bits held_by(const std::vector<size_t>& set) const;
  size_t findings_of(const Bits& runs) const;  // 0 if one of them has none
  std::vector<size_t> in_all_findings() const;
  std::optional<std::vector<size_t>> best_of(const std::vector<size_t>& pool) const;

  std::vector<Bits> holds_;
  std::vector<size_t> weights_;
  Bits finding_;
  size_t runs_ = 0;
};

}  // namespace heddle::cli
