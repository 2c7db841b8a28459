#include "harness/cli/condition_search.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

namespace heddle::cli {
namespace {

// Sets of this size are tried among so many candidates: all, and then fewer and fewer of those that
// say most.
constexpr size_t kMostOfSize[] = {~size_t{0}, ~size_t{0}, 160, 50, 24};
static_assert(std::size(kMostOfSize) == ConditionSearch::kLargest + 1);

// In conditions: so many more are worth it if all findings have them.
constexpr double kCostOfMissing = 4;

struct Choice {
  bool misses = true;  // a finding without them
  double cost = 0;     // their weight, and more for each finding that they miss
  size_t rank = 0;
  std::vector<size_t> set;

  auto key() const { return std::tie(misses, cost, rank); }
};

size_t count_of(const std::vector<uint64_t>& runs) {
  return std::transform_reduce(runs.begin(), runs.end(), size_t{0}, std::plus<>(), [](uint64_t word) { return std::popcount(word); });
}

}  // namespace

void ConditionSearch::add(const std::vector<bool>& holds, bool finding) {
  const size_t word = runs_ / 64, bit = runs_ % 64;
  ++runs_;
  const auto set = [&](Bits& bits, bool value) {
    bits.resize(word + 1);
    if (value) bits[word] |= uint64_t{1} << bit;
  };
  for (size_t i = 0; i < holds_.size(); ++i) set(holds_[i], holds[i]);
  set(finding_, finding);
}

void ConditionSearch::add_candidate(const std::vector<bool>& holds, size_t weight) {
  Bits& bits = holds_.emplace_back(finding_.size());
  for (size_t run = 0; run < holds.size(); ++run) {
    if (holds[run]) bits[run / 64] |= uint64_t{1} << run % 64;
  }
  weights_.push_back(weight);
}

ConditionSearch::Bits ConditionSearch::held_by(const std::vector<size_t>& set) const {
  const size_t spare = finding_.size() * 64 - runs_;
  Bits out(finding_.size(), ~uint64_t{0});
  if (spare != 0) out.back() >>= spare;
  for (const size_t i : set) {
    for (size_t w = 0; w < out.size(); ++w) out[w] &= holds_[i][w];
  }
  return out;
}

size_t ConditionSearch::findings_of(const Bits& runs) const {
  size_t out = 0;
  for (size_t w = 0; w < runs.size(); ++w) {
    if ((runs[w] & ~finding_[w]) != 0) return 0;
    out += static_cast<size_t>(std::popcount(runs[w]));
  }
  return out;
}

std::vector<ConditionSearch::Set> ConditionSearch::sufficient() const {
  std::vector<Set> out;
  std::vector<size_t> parts;  // that are not enough alone
  for (size_t i = 0; i < holds_.size(); ++i) {
    if (const size_t findings = findings_of(holds_[i]); findings != 0)
      out.push_back({{i}, findings});
    else if (parts.size() < kMostOfSize[2])
      parts.push_back(i);
  }
  Bits both(finding_.size());
  for (size_t a = 0; a < parts.size(); ++a) {
    for (size_t b = a + 1; b < parts.size(); ++b) {
      for (size_t w = 0; w < both.size(); ++w) both[w] = holds_[parts[a]][w] & holds_[parts[b]][w];
      if (const size_t findings = findings_of(both); findings != 0)
        out.push_back({{parts[a], parts[b]}, findings});
    }
  }
  return out;
}

std::vector<size_t> ConditionSearch::in_all_runs() const {
  const Bits everywhere = held_by({});
  std::vector<size_t> out;
  for (size_t i = 0; i < holds_.size(); ++i) {
    if (holds_[i] == everywhere) out.push_back(i);
  }
  return out;
}

std::vector<size_t> ConditionSearch::always_with(const std::vector<size_t>& set) const {
  Bits findings = held_by(set);
  for (size_t w = 0; w < findings.size(); ++w) findings[w] &= finding_[w];
  std::vector<size_t> out;
  for (size_t i = 0; i < holds_.size(); ++i) {
    bool always = std::find(set.begin(), set.end(), i) == set.end() && holds_[i] != held_by({});
    for (size_t w = 0; w < findings.size(); ++w) always = always && (findings[w] & ~holds_[i][w]) == 0;
    if (always) out.push_back(i);
  }
  return out;
}

// The candidates of which sets can consist that no finding misses: those that hold in each run with a finding, and
// not in each run. Of several that hold in the same runs, the one with the least weight. Those that say most come first.
std::vector<size_t> ConditionSearch::in_all_findings() const {
  const Bits everywhere = held_by({});
  std::map<Bits, size_t> by_runs;
  for (size_t i = 0; i < holds_.size(); ++i) {
    bool all = holds_[i] != everywhere;
    for (size_t w = 0; w < finding_.size(); ++w) all = all && (finding_[w] & ~holds_[i][w]) == 0;
    if (!all) continue;
    const auto [at, fresh] = by_runs.try_emplace(holds_[i], i);
    if (!fresh && weights_[i] < weights_[at->second]) at->second = i;
  }
  std::vector<size_t> out;
  for (const auto& [runs, i] : by_runs) out.push_back(i);
  const auto key = [&](size_t i) { return std::tuple(count_of(holds_[i]), i); };
  std::sort(out.begin(), out.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  return out;
}

// The best set of these.
std::optional<std::vector<size_t>> ConditionSearch::best_of(const std::vector<size_t>& pool) const {
  std::optional<Choice> best;
  std::vector<size_t> set;
  const size_t findings = count_of(finding_);
  const auto judge = [&](const Bits& held) {
    const size_t with = findings_of(held);
    if (with == 0) return;
    Choice choice = {.misses = with != findings, .cost = 0, .rank = 0, .set = set};
    std::sort(choice.set.begin(), choice.set.end());
    for (const size_t i : set) {
      choice.cost += static_cast<double>(weights_[i]);
      choice.rank += i;
    }
    choice.cost +=
        kCostOfMissing * static_cast<double>(findings - with) / static_cast<double>(findings);
    if (!best || choice.key() < best->key()) best = std::move(choice);
  };
  // `held`: where those that have been chosen hold.
  const std::function<void(size_t, size_t, const Bits&)> extend = [&](size_t more, size_t first,
                                                                      const Bits& held) {
    if (more == 0) return judge(held);
    const size_t count = std::min(pool.size(), kMostOfSize[set.size() + more]);
    Bits both(held.size());
    for (size_t i = first; i < count; ++i) {
      for (size_t w = 0; w < held.size(); ++w) both[w] = held[w] & holds_[pool[i]][w];
      set.push_back(pool[i]);
      extend(more - 1, i + 1, both);
      set.pop_back();
    }
  };
  const Bits everywhere = held_by({});
  for (size_t size = 0; size <= std::min(kLargest, pool.size()); ++size) {
    extend(size, 0, everywhere);
    if (best && !best->misses && best->cost <= static_cast<double>(size)) break;
  }
  return best ? std::optional(best->set) : std::nullopt;
}

std::optional<std::vector<size_t>> ConditionSearch::best() const {
  if (auto none_missed = best_of(in_all_findings())) return none_missed;
  std::vector<size_t> all(holds_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  if (auto found = best_of(all)) return found;
  // Of so many only the first ones are tried in large sets. Those say most that hold in few runs without the finding.
  std::vector<std::pair<size_t, size_t>> by_runs;
  for (const size_t i : all) {
    Bits without = holds_[i];
    for (size_t w = 0; w < without.size(); ++w) without[w] &= ~finding_[w];
    by_runs.emplace_back(count_of(without), i);
  }
  std::sort(by_runs.begin(), by_runs.end());
  std::transform(by_runs.begin(), by_runs.end(), all.begin(), [](const auto& entry) { return entry.second; });
  return best_of(all);
}

}  // namespace heddle::cli
