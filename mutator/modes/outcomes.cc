#include "mutator/modes/outcomes.h"

#include <algorithm>

#include "mutator/knowledge/relations.h"

namespace heddle::mutator {
namespace {

uint64_t key_of(const SelectPreference& p) {
  return mix(mix(p.site, static_cast<uint64_t>(p.kind)), static_cast<uint64_t>(static_cast<uint32_t>(p.choice)));
}

// A wait that may end for itself can have got first what it waits for.
bool has_come_true(const Event& e) {
  if (e.kind == Kind::select || e.kind == Kind::descriptor_wait || e.kind == Kind::cond_signal || e.kind == Kind::clock_jump) return e.finished();
  return e.outcome == Outcome::spurious || e.outcome == Outcome::timeout;
}

}  // namespace

Outcomes::Alternative* Outcomes::find_or_add(const SelectPreference& p) {
  const uint64_t key = key_of(p);
  if (const auto known = index_.find(key); known != index_.end()) return &alternatives_[known->second];
  if (alternatives_.size() >= kMost) return nullptr;
  index_.emplace(key, alternatives_.size());
  alternatives_.push_back({p, runs_.size()});
  return &alternatives_.back();
}

// Without the relations of the run, which are expensive.
bool Outcomes::has_new_place(const KnownRun& run) {
  bool any = false;
  for (const Event& e : run.events) any |= ChoicePoints::may_be_beyond_order(e.kind) && places_.insert(mix(e.site, static_cast<uint64_t>(e.kind))).second;
  return any;
}

void Outcomes::learn(const KnownRun& run, const Schedule& schedule, bool) {
  if (!has_new_place(run) && learnt_ >= kAllLearnt) return;
  ++learnt_;
  const size_t before = alternatives_.size();
  const ChoicePoints points(run.relations());
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    if (!points.is_beyond_order(i)) continue;
    const int32_t taken = points.taken(i);
    points.candidates(i, candidates_);
    for (const Candidate& c : candidates_) {
      SelectPreference p = points.preference(i, c.choice);
      p.thread = kAnyThread;
      Alternative* const alternative = find_or_add(p);
      if (alternative != nullptr && c.choice == taken && (c.choice == 0 || has_come_true(run.events[i]))) alternative->is_left = false;
    }
  }
  if (alternatives_.size() != before) runs_.push_back(schedule);
}

bool Outcomes::idle() const { return std::none_of(alternatives_.begin(), alternatives_.end(), [](const Alternative& o) { return o.is_left; }); }

Schedule Outcomes::next(const Schedule& parent, Rng& rng) {
  const auto oldest = std::find_if(alternatives_.begin(), alternatives_.end(), [](const Alternative& o) { return o.is_left; });
  if (oldest == alternatives_.end()) {
    Schedule s = without_order(parent);
    s.seed = rng.next();
    return s;
  }
  oldest->is_left = false;
  Schedule s = runs_[oldest->run];
  if (s.selects.size() >= kMaxPreferences) s.selects.pop_back();
  s.selects.insert(s.selects.begin(), oldest->asked);  // the first one that matches decides
  return s;
}

}  // namespace heddle::mutator
