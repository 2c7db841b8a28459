#include "mutator/modes/rff.h"

#include <algorithm>

#include "mutator/knowledge/relations.h"
#include "mutator/operators/chain.h"
#include "mutator/operators/rf_list.h"

namespace heddle::mutator {
namespace {

// Of elements or events.
uint64_t pair_key(const auto& read, const auto& write) {
  return mix(mix(read.site, static_cast<uint8_t>(read.kind)), mix(write.site, static_cast<uint8_t>(write.kind)));
}

}  // namespace

// Every pair of a read and another thread's write of one object, by their positions; and the initial value.
bool Rff::learn_pairs(const KnownRun& run) {
  const Relations& relations = run.relations();
  bool news = false;
  const auto add = [&](const Element& read, const Element& write) {
    if (pairs_.size() >= kMaxPairs || !known_pairs_.insert(pair_key(read, write)).second) return;
    ReadsFrom pair{};
    pair.read = read;
    pair.write = write;
    pairs_.push_back(pair);
    news = true;
  };
  for (uint32_t object = 1; object < run.objects.size(); ++object) {
    // Each position of a thread once: loops would make the pairs quadratic.
    struct Access {
      uint64_t key;
      uint32_t event;
    };
    std::vector<Access> reads, writes;
    const auto note = [&](std::vector<Access>& list, uint32_t e) {
      const Event& event = relations.event(e);
      const uint64_t key = mix(mix(event.site, static_cast<uint8_t>(event.kind)), event.thread);
      if (std::none_of(list.begin(), list.end(), [&](const Access& a) { return a.key == key; })) list.push_back({key, e});
    };
    for (const uint32_t e : relations.on_object(object)) {
      if (reads_value(relations.event(e).kind)) note(reads, e);
      if (writes_value(relations.event(e).kind)) note(writes, e);
    }
    for (const Access& read : reads) {
      bool any = false;
      for (const Access& write : writes) {
        if (relations.event(read.event).thread == relations.event(write.event).thread) continue;
        add(relations.open(read.event), relations.open(write.event));
        any = true;
      }
      if (any) add(relations.open(read.event), Element{});
    }
  }
  return news;
}

uint64_t Rff::judge(const KnownRun& run, const Schedule& schedule, bool& news) {
  if (schedule.reads_from.empty()) return 0;
  // What each position has read from, by position.
  std::unordered_set<uint64_t> seen;
  for (const Event& e : run.events) {
    if (!e.finished() || !reads_value(e.kind)) continue;
    const Event* const source = e.partner < run.events.size() ? &run.events[e.partner] : nullptr;
    if (source != nullptr && !writes_value(source->kind)) continue;
    seen.insert(source != nullptr ? pair_key(e, *source) : pair_key(e, Element{}));
  }
  uint64_t path = 0;
  for (const ReadsFrom& c : schedule.reads_from) {
    const uint64_t key = pair_key(c.read, c.write);
    const bool happened = seen.contains(key), holds = happened != (c.negative != 0);
    if (holds) path ^= mix(key, c.negative);
    // A negative constraint holds until a run violates it: only that is news.
    if (holds != (c.negative != 0)) news |= outcomes_.insert(mix(key, c.negative | 2u)).second;
  }
  return path;
}

void Rff::learn(const KnownRun& run, const Schedule& schedule, bool own) {
  for (const RacingPair& pair : run.races) races_.add(pair);
  bool news = !run.events.empty() && learn_pairs(run);
  const uint64_t path = judge(run, schedule, news);
  ++runs_;
  ++runs_of_path_[path];
  if (own && !news) return;
  if (kept_.size() >= kMaxKept) kept_.erase(kept_.begin());
  kept_.push_back({schedule, path});
  left_ = 0;  // the news end the present turn
}

void Rff::begin_turn() {
  for (size_t looked = 0; looked < kept_.size(); ++looked) {
    turn_ = (turn_ + 1) % kept_.size();
    Kept& k = kept_[turn_];
    const uint64_t mean = runs_ / std::max<size_t>(1, runs_of_path_.size()), mine = runs_of_path_[k.path];
    if (mine > mean && kept_.size() > 1) continue;
    const uint32_t doubled = kStage << std::min(k.turns++, 4u);
    left_ = static_cast<uint32_t>(std::clamp<uint64_t>(doubled / std::max<uint64_t>(1, mine), 1, kMostEnergy));
    return;
  }
  left_ = 1;  // all are over-represented: the next one, once
}

ReadsFrom Rff::draw_constraint(Rng& rng) const {
  ReadsFrom c = pairs_[rng.below(static_cast<uint32_t>(pairs_.size()))];
  c.negative = rng.chance(1, 9) ? 0 : 1;
  c.shield = rng.chance(1, 4) ? 1 : 0;
  return c;
}

void Rff::mutate(Schedule& schedule, Rng& rng) const {
  auto& list = schedule.reads_from;
  const uint32_t draw = rng.below(4);
  if (draw == 3 || pairs_.empty()) return;  // only another seed
  if (list.empty() || draw == 0) {
    const ReadsFrom c = draw_constraint(rng);
    if (list.size() < kMaxConstraints && !names_pair(list, c)) list.push_back(c);
    return;
  }
  ReadsFrom& changed = list[rng.below(static_cast<uint32_t>(list.size()))];
  if (draw == 1) {
    const ReadsFrom c = draw_constraint(rng);
    if (!names_pair(list, c)) changed = c;
  } else {
    changed.negative ^= 1;
  }
}

Schedule Rff::next(const Schedule& parent, Rng& rng) {
  Schedule child;
  if (!kept_.empty()) {
    if (left_ == 0) begin_turn();
    --left_;
    child = kept_[turn_ % kept_.size()].schedule;
  }
  child.payload = parent.payload;
  child.assumes = parent.assumes;
  child.memory_model = parent.memory_model;
  mutate(child, rng);
  child.seed = rng.next();
  child.strategy = StrategyId::pos;
  for (const RacingPair& race : races_.pairs()) make_visible(child, race);
  make_constraints_visible(child);
  return child;
}

}  // namespace heddle::mutator
