#include "feedback/collector.h"

#include "feedback/buckets.h"

namespace heddle::rt {

bool Collector::unseen(uint16_t counter) const {
  return (seen_[counter] >> bucket_of(cells_[counter].value) & 1) == 0;
}

void Collector::report(uint16_t counter, Feature* out, uint32_t& n, bool& novel) {
  if (unseen(counter)) {
    seen_[counter] |= static_cast<uint8_t>(1 << bucket_of(cells_[counter].value));
    ++distinct_;
    novel = true;
  }
  out[n++] = {counter, cells_[counter].value};
}

uint32_t Collector::select(uint32_t limit, Feature* out, bool& novel) {
  uint32_t n = 0;
  novel = false;
  if (touched_ <= limit) {
    for (uint32_t i = 0; i < touched_; ++i) report(list_[i], out, n, novel);
    return n;
  }
  // Rare: counting sort by (seen before, interest), the order of appearance within.
  uint32_t starts[2 * kInterests + 1] = {};
  const auto rank = [this](uint16_t c) {
    const int interest = static_cast<int>(cells_[c].interest);
    return interest == 0 ? 0 : (unseen(c) ? 0 : kInterests) + interest;
  };
  uint16_t sorted[kMaxTouched];
  for (uint32_t i = 0; i < touched_; ++i) ++starts[rank(list_[i]) + 1];
  for (int i = 1; i <= 2 * kInterests; ++i) starts[i] += starts[i - 1];
  for (uint32_t i = 0; i < touched_; ++i) sorted[starts[rank(list_[i])]++] = list_[i];
  for (uint32_t i = 0; i < limit; ++i) report(sorted[i], out, n, novel);
  return n;
}

}  // namespace heddle::rt
