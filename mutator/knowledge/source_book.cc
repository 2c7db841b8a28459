#include "mutator/knowledge/source_book.h"

#include "mutator/knowledge/relations.h"

namespace heddle::mutator {
namespace {

Element open(const Event& e) {
  Element x{};
  x.site = e.site;
  x.kind = e.kind;
  return x;
}

}  // namespace

size_t SourceBook::home(uint64_t key) const {
  size_t i = slot(key, index_.size());
  while (index_[i] != 0 && entries_[index_[i] - 1].key != key) i = (i + 1) % index_.size();
  return i;
}

void SourceBook::learn(const KnownRun& run) {
  const bool novel = (run.flags & kRunNovel) != 0;
  // Almost all runs have known orders, and so the same sources. A sample of them keeps the proportions.
  const uint32_t weight = (run.flags & kRunFamiliar) != 0 && !novel ? kSample : 1;
  if (weight != 1 && run.hash % kSample != 0) return;
  since_new_ += weight;
  for (const Event& e : run.events) {
    if (!e.finished() || !reads_value(e.kind)) continue;
    const Event* const source = e.partner < run.events.size() ? &run.events[e.partner] : nullptr;
    if (source != nullptr && !writes_value(source->kind)) continue;
    const size_t reader = slot(reader_key(e), kReaders);
    passages_[reader] += weight;
    // A value that the thread itself has written says nothing about the schedule.
    if (source != nullptr && source->thread == e.thread) continue;
    const uint64_t key = pair_key(e, source);
    const size_t at = home(key);
    if (index_[at] == 0) {
      if (entries_.size() == kMaxPairs) continue;
      entries_.push_back({key, {open(e), source != nullptr ? open(*source) : Element{}, run.hash}, static_cast<uint32_t>(reader), 0});
      index_[at] = static_cast<uint16_t>(entries_.size());
      since_new_ = 0;
    }
    Entry& entry = entries_[index_[at] - 1];
    entry.count += weight;
    if (novel) entry.pair.run = run.hash;
  }
}

const SourceBook::Pair* SourceBook::draw(Rng& rng) const {
  const Entry* rarest = nullptr;
  for (int i = 0; i < 3 && !entries_.empty(); ++i) {
    const Entry& e = entries_[rng.below(static_cast<uint32_t>(entries_.size()))];
    if (kRare * e.count > passages_[e.reader]) continue;
    if (rarest == nullptr || static_cast<uint64_t>(e.count) * passages_[rarest->reader] < static_cast<uint64_t>(rarest->count) * passages_[e.reader]) rarest = &e;
  }
  return rarest != nullptr ? &rarest->pair : nullptr;
}

}  // namespace heddle::mutator
