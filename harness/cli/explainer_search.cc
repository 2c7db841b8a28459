// The search as a whole: guesses, and what is counted of them.
#include <algorithm>
#include <utility>

#include "harness/cli/explainer.h"

namespace heddle::cli {
namespace {

constexpr size_t kQuick = 5, kThorough = 20;  // runs that try a guess
constexpr size_t kMostRounds = 1000, kMostCounts = 3;
constexpr double kFewExecutions = 10;
constexpr double kShareOfSearch = 0.6;  // of the time; the rest is for counting
constexpr double kExecutionsOfASearch = 200;
constexpr double kShareWithoutRaces = 0.5;  // of the time, if there are races that are no operations

bool contains(const std::vector<SiteId>& sites, SiteId site) {
  return std::find(sites.begin(), sites.end(), site) != sites.end();
}

}  // namespace

// The plain accesses that race in the finding's run or in one without it, and are no operations; or
// only the partners of those that are. The finding can end its run before the accesses that race.
std::vector<SiteId> Explainer::hidden_races(Plain which) const {
  std::vector<SiteId> out;
  const auto shown = [&](SiteId site) { return contains(schedule_.visible_plain, site); };
  const auto look_at = [&](const StoredTrace& run) {
    for (const RacingPair& pair : run.races) {
      if (which == Plain::partners && !shown(pair.first) && !shown(pair.second)) continue;
      for (const auto& [site, kind] : {std::pair(pair.first, pair.first_kind), std::pair(pair.second, pair.second_kind)}) {
        if (kind == Kind::none && site != kNoSite && !shown(site) && !contains(out, site)) out.push_back(site);
      }
    }
  };
  look_at(trace_);
  for (const StoredTrace& run : passing_) look_at(run);
  return out;
}

// Accesses to ordinary variables are no operations, and a finding can depend on their order alone.
// Those that race become operations; or only the partners in a race of those that are operations
// already. False: there are none, or the finding does not come then.
bool Explainer::show_plain_accesses(Plain which) {
  Schedule shown = schedule_;
  auto& sites = shown.visible_plain;
  for (const SiteId site : hidden_races(which)) {
    if (sites.size() < kMaxVisiblePlain) sites.push_back(site);
  }
  if (over() || shown.visible_plain == schedule_.visible_plain) return false;
  Execution execution = execute(shown);
  if (!is_finding(execution) || !execution.has_trace) return false;
  schedule_ = std::move(shown);
  trace_ = std::move(execution.trace);
  passing_.clear();  // their accesses are no operations
  looked_for_passing_ = false;
  return true;
}

// Until `end`, in seconds.
Explanation Explainer::search(double end) {
  Explanation out;
  samples_.clear();
  sites_.clear();
  comes_.clear();
  opposed_.clear();
  needed_.clear();
  told_apart_.clear();
  set_aside_.clear();
  untried_.clear();
  anywhere_ = cut_ = false;
  search_begun_ = seconds();
  search_end_ = end;
  deadline_ = at(kShareOfSearch);
  const auto result = [&] {
    out.visible_plain = schedule_.visible_plain;
    out.complete = !cut_;
    out.untried = untried_;
    if (cut_) out.untried.insert(Untried::others);
    return out;
  };
  if (over()) return result();
  collect_passing();
  collect_candidates();
  look_around();
  if (most_are_elsewhere()) count_elsewhere();
  std::optional<std::vector<size_t>> guess;
  size_t counts = 0;
  const auto count_guess = [&] {
    deadline_ = search_end_;
    count(*guess);
    Explanation next;
    tell(*guess, next);
    // What comes each time that it is demanded is not given up for what follows from it, also if that misses no finding.
    if (!out.comes_always() || next.comes_always() || is_refuted(out)) out = next;
    deadline_ = at(kShareOfSearch);
  };
  const auto is_contradicted = [&] {
    return contradicted(*guess, kQuick) || contradicted(*guess, kThorough) || needs_more(*guess);
  };
  if (const std::vector<size_t> circle = held_locks(); circle.size() > ConditionSearch::kLargest) {
    guess = circle;
    if (!is_contradicted() && !over()) {
      count_guess();
      return result();
    }
  }
  for (size_t round = 0; round < kMostRounds && !over(); ++round) {
    const auto smallest = guess = next_guess();
    if (!guess) break;
    if (is_contradicted()) continue;
    if (over()) break;
    guess = cause_of(*smallest);
    if (over()) break;
    if (search_.findings_with(*guess) == 0) continue;
    if (guess != smallest && is_contradicted()) continue;
    if (over()) break;
    count_guess();
    if (!anywhere_ && !set_aside_.empty() && (!out.sure() || leads_elsewhere(*guess))) {
      count_elsewhere();
      continue;
    }
    // Nothing that was counted speaks against it, nor says that it comes less often than it seemed.
    const bool agrees = next_guess() == smallest && search_.findings_with(*guess) != 0;
    if (!guess->empty()) comes_[*guess] = {out.demanded, out.enforced.findings};
    if (agrees && (++counts == kMostCounts || cause_of(*smallest) == *guess)) break;
  }
  if (cut_ && !out.found) {  // the best one so far
    if (!guess) guess = search_.best();
    cut_ = false;
    if (guess) count_guess();
    cut_ = true;
  }
  if (out.refuted()) out = {};  // a guess that was mostly wrong says nothing
  return result();
}

// Where more accesses are operations, there are more orders: what was said of fewer may not hold.
bool Explainer::is_refuted(const Explanation& other) const {
  std::unordered_set<SiteId> sites;
  for (const Condition& condition : other.conditions) add_sites(condition, sites);
  if (!std::all_of(sites.begin(), sites.end(), [&](SiteId site) { return sites_.contains(site); })) return false;
  const auto speaks_against_it = [&](const Sample& sample) {
    const bool holds = sample.index.holds(other.conditions);
    return holds != sample.index.found() && (holds ? other.sufficient() : other.necessary());
  };
  return !other.for_some_threads && std::any_of(samples_.begin(), samples_.end(), speaks_against_it);
}

// Accesses to ordinary variables race, and `first` does not name them: perhaps it names what only
// follows from their order.
Explanation Explainer::search_for_races(Explanation first) {
  search_end_ = deadline_ = limits_.seconds;
  cut_ = false;
  if (!show_plain_accesses(Plain::all)) return first;
  Explanation second = search(limits_.seconds);
  if (!second.complete) first.untried.insert(Untried::races);
  if (!first.found) return second;
  return says_more(second, first) || (second.sure() && is_refuted(first)) ? second : first;
}

// So few executions fit into the time that one order cannot be told from another. But each of them may have the finding.
Explanation Explainer::count_in_any_order() {
  Explanation out;
  deadline_ = limits_.seconds;
  count({});
  tell({}, out);
  if (out.with.runs == 0 || !out.with.all()) out = {};
  out.complete = false;
  out.untried = {Untried::orders};
  return out;
}

Explanation Explainer::search_for_conditions() {
  deadline_ = at(kShareOfSearch);
  choose_assumptions();
  collect_passing();
  show_plain_accesses(Plain::partners);  // else what comes before a read would stand for it
  collect_passing();
  const bool races = !hidden_races(Plain::all).empty();
  // Two searches with few executions each would find nothing.
  const bool time_for_both = latest_ * kExecutionsOfASearch < at(kShareWithoutRaces) - seconds();
  Explanation out = search(races && time_for_both ? at(kShareWithoutRaces) : limits_.seconds);
  const bool order_matters = !out.found || !out.conditions.empty();
  if (order_matters && races && !time_for_both) out.untried.insert(Untried::races);
  if (order_matters && (races || (!out.found && out.complete))) out = search_for_races(out);
  if (!out.sure()) tell_one_way(out);
  return out;
}

Explanation Explainer::explain() {
  deadline_ = search_end_ = limits_.seconds;
  const bool few = latest_ * kFewExecutions > limits_.seconds - seconds();
  Explanation out = few ? count_in_any_order() : search_for_conditions();
  if (!few) try_data(out);
  out.assumes = schedule_.assumes;
  out.executions = executions_;
  return out;
}

}  // namespace heddle::cli
