#include "slow_reference.h"

#include <algorithm>

namespace heddle::rt {
SlowReference::ThreadState& SlowReference::thread_at(uint32_t thread) {
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  return threads_[thread];
}

SlowReference::Clock SlowReference::publish(uint32_t thread) {
  ThreadState& t = thread_at(thread);
  ++t.epoch;
  Clock all = t.clock;
  if (thread >= all.size()) all.resize(thread + 1);
  all[thread] = t.tick;
  return all;
}

void SlowReference::join(Clock& to, const Clock& from) {
  if (from.size() > to.size()) to.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

SlowReference::Access SlowReference::make(uint32_t thread, Sort sort, uintptr_t pc) {
  ThreadState& t = thread_at(thread);
  return {thread, ++t.tick, t.epoch, sort, pc, t.clock};
}

// Happens `a` before the later `b`?
bool SlowReference::ordered(const Access& a, const Access& b) {
  return a.thread == b.thread ? a.tick <= b.tick : a.thread < b.clock.size() && b.clock[a.thread] >= a.tick;
}

template <typename Use>
void SlowReference::each(uintptr_t low, uintptr_t high, Use use) {
  for (auto i = bytes_.lower_bound(low); i != bytes_.end() && i->first < high; ++i) use(i->first, i->second);
}

void SlowReference::meet(uintptr_t at, Byte& byte, const Access& now) {
  const auto conflict = [](const Access& a, const Access& b) { return (a.write() || b.write()) && !(a.atomic() && b.atomic()); };
  const auto same_epoch = [](const Access& a, const Access& b) { return a.thread == b.thread && a.epoch == b.epoch; };
  // Conflicts with all that `a` conflicts with.
  const auto serves_as = [](const Access& other, const Access& a) {
    return other.sort == a.sort || (other.sort == Sort::atomic_write && a.sort == Sort::atomic_read);
  };
  const auto pair = [](const Access& a, const Access& b) { return Pair{std::min(a.pc, b.pc), std::max(a.pc, b.pc)}; };

  byte.history.push_back(now);
  const auto& all = byte.history;
  bool remembered = true;
  for (size_t i = all.size() - 1; i-- > 0; remembered = remembered && all[i].sort != Sort::write) {
    const Access& first = all[i];
    if (ordered(first, now) || !conflict(first, now)) continue;
    real.insert({at, pair(first, now).first, pair(first, now).second});
    if (!remembered) continue;
    std::set<Pair> any;
    for (const Access& a : all) {
      if (ordered(a, now) || !serves_as(a, first) || !(same_epoch(a, first) || ordered(first, a))) continue;
      for (const Access& b : all) {
        if (same_epoch(b, now) && serves_as(b, now)) any.insert(pair(a, b));
      }
    }
    owed.push_back(any);
  }
}

// The first one to touch a word of it: from then on the word has been written by who freed it, as its history says already.
void SlowReference::after_the_end(uintptr_t at, uintptr_t block, const Access& now) {
  const uintptr_t word = at & ~uintptr_t{7};
  each(word, word + 8, [](uintptr_t, Byte& b) { b.freed = 0; });
  if (freed_blocks_.count(block) != 0) uses_after_free.push_back({at, block, now.thread, now.write()});
}

void SlowReference::access(uint32_t thread, uintptr_t low, uintptr_t high, Sort sort, uintptr_t pc, bool over_objects) {
  const Access now = make(thread, sort, pc);
  each(low, high, [&](uintptr_t at, Byte& b) {
    if (b.freed != 0) after_the_end(at, b.freed, now);
    meet(at, b, now);
  });
  if (sort != Sort::write || !over_objects) return;
  for (auto o = objects_.lower_bound(low); o != objects_.end() && *o < high;) {
    ended_objects.insert({*o, true});
    o = survives_a_write(*o) ? std::next(o) : objects_.erase(o);
  }
}

void SlowReference::end_of_memory(uint32_t thread, uintptr_t low, uintptr_t high, uintptr_t pc) {
  const Access now = make(thread, Sort::write, pc);
  each(low, high, [&](uintptr_t at, Byte& b) {
    if (b.freed == 0 && !b.history.empty()) meet(at, b, now);
  });
}

void SlowReference::ended(uintptr_t block, bool held) {
  if (freed_blocks_.insert(block).second && held) held_blocks_.insert(block);
}

void SlowReference::given_away() { freed_blocks_ = held_blocks_; }

void SlowReference::freed(uint32_t thread, uintptr_t low, uintptr_t high, uintptr_t pc) {
  const Access now = make(thread, Sort::write, pc);
  each(low, high, [&](uintptr_t, Byte& b) { b = {{now}, low}; });
}

void SlowReference::discarded(uintptr_t low, uintptr_t high) {
  each(low, high, [](uintptr_t, Byte& b) { b = {}; });
}

void SlowReference::forget(uintptr_t low, uintptr_t high) {
  low &= ~uintptr_t{7};
  high = (high + 7) & ~uintptr_t{7};
  discarded(low, high);
  for (auto o = objects_.lower_bound(low); o != objects_.end() && *o < high; o = objects_.erase(o)) ended_objects.insert({*o, false});
}

}  // namespace heddle::rt
