// What decides whether a run has a finding: the smallest set of conditions that is enough, and
// without which it does not come. It is guessed from the runs seen so far, then tried: a run that
// contradicts it is one more to guess from. At the end everything that is said has been counted.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "harness/cli/condition_search.h"
#include "harness/cli/run_condition.h"
#include "harness/cli/search_clock.h"
#include "harness/cli/target_server.h"
#include "harness/cli/thread_origins.h"

namespace heddle::cli {

// Of executions.
struct Tally {
  size_t runs = 0;
  size_t findings = 0;  // those that count
  size_t elsewhere = 0;  // of these: at another place

  bool all() const { return findings == runs; }
  bool none() const { return findings == 0; }
};

// What there was no time for.
enum class Untried : uint8_t {
  orders,      // which one decides: no order was compared with another
  causes,      // whether what is named only follows from something else
  others,      // other conditions than those that are named
  races,       // the order of accesses to ordinary variables
  executions,  // as many as ExplainLimits::runs for each count
  data,        // which data bytes decide
};

// A data byte of the finding's input that cannot have any value.
struct DecidingByte {
  size_t position = 0;
  uint8_t value = 0;
  std::vector<uint8_t> others = {};  // the other values with which the finding comes, in the same schedule
};

// A random byte that tells the executions with the finding from those without it.
struct RandomByte {
  ThreadId thread = kMainThread;
  uint32_t draw = 1;       // the thread's, from 1
  bool of_file = false;    // it is in the random file that begins there, and not in the word itself
  size_t position = 0;     // from 0
  uint8_t value = 0;       // in the finding's run
  std::vector<uint8_t> with = {};    // its values in other executions with the finding
  size_t findings = 0, others = 0;   // how many executions had one of these values, and how many had another
};

struct Explanation {
  static constexpr size_t kEnough = 10;  // executions without which nothing is said for sure

  bool found = false;  // false: no conditions are enough, as far as was searched
  std::vector<Condition> conditions;
  size_t each = 0;  // executions that were made for each tally. Where what they demand did not come
                    // about, they say nothing
  size_t demanded = 0;  // executions in which the conditions were demanded; 0 if they cannot be
  Tally enforced;       // of these: the conditions held
  std::vector<Tally>
      opposite;         // for each: its opposite was demanded, and the conditions did not hold
  Tally with, without;  // nothing was demanded: where they held, and where they did not
  uint8_t assumes = 0;  // what all executions took for granted (Assumption)
  size_t other_findings = 0;  // executions that ended with another finding, which are in no tally
  bool for_some_threads =
      false;                  // other threads can have the parts of those that the conditions name
  std::vector<bool> differs;  // for each: it does not hold in the nearest run without the finding;
                              // empty: no such run was seen
  std::vector<bool> timed;    // for each: an outcome, and in the finding's run a time-out
  std::vector<bool> happens;  // for each: an order that never came the other way round: where it was
                              // not so, its first operation was not there at all
  std::vector<bool> skipped;  // for each: an order, and where the finding comes, its second operation
                              // never does
  std::vector<SiteId> visible_plain;  // accesses to ordinary variables that were operations
  std::vector<Condition> one_way;     // not sure: what the minimized schedule demands, or what is in its run
  Tally one_way_held;                    // executions in which all of this was demanded, and was so
  std::vector<Tally> one_way_without;    // for each: all others were demanded, and this one was not so
  bool each_is_needed = false;           // of these: without any one of them, the finding does not come each time
  bool nonpreemptive = false;         // ... while each thread runs until it has to wait
  bool same_order_passes = false;     // not found: the same operations in the same order came without the finding, too
  std::vector<DecidingByte> data;     // with all other values tried
  std::vector<RandomByte> random;     // all that tell them apart: mostly one
  size_t executions = 0;
  bool complete = true;  // it did not come to its limits
  std::set<Untried> untried;

  bool sufficient() const {
    return found && (enforced.runs != 0 || !can_be_demanded(conditions)) && enforced.all() && with.all();
  }
  bool necessary() const;
  // It comes if all of this is demanded. What only follows from the cause cannot be demanded.
  double comes_if_demanded() const;
  bool comes_always() const;
  bool names_plain_access() const;
  // All executions in which the conditions held.
  Tally held() const { return {enforced.runs + with.runs, enforced.findings + with.findings}; }
  // Many conditions decide together, and no few of them.
  bool is_chain() const { return !found && one_way_held.runs >= kEnough && one_way_held.all(); }
  bool sure() const { return found && held().runs >= kEnough; }
  // The finding came in at most half of them.
  bool refuted() const { return held().runs != 0 && 2 * held().findings <= held().runs; }
};

struct ExplainLimits {
  size_t runs = 100;  // for each tally
  unsigned seconds = 20;           // as SearchClock counts
  unsigned milliseconds = 60'000;  // of one execution
  double longest = 0, mean = 0;    // seconds that executions have taken
};

// `races`, in which racing accesses are operations, names the cause, and `other` what follows from it.
bool says_more(const Explanation& races, const Explanation& other);

// In the run the choice came out as a time-out.
bool is_time_out(const StoredTrace& run, const Condition& condition);

class Explainer {
 public:
  // `schedule` has the finding, with as few constraints as possible; `finding` is its run.
  Explainer(TargetServer& target, const Schedule& schedule, const Execution& finding,
            const ExplainLimits& limits, std::function<void(size_t)> progress);
  Explanation explain();

 private:
  enum class Purpose : uint8_t { guess, enforced, opposite, free };
  struct Sample {
    RunIndex index;
    Purpose purpose = Purpose::guess;
    size_t condition = 0;  // of which the opposite was demanded
    bool elsewhere = false;  // the finding is at another place
  };

  bool over();
  double at(double share) const;  // of the time of the search that goes on
  bool is_late();                 // the time that is left is for counting
  double seconds() const;
  // True: the run counts. It is then the last sample.
  bool run(const Schedule& schedule, Purpose purpose = Purpose::guess, size_t condition = 0);
  Execution execute(const Schedule& schedule);
  bool is_finding(const Execution& execution) const;
  bool is_elsewhere(const Execution& execution) const;
  void add(Sample sample);
  bool most_are_elsewhere() const;
  bool leads_elsewhere(const std::vector<size_t>& guess) const;
  void count_elsewhere();
  void add_next(StoredTrace& run) const;
  Schedule random_schedule();
  Schedule with_another_seed(Schedule schedule);
  void choose_assumptions();
  enum class Plain : uint8_t { partners, all };
  std::vector<SiteId> hidden_races(Plain which) const;
  bool show_plain_accesses(Plain which);
  Explanation search(double end);
  Explanation search_for_conditions();
  Explanation count_in_any_order();
  Explanation search_for_races(Explanation first);
  bool is_refuted(const Explanation& other) const;
  bool same_order_passes();
  void tell_one_way(Explanation& out);
  bool is_enough(const std::vector<Condition>& all);
  std::vector<Condition> fewest(std::vector<Condition> all, bool& each);
  void try_many_together(Explanation& out);
  void count_together(Explanation& out);
  void try_data(Explanation& out);
  void try_random_bytes(Explanation& out);
  std::vector<Schedule> neighbours() const;
  void collect_passing();
  void collect_candidates();
  void look_around();
  bool contradicted(const std::vector<size_t>& guess, size_t runs);
  bool needs_more(const std::vector<size_t>& guess);
  std::optional<std::vector<size_t>> next_guess() const;
  Tally comes_of(const std::vector<size_t>& set);
  uint32_t place_of(const std::vector<size_t>& set) const;
  bool ends_early(size_t candidate) const;
  std::vector<size_t> held_locks() const;
  std::optional<std::vector<size_t>> next_cause(const std::vector<size_t>& guess, const std::vector<size_t>& best) const;
  std::vector<size_t> cause_of(const std::vector<size_t>& guess);
  std::vector<size_t> likely_cause_of(const std::vector<size_t>& guess);
  bool comes_always(const std::vector<size_t>& set);
  std::vector<Element> operations_before(const Element& e, const Element& since) const;
  std::optional<size_t> number_of(const Condition& condition, size_t like);
  std::optional<bool> is_better(const std::vector<size_t>& other, const std::vector<size_t>& set);
  std::vector<size_t> without_implied(std::vector<size_t> set) const;
  bool is_all_of_data(const std::vector<size_t>& set) const;
  bool is_only_with_finding(size_t candidate) const;
  std::vector<size_t> nearest_of(const std::vector<size_t>& cause);
  std::vector<size_t> with_earlier(const std::vector<size_t>& set, size_t& named, Element Order::*side);
  std::vector<Element> operations_after(const Element& e) const;
  std::vector<size_t> widened(const std::vector<size_t>& set);
  std::vector<size_t> with_looks(const std::vector<size_t>& set);
  std::vector<size_t> weakened(const std::vector<size_t>& set);
  void count(const std::vector<size_t>& guess);
  void tell(const std::vector<size_t>& guess, Explanation& out) const;
  void tally(Explanation& out) const;
  void compare_with_nearest(Explanation& out) const;
  bool is_about_happening(const Condition& condition) const;
  bool skips_second(const Condition& condition) const;
  std::vector<Condition> conditions_of(const std::vector<size_t>& guess) const;

  TargetServer& target_;
  Schedule schedule_;
  StoredTrace trace_;
  std::vector<StoredTrace> passing_;  // runs without the finding
  bool looked_for_passing_ = false;
  const uint64_t signature_;
  const uint32_t kind_;  // of the finding
  const bool only_spins_;
  const ExplainLimits limits_;
  const std::function<void(size_t)> progress_;
  const SearchClock clock_;
  unsigned milliseconds_;
  size_t executions_ = 0, others_ = 0;
  uint64_t seed_ = 0;
  double search_begun_ = 0, search_end_ = 0;
  double deadline_ = 0;  // in seconds
  double latest_;        // what an execution takes, in seconds
  bool cut_ = false;
  std::set<Untried> untried_;  // of the search that goes on
  std::vector<Condition> candidates_;
  std::map<std::vector<size_t>, Tally> comes_;  // what came of demanding them
  std::map<std::pair<std::vector<size_t>, std::vector<size_t>>, std::optional<bool>> told_apart_;  // is_better()
  std::vector<bool> unreached_;  // for each: an order whose second operation the finding's run never came to
  std::vector<uint32_t> places_;  // for each: where in the finding's run it comes about
  std::unordered_set<size_t> opposed_;  // those that held in each run, when their opposite was demanded
  std::vector<size_t> needed_;          // a guess that was not enough, with the one of these that it needs
  ThreadOrigins origins_;
  std::unordered_set<SiteId> sites_;  // of the candidates
  ConditionSearch search_{0};
  std::vector<Sample> samples_;
  bool anywhere_ = false;          // findings of this kind count at any place
  std::vector<Sample> set_aside_;  // those at other places, until then
  std::vector<RunIndex> passing_by_;  // runs that show that some conditions together are not enough
};

}  // namespace heddle::cli
