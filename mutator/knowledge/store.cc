#include "mutator/knowledge/store.h"

#include <algorithm>

namespace heddle::mutator {

const KnownRun& RunStore::pin(const RunSummary& run) {
  auto it = index_.find(run.input_hash);
  if (it == index_.end()) {
    pinned_.emplace_front();
    it = index_.emplace(run.input_hash, pinned_.begin()).first;
  } else {
    pinned_.splice(pinned_.begin(), pinned_, it->second);
    bytes_ -= it->second->bytes;
  }
  Pin& pin = *it->second;
  pin.run.assign(run);
  pin.bytes = pin.run.bytes();
  bytes_ += pin.bytes;
  while (bytes_ > limit_ && pinned_.size() > 1) {
    bytes_ -= pinned_.back().bytes;
    index_.erase(pinned_.back().run.hash);
    pinned_.pop_back();
  }
  return pinned_.front().run;
}

const KnownRun& RunStore::add(const RunSummary& run) {
  if (run.flags & kRunNovel) return pin(run);
  KnownRun& slot = recent_[learned_++ % kRecent];
  slot.assign(run);
  return slot;
}

void RunStore::keep(uint64_t hash) {
  for (uint32_t i = 1; i <= std::min(learned_, kRecent); ++i) {
    const KnownRun& run = recent_[(learned_ - i) % kRecent];
    if (run.hash != hash) continue;
    pin(run.summary());
    return;
  }
}

const KnownRun* RunStore::find(uint64_t hash) {
  for (uint32_t i = 1; i <= std::min(learned_, kRecent); ++i) {
    const KnownRun& run = recent_[(learned_ - i) % kRecent];
    if (run.hash == hash) return &run;
  }
  auto it = index_.find(hash);
  if (it == index_.end()) return nullptr;
  pinned_.splice(pinned_.begin(), pinned_, it->second);
  return &it->second->run;
}

const KnownRun* RunStore::any(Rng& rng) const {
  const uint32_t recent = std::min(learned_, kRecent);
  if (recent + pinned_.size() == 0) return nullptr;
  if (!pinned_.empty() && (recent == 0 || rng.chance(1, 2))) {
    auto it = pinned_.begin();
    std::advance(it, rng.below(static_cast<uint32_t>(std::min<size_t>(pinned_.size(), 8))));
    return &it->run;
  }
  return &recent_[rng.below(recent)];
}

}  // namespace heddle::mutator
