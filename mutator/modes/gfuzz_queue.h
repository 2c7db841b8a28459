// The queue of both GFuzz modes: interesting runs with the number of children that they still deserve, and orders that run once more. If it
// is empty, the next round begins: all interesting runs get their children again. The original also starts again when its queue is nearly
// empty.
//
// If a prescribed case did not come, the originals wait longer (another second, or three). With "until nothing else can run", the case
// cannot come later in the same run. So the order runs again once with another seed, with which its partner may arrive.
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
    bool again = false;     // run `schedule` itself, with another seed
    uint32_t barren = 0;    // rounds in a row without a child
  };

  void add(Schedule schedule, SelectOrder order, uint32_t children);
  // Puts the schedule in the queue once more, if a case was missed and this was not done yet for these preferences.
  void note_missed(const ChoicePoints& run, const Schedule& schedule);
  // The oldest entry. Null: there is nothing to try.
  Entry* front();
  // A child of the front entry was made.
  void count_child();
  // All mutations drawn for the front entry had no runs left. The entry is skipped in this round and, after some such rounds, removed.
  void give_up();
  // The number of entries of this round.
  size_t size() const { return entries_.size(); }

  // How often this mutation was made before. Also counts this one.
  uint32_t times_made(uint64_t key);

 private:
  // Limits for campaigns of days. If the queue is full, new entries are dropped; if the table is full, counting starts again.
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
