#include "mutator/knowledge/bandit.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace heddle::mutator {

Bandit::Bandit(std::span<const uint32_t> priors) : arms_(priors.size()), factor_(priors.size(), kOne), cumulative_(priors.size()) {
  for (size_t i = 0; i < priors.size(); ++i) arms_[i].prior = priors[i];
  weigh();
}

void Bandit::made(uint64_t child, Arms arms) {
  for (Arms left = arms; left != 0; left &= left - 1) ++arms_[static_cast<size_t>(std::countr_zero(left))].figures.used;
  awaited_[child % kAwaited] = {child, arms};
}

void Bandit::ran(uint64_t input, bool novel) {
  Child& child = awaited_[input % kAwaited];
  if (child.hash != input || child.arms == 0) return;
  const Arms arms = child.arms;
  child = {};
  unit_ *= 1 + 1 / kMemory;
  const double share = unit_ / std::popcount(arms);
  for (Arms left = arms; left != 0; left &= left - 1) {
    Arm& arm = arms_[static_cast<size_t>(std::countr_zero(left))];
    arm.used += share;
    if (!novel) continue;
    arm.novel += share;
    ++arm.figures.novel;
  }
  used_ += unit_;
  if (novel) novel_ += unit_;
  if (++since_ >= kPeriod) weigh();
}

void Bandit::weigh() {
  since_ = 0;
  if (unit_ > 1e30) {
    for (Arm& arm : arms_) arm.used /= unit_, arm.novel /= unit_;
    used_ /= unit_, novel_ /= unit_;
    unit_ = 1;
  }
  const double rate = used_ > 0 ? novel_ / used_ : 0;
  uint32_t total = 0;
  for (size_t i = 0; i < arms_.size(); ++i) {
    const double expected = arms_[i].used * rate / unit_;
    const double factor = (arms_[i].novel / unit_ + kPseudoNovelties) / (expected + kPseudoNovelties);
    factor_[i] = std::clamp(static_cast<uint32_t>(factor * kOne + 0.5), kFloor, kCeiling);
    cumulative_[i] = total += arms_[i].prior * factor_[i];
  }
}

size_t Bandit::draw(Rng& rng) const {
  const uint32_t ticket = rng.below(cumulative_.back());
  return static_cast<size_t>(std::upper_bound(cumulative_.begin(), cumulative_.end(), ticket) - cumulative_.begin());
}

bool Bandit::chance(size_t arm, uint32_t a, uint32_t of, Rng& rng) const {
  const uint32_t yes = a * factor_[arm];
  return rng.below(yes + (of - a) * kOne) < yes;
}

double Bandit::share(size_t arm) const {
  return empty() ? 0 : static_cast<double>(arms_[arm].prior) * factor_[arm] / cumulative_.back();
}

std::string Bandit::table(std::span<const std::string_view> names) const {
  std::string text;
  char line[128];
  for (size_t i = 0; i < arms_.size(); ++i) {
    const Figures& f = arms_[i].figures;
    if (f.used == 0) continue;
    if (text.empty()) {
      std::snprintf(line, sizeof line, "%-20s %12s %12s %8s\n", "move", "used", "novel", "weight");
      text = line;
    }
    const int length = std::snprintf(line, sizeof line, "%-20.*s %12llu %12llu", static_cast<int>(names[i].size()), names[i].data(),
                               static_cast<unsigned long long>(f.used), static_cast<unsigned long long>(f.novel));
    const size_t at = static_cast<size_t>(length);
    if (arms_[i].prior == 0) std::snprintf(line + at, sizeof line - at, " %8s\n", "-");  // never drawn
    else std::snprintf(line + at, sizeof line - at, " %7.1f%%\n", 100 * share(i));
    text += line;
  }
  return text;
}

}  // namespace heddle::mutator
