#include "mutator/modes/gfuzz_queue.h"

#include <utility>

namespace heddle::mutator {

void GfuzzQueue::push(Entry entry) {
  const size_t size = tuples(entry);
  if (entries_.size() + next_round_.size() >= kMaxEntries || tuples_ + size > kMaxTuples) return;
  tuples_ += size;
  entries_.push_back(std::move(entry));
}

GfuzzQueue::Entry* GfuzzQueue::front() {
  if (entries_.empty()) entries_.swap(next_round_);
  return entries_.empty() ? nullptr : &entries_.front();
}

void GfuzzQueue::end_round() {
  Entry& entry = entries_.front();
  entry.children = entry.deserved;
  next_round_.push_back(std::move(entry));
  entries_.pop_front();
}

void GfuzzQueue::count_child() {
  Entry& entry = entries_.front();
  entry.barren = 0;
  if (--entry.children != 0) return;
  if (entry.again) return drop_front();
  end_round();
}

void GfuzzQueue::give_up() {
  if (++entries_.front().barren > kMaxBarren) return drop_front();
  end_round();
}

void GfuzzQueue::drop_front() {
  tuples_ -= tuples(entries_.front());
  entries_.pop_front();
}

void GfuzzQueue::add(Schedule schedule, SelectOrder order, uint32_t children) {
  if (children != 0 && !order.empty()) push({std::move(schedule), std::move(order), children, children, false, 0});
}

void GfuzzQueue::note_missed(const ChoicePoints& run, const Schedule& schedule) {
  if (!missed_preference(run, schedule)) return;
  uint64_t key = 1;
  for (const SelectPreference& p : schedule.selects) {
    key = mix(mix(mix(key, p.thread), p.site), static_cast<uint64_t>(p.instance) << 32 | static_cast<uint32_t>(p.choice));
  }
  if (repeated_.size() >= kMaxKeys) repeated_.clear();
  if (repeated_.insert(key).second) push({schedule, {}, 1, 1, true, 0});
}

uint32_t GfuzzQueue::times_made(uint64_t key) {
  if (made_.size() >= kMaxKeys) made_.clear();
  return made_[key]++;
}

}  // namespace heddle::mutator
