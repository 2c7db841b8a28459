// Of conditions that always come together, which one is the cause: the finding comes if it is demanded.
// What follows from the cause, such as the order of two frees, is only there if the cause is, so it
// cannot be demanded alone.
#include <algorithm>
#include <tuple>

#include "harness/cli/explainer.h"

namespace heddle::cli {
namespace {

constexpr size_t kRuns = 12;     // that demand a set
constexpr size_t kMisses = 3;    // of these; then it is no cause
constexpr size_t kTries = 100;   // sets
constexpr size_t kMostTried = 3, kMostNamed = 4;  // conditions
constexpr double kAlways = 0.85;  // of the runs that demand it: it is a cause
constexpr double kBetter = 0.2;   // than what is named now

double share(const Tally& tally) {
  return tally.runs == 0 ? 0 : static_cast<double>(tally.findings) / static_cast<double>(tally.runs);
}

// The set and one more.
std::vector<size_t> with(const std::vector<size_t>& set, size_t more) {
  std::vector<size_t> out = set;
  out.insert(std::upper_bound(out.begin(), out.end(), more), more);
  return out;
}

}  // namespace

double Explanation::comes_if_demanded() const { return share({demanded, enforced.findings}); }

bool Explanation::comes_always() const { return sure() && sufficient() && comes_if_demanded() >= kAlways; }

bool Explanation::names_plain_access() const {
  const auto plain = [](const Element& e) { return e.kind == Kind::plain_read || e.kind == Kind::plain_write; };
  return std::any_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
    const Order* const order = std::get_if<Order>(&condition);
    return order != nullptr && (plain(order->first) || plain(order->second));
  });
}

bool says_more(const Explanation& races, const Explanation& other) {
  return races.names_plain_access() && races.held().runs >= Explanation::kEnough &&
         races.sufficient() >= other.sufficient() && races.necessary() >= other.necessary() &&
         races.comes_if_demanded() + kBetter > std::min(other.comes_if_demanded(), kAlways);
}

// The runs that demand the set, and those of them that have it and the finding. Not all of them if it
// mostly does not come.
Tally Explainer::comes_of(const std::vector<size_t>& set) {
  const auto [at, fresh] = comes_.try_emplace(set);
  Tally& tally = at->second;
  if (!fresh) return tally;
  const std::vector<Condition> all = conditions_of(set);
  for (size_t n = 0; n < kRuns && tally.runs - tally.findings < kMisses && !over(); ++n) {
    Schedule demanding = random_schedule();
    demand(all, demanding);
    if (!run(demanding)) continue;
    ++tally.runs;
    tally.findings += samples_.back().index.found() && samples_.back().index.holds(all);
  }
  return tally;
}

uint32_t Explainer::place_of(const std::vector<size_t>& set) const {
  uint32_t latest = 0;
  for (const size_t i : set) latest = std::max(latest, places_[i]);
  return latest;
}

// A wait ended without what it waits for, which the finding can need.
bool Explainer::ends_early(size_t candidate) const {
  const SelectPreference* const choice = std::get_if<SelectPreference>(&candidates_[candidate]);
  if (choice == nullptr) return false;
  if (choice->kind == Kind::clock_jump) return choice->choice != 0 && (schedule_.assumes & kPatientTimeouts) == 0;
  if (choice->choice <= 0) return false;
  const bool spurious = !is_time_out(trace_, *choice);
  switch (choice->kind) {
    case Kind::cond_wake:
    case Kind::futex_wait:
      return (schedule_.assumes & (spurious ? kNoSpuriousWakes : kPatientTimeouts)) == 0;
    case Kind::mutex_timedlock:
    case Kind::rwlock_rdlock:
    case Kind::rwlock_wrlock:
    case Kind::semaphore_wait:
    case Kind::signal_wait:
    case Kind::sleep:
      return (schedule_.assumes & kPatientTimeouts) == 0;
    default:
      return false;
  }
}

// Each thread that waits for a mutex came to it after its holder had taken it. A circle of many threads
// has more such orders than are tried in sets.
std::vector<size_t> Explainer::held_locks() const {
  std::vector<size_t> out;
  for (const Event& waiting : trace_.events) {
    if (waiting.finished() || waiting.kind != Kind::mutex_lock || waiting.object == 0) continue;
    const uint32_t holder = trace_.objects[waiting.object].holder;
    const Event* taken = nullptr;
    for (const Event& e : trace_.events) {
      if (e.finished() && e.kind == waiting.kind && e.object == waiting.object && e.thread + 1 == holder) taken = &e;
    }
    if (taken == nullptr) continue;
    const Condition order = Order{element_of(trace_, *taken), element_of(trace_, waiting)};
    const auto at = std::find(candidates_.begin(), candidates_.end(), order);
    if (at != candidates_.end()) out.push_back(static_cast<size_t>(at - candidates_.begin()));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// What can be the cause of `guess`, the most likely one first. `best` is the best one so far.
std::optional<std::vector<size_t>> Explainer::next_cause(const std::vector<size_t>& guess, const std::vector<size_t>& best) const {
  enum Rank : int { kWithEarlyEnd, kAsMany, kMore, kFewer };
  using Key = std::tuple<int, size_t, uint32_t, size_t>;
  std::optional<std::pair<Key, std::vector<size_t>>> out;
  const size_t findings = search_.findings_with(guess);
  const auto consider = [&](const std::vector<size_t>& set, int rank, size_t missed) {
    const Key key = {rank, missed, place_of(set), set.size()};  // causes come before their consequences
    if (!comes_.contains(set) && (!out || key < out->first)) out = {key, set};
  };
  for (const auto& [set, its] : search_.sufficient()) consider(set, its < findings ? kFewer : kAsMany, findings - std::min(its, findings));
  // A wake-up without a notification is rare, so what follows from it seems to be enough.
  for (const std::vector<size_t>& base : {guess, best}) {
    if (base.size() >= kMostTried) continue;
    for (const size_t more : search_.always_with(base)) {
      const bool before = places_[more] <= place_of(base);
      if (before) consider(with(base, more), ends_early(more) ? kWithEarlyEnd : kMore, 0);
    }
  }
  return out ? std::optional(out->second) : std::nullopt;
}

bool Explainer::comes_always(const std::vector<size_t>& set) { return share(comes_of(set)) >= kAlways; }

// `guess`, or what it follows from.
std::vector<size_t> Explainer::cause_of(const std::vector<size_t>& guess) {
  const std::vector<Condition> all = conditions_of(guess);
  const auto is_seen_only = [](const Condition& condition) { return std::holds_alternative<LastWake>(condition) || is_interruption(condition); };
  if (std::all_of(all.begin(), all.end(), is_seen_only)) return guess;
  std::vector<size_t> out = likely_cause_of(guess);
  if (comes_always(out)) out = weakened(nearest_of(widened(out)));  // else chance would decide which one comes more often
  out = with_looks(without_implied(out));
  // An order can enforce that a time is over. It is said nevertheless.
  for (const size_t more : search_.always_with(out)) {
    const auto is_there = [&](size_t one) { return places_[one] == places_[more] && ends_early(one); };  // a longer jump
    if (std::any_of(out.begin(), out.end(), is_there)) continue;
    if (out.size() < kMostNamed && ends_early(more) && places_[more] <= place_of(out)) out = with(out, more);
  }
  return search_.findings_with(out) != 0 ? out : guess;  // executions that tried it can speak against it
}

std::vector<size_t> Explainer::likely_cause_of(const std::vector<size_t>& guess) {
  std::vector<size_t> out = guess;
  double most = share(comes_of(guess));
  for (const auto& [set, tally] : comes_) {  // from an earlier try
    if (share(tally) <= most || search_.findings_with(set) < search_.findings_with(guess)) continue;
    most = share(tally);
    out = set;
  }
  const auto enough = [&] { return most >= kAlways || is_late(); };
  for (size_t n = 0; n < kTries && !enough(); ++n) {
    if (search_.findings_with(guess) == 0) break;  // what was tried speaks against it
    const auto next = next_cause(guess, out);
    if (!next) break;
    const double comes = share(comes_of(*next));
    const size_t findings = search_.findings_with(*next);
    if (findings == 0 || comes < most + kBetter) continue;
    if (findings < search_.findings_with(guess) && comes < kAlways) continue;  // one way of several
    most = comes;
    out = *next;
  }
  // What was added on the way and is not needed any more, the latest first.
  std::vector<size_t> parts = out;
  std::sort(parts.begin(), parts.end(), [&](size_t a, size_t b) { return places_[a] > places_[b]; });
  for (const size_t part : parts) {
    std::vector<size_t> fewer = out;
    std::erase(fewer, part);
    if (out == guess || fewer.empty() || ends_early(part) || over()) continue;
    const bool all = search_.findings_with(fewer) >= search_.findings_with(out);
    if (all && share(comes_of(fewer)) >= most && search_.findings_with(fewer) != 0) out = fewer;
  }
  return out;
}

}  // namespace heddle::cli
