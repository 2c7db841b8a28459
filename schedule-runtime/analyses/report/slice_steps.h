// The steps of a run's memory that a report marks because they explain a failure. slice.h says which these are.
#pragma once

#include <algorithm>

#include "analyses/report/memory_steps.h"
#include "analyses/report/positions.h"
#include "analyses/report/step_row.h"
#include "trace/recorder.h"

namespace heddle::rt {

// The line, or a function that is inlined there or called from there.
inline bool comes_from(const RunSummary& run, const MemoryStep& step, const Frame& line) {
  constexpr uint32_t kMostFrames = 8;
  const bool plain = step.access != nullptr;
  const Frame* frames[kMostFrames];
  const uint32_t count = user_frames(plain ? step.access->site : recorder().position_of(run.events, step.event), plain ? 0 : recorder().context_of(step.event),
                                     frames, kMostFrames);
  for (uint32_t i = 0; i < count; ++i) {
    if (on_one_line(*frames[i], line)) return true;
  }
  return false;
}

class Slice {
  static constexpr uint32_t kMost = 16;    // steps
  static constexpr uint32_t kHops = 4;     // from a read to the write that it saw
  static constexpr uint32_t kHistory = 5;  // writes before a read of which nothing is known to be wrong
  static constexpr uint32_t kLooksOfWriter = 64;
  static constexpr uint32_t kNear = 4;     // steps of a writer, not at the line of its write, among which is what it decided by

 public:
  static constexpr uint32_t kLooks = 256;  // steps at the place of the failure

  explicit Slice(const MemorySteps& steps) : steps_(steps) {}

  // A value went from one actor to another.
  bool shared() const { return shared_; }
  bool full() const { return count_ == kMost; }
  bool empty() const { return count_ == 0; }
  // Something in it is wrong in itself: a write that was lost, a check that was no longer true, a read that came too early.
  bool odd() const { return odd_; }

  void follow_read(uint32_t read, uint32_t hops = kHops) {
    if (!add(read)) return;
    const uint32_t source = steps_.source(read);
    add_earlier_read(read, source);
    if (source == kNoStep || steps_.given(read, source)) return;
    shared_ |= !steps_[source].same_actor(steps_[read]);
    if (hops > 0) follow_write(source, hops - 1);
  }

  // It saw nothing of the others', because they had not written yet. What the thread wrote over that afterwards, without a look, is a part of it.
  void follow_early_read(uint32_t read, bool awaited) {
    const uint32_t later = steps_.overwritten(read);
    if (later == kNoStep && !awaited) return;
    add(read);
    if (later != kNoStep) add(later);
    if (const uint32_t own = steps_.own_after(read); own != kNoStep && own > later && steps_.is_blind(own)) add(own);
    shared_ = odd_ = true;
  }

  // What the standard library read for the line that fails, such as the count of a std::weak_ptr.
  void follow_counts(const RunSummary& run, uint32_t thread, const Frame& line) {
    for (uint32_t i = steps_.end(), looks = 0; i-- > 0 && looks < kLooks;) {
      const MemoryStep& s = steps_[i];
      if (s.thread != thread) continue;
      ++looks;
      if (s.event == kNoEvent || !s.reads || !comes_from(run, s, line)) continue;
      const uint32_t source = steps_.source(i);
      if (source == kNoStep || steps_[source].same_actor(s) || steps_.given(i, source)) continue;
      return follow_read(i, 1);
    }
  }

  // Nothing of the above is there: the failure came of a decision, which leaves no trace in values. The last write that was lost is the likeliest cause.
  void add_lost_write() {
    if (odd_) return;
    const uint32_t end = steps_.end(), begin = end > kReach ? end - kReach : 0;
    for (uint32_t i = end; i-- > begin && !odd_;) {
      if (!steps_[i].writes || steps_[i].inside) continue;
      const uint32_t read = steps_.own_before(i, begin);
      if (read == kNoStep || !steps_[read].reads || steps_[read].writes) continue;
      if (steps_[i].reads ? !steps_.same_again(read, i) : !steps_.written_between(read, i)) continue;
      add(read);
      add(i);
      shared_ |= writes_of_others(read, i);
    }
  }

  // Nor that: the failing thread or handler went by what it had read before, and another one has changed it since. The last such read.
  void add_outdated_check(uint32_t thread, uint32_t handler) {
    if (odd_) return;
    const uint32_t end = steps_.end(), begin = end > kReach ? end - kReach : 0;
    for (uint32_t i = end; i-- > begin;) {
      const MemoryStep& s = steps_[i];
      if (s.thread != thread || s.handler != handler || !s.reads || s.writes || s.inside) continue;
      const uint32_t later = steps_.overwritten(i);
      if (later == kNoStep || steps_.own_after(i) != kNoStep) continue;
      add(i);
      add(later);
      shared_ = odd_ = true;
      return;
    }
  }

  // Nor that, but a value in it was written late: its thread went by what it had read before, and another thread changed that in between.
  // The last such read before the write.
  void add_outdated_source() {
    for (uint32_t n = 0; n < count_ && !odd_; ++n) {
      const uint32_t write = in_[n];
      if (!steps_[write].writes || steps_[write].reads) continue;
      const uint32_t begin = write > kReach ? write - kReach : 0;
      for (uint32_t i = write; i-- > begin && !odd_;) {
        const MemoryStep& s = steps_[i];
        if (!s.same_actor(steps_[write]) || !s.reads || s.writes || s.inside) continue;
        const uint32_t later = steps_.overwritten(i);
        if (later == kNoStep || later > write || steps_.own_after(i) < write) continue;
        add(i);
        add(later);
        shared_ = odd_ = true;
      }
    }
  }

  // Nothing of all this is known: what a thread computes in between leaves no trace. Then who has written last what is read where the thread fails, and
  // somebody who has read it.
  bool add_history(uint32_t read) {
    const uint32_t begin = read > kReach ? read - kReach : 0;
    bool others = false;
    for (uint32_t i = read, writes = 0; i-- > begin && writes < kHistory && !others;) {
      if (!writes_for(i, read)) continue;
      ++writes;
      others |= !steps_[i].same_actor(steps_[read]);
    }
    if (!others) return false;
    add(read);
    for (uint32_t i = read, reader = read, writes = 0; i-- > begin && writes < kHistory;) {
      if (steps_[i].reads && steps_[i].overlaps(steps_[read])) reader = i;
      if (!writes_for(i, read)) continue;
      ++writes;
      add(i);
      if (steps_.source(reader) == i) add(reader);
    }
    return shared_ = true;
  }

  // What the writers of the values that the thread read had decided by, right before: what another thread had written.
  void add_decisions(const RunSummary& run, uint32_t thread) {
    const uint32_t values = count_;
    for (uint32_t n = 0; n < values; ++n) {
      const uint32_t source = steps_[in_[n]].thread == thread && steps_[in_[n]].reads ? steps_.source(in_[n]) : kNoStep;
      if (source != kNoStep && steps_[source].thread != thread) add_decision(run, source);
    }
  }

  void tell(Story& story, const RunSummary& run) {
    std::sort(in_, in_ + count_);
    for (uint32_t i = 0; i < count_; ++i) {
      add_step(story, run, steps_, in_[i], steps_[in_[i]].writes ? value_of_write(in_[i]) : nullptr);
    }
  }

 private:
  bool add(uint32_t step) {
    if (full() || std::find(in_, in_ + count_, step) != in_ + count_) return false;
    in_[count_++] = step;
    return true;
  }

  bool writes_for(uint32_t i, uint32_t read) const { return steps_[i].writes && !steps_[i].inside && steps_[i].overlaps(steps_[read]); }

  bool writes_of_others(uint32_t from, uint32_t to) {
    bool any = false;
    for (uint32_t i = from + 1; i < to; ++i) {
      if (steps_[i].writes && !steps_[i].same_actor(steps_[to]) && steps_[i].overlaps(steps_[to])) any = true, add(i);
    }
    odd_ |= any;
    return any;
  }

  // What the thread had checked before, and was no longer true: it had read the same, had not written it, and had seen another write.
  void add_earlier_read(uint32_t read, uint32_t source) {
    if (source == kNoStep || steps_[source].same_actor(steps_[read])) return;
    const uint32_t before = steps_.own_before(read);
    if (before == kNoStep || !steps_[before].reads || steps_[before].writes || before > source || steps_.source(before) == source) return;
    add(before);
    odd_ = true;
  }

  void add_decision(const RunSummary& run, uint32_t write) {
    const Frame line = user_frame(steps_.place(write));
    uint32_t elsewhere = 0;
    for (uint32_t i = write, looks = 0; i-- > 0 && looks < kLooksOfWriter && elsewhere < kNear;) {
      const MemoryStep& s = steps_[i];
      if (!s.same_actor(steps_[write]) || s.inside) continue;
      ++looks;
      elsewhere += !comes_from(run, s, line);
      if (s.overlaps(steps_[write]) || !steps_.may_decide(i)) continue;
      const uint32_t source = steps_.source(i);
      if (source == kNoStep || steps_[source].same_actor(s) || steps_.given(i, source)) continue;
      add(i);
      add(source);
      return;
    }
  }

  void follow_write(uint32_t write, uint32_t hops) {
    if (!add(write)) return;
    if (steps_[write].reads) {
      const uint32_t source = steps_.source(write);
      add_earlier_read(write, source);
      if (source != kNoStep && hops > 0) follow_write(source, hops - 1);
      return;
    }
    // What the thread wrote may depend on what it read there before. What came in between is lost.
    const uint32_t read = steps_.own_before(write);
    if (read == kNoStep || !steps_[read].reads || steps_[read].writes) return;
    if (writes_of_others(read, write) || steps_.source(read) != kNoStep) follow_read(read, hops);
  }

  // A read at another size than the write says nothing of its value.
  const LoggedAccess* value_of_write(uint32_t write) const {
    for (uint32_t i = 0; i < count_; ++i) {
      const LoggedAccess* const a = steps_[in_[i]].access;
      if (a != nullptr && a->has_value && steps_[in_[i]].begin == steps_[write].begin && steps_[in_[i]].end == steps_[write].end &&
          steps_.source(in_[i]) == write)
        return a;
    }
    return nullptr;
  }

  const MemorySteps& steps_;
  uint32_t in_[kMost];
  uint32_t count_ = 0;
  bool shared_ = false;
  bool odd_ = false;
};

}  // namespace heddle::rt
