// The search for the smallest input with the same finding.
//
// It first makes the run explicit: the strategy `nonpreemptive`, and one order for each switch of threads. Then it leaves out what the finding
// does not need, and tries few orders by themselves. The measure is what a reader has to follow: switches of threads, then constraints, then
// data bytes.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/cli/explicit_schedule.h"
#include "harness/cli/search_clock.h"
#include "harness/cli/target_server.h"

namespace heddle::cli {

struct Size {
  size_t switches = 0;
  size_t constraints = 0;
  size_t data = 0;
  size_t operations = 0;

  auto operator<=>(const Size&) const = default;
};

struct Minimal {
  Schedule schedule;
  StoredTrace run;
  Size size;
  bool is_file = false;  // nothing smaller was found: the file itself
};

struct SearchLimits {
  uint64_t executions = 2000;
  unsigned seconds = 20;           // as SearchClock counts
  unsigned milliseconds = 60'000;  // of one execution
};

class Minimizer {
 public:
  // `progress` is called after each execution.
  Minimizer(TargetServer& target, const SearchLimits& limits, std::function<void(const Minimizer&)> progress);

  // False: the input has no finding.
  bool begin(const std::vector<uint8_t>& input);
  const Execution& first() const { return first_; }
  // The finding is about threads that only spin, and the executions end as soon as that is likely (engine/spin_verdict.h).
  bool judges_quickly() const { return judges_quickly_; }
  void search();

  const Minimal& best() const { return best_; }
  const Size& before() const { return before_; }
  uint64_t executions() const { return executions_; }
  double longest_seconds() const { return std::chrono::duration<double>(longest_).count(); }
  double seconds() const { return clock_.seconds(); }
  bool complete() const { return !cut_; }  // it did not come to its limits
  bool late() const { return late_; }      // it came to that of time
  // What its limits did not let it finish, and then what they did not let it try at all.
  std::vector<std::string> not_tried() const;

 private:
  enum class Step : uint8_t { one_order, whole_run, two_orders, exchange, deviations, data };
  bool judge_quickly(const std::vector<uint8_t>& input);
  static size_t leave_out_rounds(Execution& execution);  // the number of operations with them
  bool over();
  Execution run(std::span<const uint8_t> input, unsigned milliseconds);
  std::optional<Execution> attempt(const Schedule& candidate);
  bool is_same(const Execution& execution) const;
  Minimal sized(const Schedule& candidate, Execution&& execution);
  bool is_better(const Minimal& candidate) const;
  bool smaller(const Schedule& candidate);
  template <typename T>
  void leave_out(std::vector<T> Schedule::*list);
  void reduce_run();
  void make_explicit(const StoredTrace& run);
  void leave_out_of_chain(std::vector<Order> orders);
  std::vector<Order> promising_orders(const StoredTrace& run) const;
  Schedule with(std::initializer_list<const Order*> orders) const;
  void try_one_order(const std::vector<Order>& orders);
  void try_one_deviation();
  void try_two_orders(const std::vector<Order>& orders);
  void try_few_deviations();
  void reduce(const Schedule& candidate, Execution&& execution);
  void merge(const std::vector<Order>& orders);
  void exchange(const std::vector<Order>& orders);
  void leave_out_all();
  void leave_out_data();

  TargetServer& target_;
  const SearchClock clock_;
  const SearchLimits limits_;
  const std::function<void(const Minimizer&)> progress_;
  // Real time of an execution, for limits. A busy machine can stop one for seconds, which says nothing about the next.
  std::chrono::steady_clock::duration longest_{};
  double latest_ = 0;  // seconds, as the clock counts
  Execution first_;
  Minimal best_;
  Size before_;
  Schedule original_;
  unsigned milliseconds_ = 0;
  uint64_t executions_ = 0, timed_out_ = 0;
  bool cut_ = false, late_ = false;
  Step step_ = Step::one_order, cut_in_ = Step::one_order;
  bool judges_quickly_ = false;
  bool same_finding_ = false;      // of the last candidate
  StoredTrace passed_;             // a run without the finding, with nothing but the strategy
  std::set<uint64_t> tried_;       // hashes of inputs
};

// Each line of the schedule is one deviation from the usual.
inline bool explains(const Schedule& schedule) { return schedule.strategy == StrategyId::nonpreemptive; }
// Joins lists of orders without repetition.
void append(std::vector<Order>& out, const std::vector<Order>& more);

// The number of things that a reader of the schedule has to understand. `switches`: those of its run, because under a strategy with a seed
// nothing says where they come from.
size_t constraints_of(const Schedule& schedule, size_t switches);

}  // namespace heddle::cli
