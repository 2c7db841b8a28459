// What heddle says of accesses to memory, through all of its shims, against the slow reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "memory_calls.h"
#include "memory_script.h"
#include "slow_reference.h"

namespace heddle::test {
namespace {

using rt::SlowReference;
using Sort = SlowReference::Sort;
using Clock = SlowReference::Clock;
constexpr size_t kTooLarge = 1 << 20;  // see watched_after_free

// Checks the recorded script against the reference.
class Replay {
 public:
  explicit Replay(const MemoryWorld& w) : w_(w) {
    for (size_t i = 0; i < w.entries; ++i) watch(w.entry[i]);
    for (size_t i = 0; i < w.entries; ++i) tell(w.entry[i]);
  }
  SlowReference reference;

 private:
  void watch(uintptr_t bound) {
    for (const uintptr_t at : {bound & ~uintptr_t{7}, bound, (bound + 7) & ~uintptr_t{7}}) reference.watch(at);
  }
  void watch(const Entry& e) {
    watch(e.low);
    watch(e.high);
  }
  void end_objects(uintptr_t low, uintptr_t high) { heads_.erase(heads_.lower_bound(low), heads_.lower_bound(high)); }
  void forget(uintptr_t low, uintptr_t high) {
    reference.forget(low, high);
    end_objects(low, high);
  }
  void access(const Entry& e, Sort sort) { reference.access(e.thread, e.low, e.high, sort, e.position); }
  void tell(const Entry& e) {
    switch (e.what) {
      case Done::read: return access(e, Sort::read);
      case Done::write:
        access(e, Sort::write);
        return end_objects(e.low, e.high);
      case Done::atomic_load:
        if (e.acquires) reference.acquire(e.thread, heads_[e.low]);
        return access(e, Sort::atomic_read);
      case Done::atomic_store:
      case Done::atomic_rmw: {
        Clock& head = heads_[e.low];
        if (e.acquires) reference.acquire(e.thread, head);
        access(e, Sort::atomic_write);
        if (e.what == Done::atomic_store) head = {};
        if (e.releases) SlowReference::join(head, reference.publish(e.thread));
        return;
      }
      case Done::lock: return reference.acquire(e.thread, released_[e.other]);
      case Done::unlock: released_[e.other] = reference.publish(e.thread); return;
      case Done::create:
        alone_ = false;
        forget(w_.stack_low[e.other], w_.stack_high[e.other]);
        return reference.acquire(e.other, reference.publish(e.thread));
      case Done::exit: ends_[e.thread] = reference.publish(e.thread); return;
      case Done::join: return reference.acquire(e.thread, ends_[e.other]);
      case Done::born:
        reference.reborn(e.low);
        return forget(e.low, e.high);
      case Done::forgotten: return forget(e.low, e.high);
      case Done::freed:
        reference.ended(e.low, false);
        if (alone_) return;
        if (e.high - e.low >= kTooLarge) return forget(e.low, e.high);
        return reference.freed(e.thread, e.low, e.high, e.position);
      case Done::end_of_memory:
        if (!alone_) reference.end_of_memory(e.thread, e.low, e.high, e.position);
        return;
      case Done::discarded:
        if (!alone_) reference.discarded(e.low, e.high);
        return;
    }
  }

  const MemoryWorld& w_;
  bool alone_ = true;
  std::map<uintptr_t, Clock> heads_;
  Clock released_[MemoryWorld::kMutexes];
  std::map<uint32_t, Clock> ends_;
};

// Blocks that were reallocated although they were in the quarantine.
size_t handed_out_again(const MemoryWorld& w) {
  std::map<uintptr_t, uintptr_t> held;  // to their ends
  bool alone = true;
  size_t again = 0;
  for (size_t i = 0; i < w.entries; ++i) {
    const Entry& e = w.entry[i];
    alone &= e.what != Done::create;
    if (e.what == Done::freed && !alone && e.high - e.low < kTooLarge) held[e.low] = e.high;
    if (e.what != Done::born) continue;
    const auto next = held.lower_bound(e.high);
    again += next != held.begin() && std::prev(next)->second > e.low;
  }
  return again;
}

struct Verdict {
  std::string disagreement;
  bool races = false, uses_after_free = false, reuse = false;
};

Verdict verdict(const std::vector<Step>& steps, Manner manner) {
  run_script(steps, manner);
  const MemoryWorld& w = memory_world();
  const Replay replay(w);
  const SlowReference& reference = replay.reference;
  std::ostringstream said;
  std::set<SlowReference::Pair> pairs;
  for (size_t i = 0; i < w.races; ++i) {
    const auto [a, b] = std::minmax<uintptr_t>(position_of(w.race[i].first_pc), position_of(w.race[i].second_pc));
    pairs.insert({a, b});
    if (reference.real.count({reference.watched(w.race[i].address), a, b}) != 0) continue;
    said << "invented: " << a << ' ' << b << " at " << std::hex << w.race[i].address << '\n';
  }
  for (const auto& any : reference.owed) {
    if (std::any_of(any.begin(), any.end(), [&](const auto& p) { return pairs.count(p) != 0; })) continue;
    said << "missed: " << any.begin()->first << ' ' << any.begin()->second << " or one of " << any.size() << '\n';
  }
  // Of bytes that all are treated alike, once.
  std::vector<SlowReference::UseAfterFree> uses;
  for (size_t i = 0; i < w.uses; ++i) uses.push_back({reference.watched(w.use[i].address), w.use[i].block, w.use[i].thread, w.use[i].write});
  std::vector<SlowReference::UseAfterFree> expected = reference.uses_after_free;
  for (auto* list : {&uses, &expected}) list->erase(std::unique(list->begin(), list->end()), list->end());
  if (uses != expected) said << "uses after free: " << uses.size() << " instead of " << expected.size() << '\n';
  const size_t again = handed_out_again(w);
  if (manner.held && again != 0) said << "handed out again: " << again << " blocks\n";
  return {said.str(), !reference.owed.empty(), !uses.empty(), again != 0};
}

TEST(MemoryScript, HeddleAgreesWithTheSlowReference) {
  constexpr uint32_t kRuns = 3000;
  uint32_t racing = 0, used = 0, reused = 0;
  // The kernel threads that the first execution makes allocate memory, at which what was freed is forgotten.
  run_script({{57, 0, 0, 0}, {57, 0, 0, 1}, {57, 0, 0, 2}, {57, 0, 0, 3}}, {});
  for (uint32_t seed = 1; seed <= kRuns; ++seed) {
    std::mt19937 rng(seed);
    std::vector<Step> steps(20 + rng() % 150);
    for (Step& s : steps) s = {rng(), rng(), rng(), rng()};
    const Manner manner{.ordered = rng() % 2 == 0, .held = rng() % 2 == 0};
    const Verdict v = verdict(steps, manner);
    racing += v.races;
    used += v.uses_after_free;
    reused += v.reuse;
    if (v.disagreement.empty()) continue;
    for (size_t i = 0; i < steps.size();) {
      std::vector<Step> fewer = steps;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (verdict(fewer, manner).disagreement.empty()) ++i;
      else steps = fewer;
    }
    FAIL() << "seed " << seed << ", " << steps.size() << " steps: " << ::testing::PrintToString(steps) << '\n'
           << verdict(steps, manner).disagreement;
  }
  EXPECT_GT(racing, kRuns / 2);
  EXPECT_GT(used, kRuns / 4);
  EXPECT_GT(reused, kRuns / 8);
}

}  // namespace
}  // namespace heddle::test
