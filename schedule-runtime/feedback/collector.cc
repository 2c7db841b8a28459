#include "feedback/collector.h"

#include "feedback/buckets.h"
#include "schema/identity.h"

namespace heddle::rt {

Feature Collector::feature(uint16_t at) const {
  const Cell& cell = cells_[at];
  if (at < kFirstHashedCounter) return {at, cell.value};
  const uint64_t place = (mix(cell.hash, bucket_of(cell.value)) >> 32) * (kHashedCounters * kBuckets) >> 32;
  return {static_cast<uint16_t>(kFirstHashedCounter + place / kBuckets), value_of_bucket(static_cast<int>(place % kBuckets))};
}

bool Collector::unseen(Feature f) const { return (seen_[f.counter] >> bucket_of(f.value) & 1) == 0; }

void Collector::report(Feature f, bool places, Feature* out, uint32_t& n, bool& novel) {
  if (!places && reported_[f.counter] == epoch_) return;
  reported_[f.counter] = epoch_;
  if (unseen(f)) {
    seen_[f.counter] |= static_cast<uint8_t>(1 << bucket_of(f.value));
    ++distinct_;
    novel = true;
  }
  out[n++] = f;
}

uint32_t Collector::select(uint32_t limit, Feature* out, bool& novel, bool places) {
  uint32_t n = 0;
  novel = false;
  Feature features[kMaxTouched];
  for (uint32_t i = 0; i < touched_; ++i) features[i] = feature(list_[i]);
  if (touched_ <= limit) {
    for (uint32_t i = 0; !places && i < touched_; ++i) {
      if (unseen(features[i])) report(features[i], places, out, n, novel);
    }
    for (uint32_t i = 0; i < touched_; ++i) report(features[i], places, out, n, novel);
    return n;
  }
  // Rare: counting sort by (seen before, interest), stable within. With places, an execution reports the same each time it is made.
  uint32_t starts[2 * kInterests + 1] = {};
  const auto rank = [&](uint32_t i) {
    const int interest = static_cast<int>(cells_[list_[i]].interest);
    return interest == 0 ? 0 : (places || unseen(features[i]) ? 0 : kInterests) + interest;
  };
  uint16_t sorted[kMaxTouched];
  for (uint32_t i = 0; i < touched_; ++i) ++starts[rank(i) + 1];
  for (int i = 1; i <= 2 * kInterests; ++i) starts[i] += starts[i - 1];
  for (uint32_t i = 0; i < touched_; ++i) sorted[starts[rank(i)]++] = static_cast<uint16_t>(i);
  for (uint32_t i = 0; i < touched_ && n < limit; ++i) report(features[sorted[i]], places, out, n, novel);
  return n;
}

}  // namespace heddle::rt
