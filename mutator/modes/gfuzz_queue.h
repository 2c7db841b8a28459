// The queue of both GFuzz modes: interesting runs with the children they still deserve, and orders to be run once more. When it
// is empty, the next round begins: all interesting runs get their children again, as the original starts over when its queue runs low.
//
// The originals wait longer (another second, or three) for a prescribed case that did not come. Held "until nothing else can run", it
// cannot come later in the same run, however long one waits; so the order runs again once under another seed, in which its
// partner may get there.
#pragma once

#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "mutator/modes/gfuzz_order.h"
#include "mutator/modes/published_mode.h"

namespace heddle::mutator {

class GfuzzQueue {
 public:
  struct Entry {
    Schedule schedule;  // what ran
    SelectOrder order;
    uint32_t children = 0;  // still to be made in this round
    uint32_t deserved = 0;  // in each round
    bool again = false;     // run `schedule` itself, under another seed
    uint32_t barren = 0;    // rounds in a row without a child
  };

  void add(Schedule schedule, SelectOrder order, uint32_t children);
  // Puts the schedule in the queue once more if a case was missed and that was never done for these preferences.
  void note_missed(const ChoicePoints& run, const Schedule& schedule);
  // The oldest entry; null: there is nothing to try.
  Entry* front();
  // A child of the front was made.
  void count_child();
  // What was drawn for the front had all had its runs: it is left alone for this round and, after some rounds of that, for good.
  void give_up();
  // Entries of this round.
  size_t size() const { return entries_.size(); }

  // How often this mutation was made before. Counts one more.
  uint32_t times_made(uint64_t key);

 private:
  // Bounds for campaigns of days: what comes to a full queue is dropped, and counts begin anew.
  static constexpr size_t kMaxTuples = 1 << 18;
  static constexpr size_t kMaxEntries = 4096;
  static constexpr size_t kMaxKeys = 1 << 18;
  static constexpr uint32_t kMaxBarren = 8;

  static size_t tuples(const Entry& e) { return e.order.size() + e.schedule.selects.size(); }
  void push(Entry entry);
  void drop_front();
  void end_round();

  std::deque<Entry> entries_, next_round_;
  size_t tuples_ = 0;  // of both
  std::unordered_map<uint64_t, uint32_t> made_;
  std::unordered_set<uint64_t> repeated_;
};

}  // namespace heddle::mutator
