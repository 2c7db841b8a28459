#include "mutator/modes/exhaust.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "mutator/knowledge/choice_points.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {
namespace {

// The choices that can be turned by themselves. Other outcomes (a try, a compare-and-swap) follow from the order.
bool is_free_choice(Kind k) {
  return k == Kind::select || k == Kind::cond_signal || k == Kind::cond_wake || k == Kind::futex_wait || k == Kind::descriptor_wait;
}

}  // namespace

void Exhaust::restart() {
  left_.clear();
  orders_.clear();
  prefixes_.clear();
  begun_ = gave_up_ = said_ = false;
  waiting_ = 0;
  impossible_ = 0;
}

void Exhaust::add(Schedule child, uint64_t key) {
  if (!prefixes_.insert(key).second) return;
  if (left_.size() >= kMostLeft || child.elements.size() > kMaxElements || child.delays.size() > kMaxDelays || child.selects.size() > kMaxPreferences) {
    gave_up_ = true;
    return;
  }
  left_.push_back(std::move(child));
}

// The child runs the prefix in its order. What is not in it waits for its last operation.
static void put_prefix(Schedule& child, const RunReversals& run, const Relations& relations, std::span<const uint32_t> prefix) {
  child.elements.clear();
  child.delays.clear();
  for (const uint32_t e : prefix) {
    if (!RunReversals::is_operation(relations.event(e))) continue;
    child.elements.push_back(relations.exact(e));
  }
  const Element last = relations.exact(prefix.back());
  for (const uint32_t e : run.first_left_out(prefix)) {
    if (e != kNoEvent) child.delays.push_back({relations.exact(e), last});
  }
}

void Exhaust::add_children(const KnownRun& run, const RunReversals& reversals, const Schedule& schedule) {
  const Relations& relations = run.relations();
  for (const RunReversals::Reversal& r : reversals.reversals()) {
    const std::vector<uint32_t> prefix = reversals.prefix(r);
    Schedule child = schedule;
    put_prefix(child, reversals, relations, prefix);
    add(std::move(child), reversals.prefix_key(prefix));
  }
  const ChoicePoints points(relations);
  std::vector<Candidate> candidates;
  for (uint32_t e = 0; e < run.events.size(); ++e) {
    if (!is_free_choice(run.events[e].kind) || !points.is_choice(e)) continue;
    points.candidates(e, candidates);
    const std::vector<uint32_t> prefix = reversals.prefix(e);
    for (const Candidate& c : candidates) {
      if (c.choice == points.taken(e)) continue;
      Schedule child = schedule;
      const SelectPreference wanted = points.preference(e, c.choice);
      std::erase_if(child.selects, [&](const SelectPreference& p) { return same_passage(p, wanted); });
      child.selects.push_back(wanted);
      put_prefix(child, reversals, relations, prefix);
      add(std::move(child), mix(reversals.prefix_key(prefix), static_cast<uint64_t>(static_cast<int64_t>(c.choice)) + 0xC401CE));
    }
  }
}

// What every child has in common: nothing is drawn but what the prefix leaves open, and that always in the same way.
Schedule Exhaust::first_child(const Schedule& parent) const {
  Schedule s = without_order(parent);
  s.memory_model = MemoryModel::sc;
  s.strategy = StrategyId::round_robin;
  for (const RacingPair& race : races_.pairs()) make_visible(s, race);
  return s;
}

void Exhaust::learn(const KnownRun& run, const Schedule& schedule, bool own) {
  const size_t known = races_.pairs().size();
  for (const RacingPair& pair : run.races) races_.add(pair);
  // More accesses are choice points now, so orders differ in more.
  if (races_.pairs().size() != known) return restart();
  if (!own) return;
  if (waiting_ != 0) --waiting_;
  // Made before a restart, or when nothing was left.
  const Schedule first = first_child(schedule);
  if (schedule.strategy != first.strategy || schedule.visible_plain != first.visible_plain || run.events.empty()) return;
  const bool weak = !run.coherence.empty();  // HEDDLE_OPTIONS=memory=rc11
  if (weak || run.cut || (run.flags & (kRunTruncated | kRunStepBound)) != 0 || run.threads.size() > kMaxDelays) {
    gave_up_ = true;
    return;
  }
  if (!schedule.elements.empty() && (run.chains.empty() || run.chains[0].realised < run.chains[0].length)) ++impossible_;
  const RunReversals reversals(run);
  if (orders_.insert(reversals.order_key()).second) add_children(run, reversals, schedule);
}

Schedule Exhaust::next(const Schedule& parent, Rng& rng) {
  if (!begun_) {
    begun_ = true;
    left_.push_back(first_child(parent));
  }
  if (left_.empty()) {
    announce();
    Schedule more = without_order(parent);  // the engine wants something to run
    more.seed = rng.next();
    return more;
  }
  ++waiting_;
  Schedule child = std::move(left_.back());
  left_.pop_back();
  return child;
}

void Exhaust::announce() {
  if (said_ || waiting_ != 0) return;
  said_ = true;
  std::fprintf(stderr, "heddle: exhaust: %s\n", statistics().c_str());
}

std::string Exhaust::statistics() const {
  char text[256];
  const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
  if (complete()) {
    std::snprintf(text, sizeof text, "complete: all %llu orders were made, in %llu executions", n(orders_.size()), n(prefixes_.size() + 1));
  } else {
    std::snprintf(text, sizeof text, "%llu orders so far%s, %zu children left", n(orders_.size()), gave_up_ ? ", not all can be made" : "",
                  left_.size());
  }
  std::string out = text;
  if (impossible_ != 0) out += "; " + std::to_string(impossible_) + " times the program could not follow: an operation had to wait";
  return out + "\n";
}

}  // namespace heddle::mutator
