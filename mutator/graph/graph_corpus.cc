#include "mutator/graph/graph_corpus.h"

#include <algorithm>

namespace heddle::mutator {
namespace {

constexpr uint64_t kWhole = 1ull << 32;  // the energy of a graph that was seen once and never drawn
constexpr uint64_t kBlocked = 0xB10C;

size_t bytes_of(const GraphCorpus::Kept& k) { return sizeof k + k.run.bytes() + k.schedule.payload.size(); }

}  // namespace

GraphKey GraphCorpus::key_of(const KnownRun& run) {
  const RunSummary summary = run.summary();
  words_.resize(std::max<size_t>(words_.size(), graph_key_words(summary)));
  GraphKey key = graph_keys(summary, words_.data()).with_coherence;
  const bool blocked = std::any_of(run.threads.begin(), run.threads.end(),
                                   [](const ThreadRecord& t) { return t.state != static_cast<uint8_t>(ThreadEnd::finished); });
  if (blocked) key.high = mix(key.high, kBlocked);
  return key;
}

bool GraphCorpus::seen(const GraphKey& key) {
  const bool known = known_->count(key.low) != 0;
  known_->add(key.low);
  const auto it = slot_of_.find(key);
  if (it == slot_of_.end()) return known;
  ++slots_[it->second]->seen;
  weigh(it->second);
  return true;
}

void GraphCorpus::add(const GraphKey& key, const KnownRun& run, Schedule schedule) {
  auto kept = std::make_unique<Kept>();
  // Changing a graph needs neither comparisons nor races.
  RunSummary summary = run.summary();
  summary.comparison_count = summary.race_count = summary.select_case_count = 0;
  kept->run.assign(summary);
  kept->schedule = std::move(schedule);
  kept->key = key;
  bytes_ += bytes_of(*kept);
  slot_of_.insert_or_assign(key, slots_.size());
  slots_.push_back(std::move(kept));
  draw_.add(0);
  weigh(slots_.size() - 1);
  if (bytes_ > memory_limit_) make_room();
}

const GraphCorpus::Kept* GraphCorpus::draw(Rng& rng) {
  if (draw_.sum() == 0) return nullptr;
  const size_t slot = draw_.find(rng.next() % draw_.sum());
  ++slots_[slot]->chosen;
  weigh(slot);
  return slots_[slot].get();
}

void GraphCorpus::give_back(const GraphKey& key) {
  const auto it = slot_of_.find(key);
  if (it == slot_of_.end() || slots_[it->second]->chosen == 0) return;
  --slots_[it->second]->chosen;
  weigh(it->second);
}

void GraphCorpus::weigh(size_t slot) {
  const Kept& k = *slots_[slot];
  draw_.set(slot, std::max<uint64_t>(1, kWhole / k.seen / (1 + k.chosen)));
}

// A quarter goes at once, so that this is rare.
void GraphCorpus::make_room() {
  const size_t left = std::max<size_t>(1, slots_.size() * 3 / 4);
  std::nth_element(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(left - 1), slots_.end(), [](const auto& a, const auto& b) {
    return a->chosen != b->chosen ? a->chosen < b->chosen : a->key.low < b->key.low;
  });
  slots_.resize(left);
  bytes_ = 0;
  slot_of_.clear();
  draw_ = {};
  for (size_t i = 0; i < slots_.size(); ++i) {
    bytes_ += bytes_of(*slots_[i]);
    slot_of_.emplace(slots_[i]->key, i);
    draw_.add(0);
    weigh(i);
  }
}

}  // namespace heddle::mutator
