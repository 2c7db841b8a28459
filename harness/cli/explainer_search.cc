// The search as a whole: guesses, and what is counted of them.
#include <algorithm>
#include <utility>

#include "harness/cli/explainer.h"

namespace heddle::cli {
namespace {

constexpr size_t kQuick = 5, kThorough = 20;  // runs that try a guess
constexpr size_t kMostRounds = 100;
constexpr double kShareOfSearch = 0.6;  // of the time; the rest is for counting

}  // namespace

// Accesses to ordinary variables are no operations, and a finding can depend on their order alone.
// Those that race become operations; or only the partners in a race of those that are operations
// already. False: there are none, or the finding does not come then.
bool Explainer::show_plain_accesses(Plain which) {
  Schedule shown = schedule_;
  const auto is_shown = [&](SiteId site) {
    const auto& sites = schedule_.visible_plain;
    return std::find(sites.begin(), sites.end(), site) != sites.end();
  };
  const auto show = [&](SiteId site, Kind kind) {
    auto& sites = shown.visible_plain;
    if (kind != Kind::none || site == kNoSite || sites.size() == kMaxVisiblePlain) return;
    if (std::find(sites.begin(), sites.end(), site) == sites.end()) sites.push_back(site);
  };
  const auto show_races = [&](const StoredTrace& run) {
    for (const RacingPair& pair : run.races) {
      if (which == Plain::partners && !is_shown(pair.first) && !is_shown(pair.second)) continue;
      show(pair.first, pair.first_kind);
      show(pair.second, pair.second_kind);
    }
  };
  show_races(trace_);
  for (const StoredTrace& run : passing_) show_races(run);
  if (over() || shown.visible_plain == schedule_.visible_plain) return false;
  Execution execution = execute(shown);
  if (!is_finding(execution) || !execution.has_trace) return false;
  schedule_ = std::move(shown);
  trace_ = std::move(execution.trace);
  return true;
}

Explanation Explainer::search() {
  Explanation out;
  passing_.clear();
  samples_.clear();
  sites_.clear();
  anywhere_ = false;
  undecided_ = true;
  search_begun_ = seconds();
  deadline_ = at(kShareOfSearch);
  if (over()) return out;
  collect_candidates();
  look_around();
  count_elsewhere_if_most_are_there();
  std::optional<std::vector<size_t>> guess;
  const auto count_guess = [&] {
    deadline_ = limits_.seconds;
    count(*guess);
    tell(*guess, out);
    deadline_ = at(kShareOfSearch);
  };
  for (size_t round = 0; round < kMostRounds && !over(); ++round) {
    guess = search_.best();
    if (!guess) break;
    if (contradicted(*guess, kQuick) || contradicted(*guess, kThorough)) continue;
    if (over()) break;
    count_guess();
    if (search_.best() == guess) break;  // nothing that was counted speaks against it
  }
  if (cut_ && !out.found) {  // the best one so far
    if (!guess) guess = search_.best();
    cut_ = false;
    if (guess) count_guess();
    cut_ = true;
  }
  if (out.refuted()) out = {};  // a guess that was mostly wrong says nothing
  return out;
}

Explanation Explainer::explain() {
  deadline_ = at(kShareOfSearch);
  choose_assumptions();
  show_plain_accesses(Plain::partners);  // else what comes before a read would stand for it
  Explanation out = search();
  if (!out.found && !cut_ && show_plain_accesses(Plain::all)) out = search();
  out.visible_plain = schedule_.visible_plain;
  out.assumes = schedule_.assumes;
  out.executions = executions_;
  out.other_findings = others_;
  out.complete = !cut_;
  return out;
}

}  // namespace heddle::cli
