#include "harness/cli/minimizer.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "schema/codec.h"

namespace heddle::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kLeastMilliseconds = 200, kEnoughMilliseconds = 2000;
constexpr uint64_t kManyTimedOut = 10;
constexpr size_t kMostPairs = 120;  // of orders that are tried by twos

constexpr size_t kMostOpen = 60, kMostOrders = 400;

bool explains(const Schedule& schedule) { return schedule.strategy == StrategyId::nonpreemptive; }

// Joins lists of orders without repetition.
void append(std::vector<Order>& out, const std::vector<Order>& more) {
  for (const Order& order : more) {
    if (std::find(out.begin(), out.end(), order) == out.end()) out.push_back(order);
  }
}

std::vector<Order> first_of(std::vector<Order> orders, size_t count) {
  if (orders.size() > count) orders.resize(count);
  return orders;
}

}  // namespace

size_t constraints_of(const Schedule& s, size_t switches) {
  const size_t named = s.delays.size() + s.elements.size() + s.reads_from.size() + s.selects.size() + s.visible_plain.size() + s.graph.size() + s.weights.size();
  const bool explained = s.strategy == StrategyId::nonpreemptive;
  return named + (explained ? s.seed != 0 : switches) + static_cast<size_t>(std::popcount(s.assumes)) + (s.memory_model != MemoryModel::sc);
}

Minimizer::Minimizer(TargetServer& target, const SearchLimits& limits, std::function<void(const Minimizer&)> progress)
    : target_(target), limits_(limits), progress_(std::move(progress)) {}

bool Minimizer::over() {
  const bool over = executions_ >= limits_.executions || Clock::now() - begun_ > std::chrono::seconds(limits_.seconds);
  cut_ = cut_ || over;
  return over;
}

bool Minimizer::begin(const std::vector<uint8_t>& input) {
  begun_ = Clock::now();
  first_ = target_.run(input, limits_.milliseconds);
  ++executions_;
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun_).count();
  begun_ = Clock::now();
  const unsigned often = static_cast<unsigned>(took);
  milliseconds_ = std::min({limits_.milliseconds, std::max(kLeastMilliseconds, often * 10), std::max(kEnoughMilliseconds, often * 2)});
  if (!first_.found || !first_.has_trace) return false;
  decode_schedule(input, original_);
  const size_t switches = thread_switches(first_.trace);
  before_ = {switches, constraints_of(original_, switches), original_.payload.size(), first_.trace.events.size()};
  best_ = {original_, first_.trace, before_, true};
  tried_.insert(hash_input(input));
  return true;
}

// Runs the candidate. True: it has the same finding, and is smaller than the best one. It is the best one then.
bool Minimizer::smaller(const Schedule& candidate) {
  same_finding_ = false;
  const auto bytes = encode_schedule(candidate);
  if (over() || !tried_.insert(hash_input(bytes)).second) return false;
  Execution execution = target_.run(bytes, milliseconds_);
  ++executions_;
  progress_(*this);
  if (execution.timed_out && ++timed_out_ == kManyTimedOut) milliseconds_ = std::max(kLeastMilliseconds / 4, milliseconds_ / 4);
  if (!execution.has_trace) return false;
  same_finding_ = execution.found && execution.signature == first_.signature && execution.timed_out == first_.timed_out;
  if (!same_finding_) {
    if (candidate.delays.empty() && candidate.elements.empty() && passed_.events.empty()) passed_ = std::move(execution.trace);
    return false;
  }
  const size_t switches = thread_switches(execution.trace);
  const Size size = {switches, constraints_of(candidate, switches), candidate.payload.size(), execution.trace.events.size()};
  // Of equally many switches, better those with a reason.
  const bool better = size.switches != best_.size.switches || explains(candidate) == explains(best_.schedule) ? size < best_.size : explains(candidate);
  if (!better) return false;
  best_ = {candidate, std::move(execution.trace), size, false};
  return true;
}

// Delta debugging (Zeller and Hildebrandt): large parts first.
template <typename T>
void Minimizer::leave_out(std::vector<T> Schedule::*list) {
  for (size_t part = ((best_.schedule.*list).size() + 1) / 2; part != 0 && !over(); part = part == 1 ? 0 : (part + 1) / 2) {
    for (bool again = true; again;) {
      again = false;
      for (size_t end = (best_.schedule.*list).size(); end != 0; end = end > part ? end - part : 0) {
        Schedule candidate = best_.schedule;
        auto& items = candidate.*list;
        end = std::min(end, items.size());
        const size_t begin = end > part ? end - part : 0;
        items.erase(items.begin() + static_cast<ptrdiff_t>(begin), items.begin() + static_cast<ptrdiff_t>(end));
        again = smaller(candidate) || again;
      }
      again = again && part == 1;
    }
  }
}

// The run as a chain with an element at each end of a thread's turn, then with fewer turns.
void Minimizer::leave_out_of_chain(std::vector<Order> orders) {
  const auto as_chain = [&](const std::vector<Order>& some) {
    Schedule candidate = bare_schedule(original_);
    candidate.selects = unusual_outcomes(best_.run);
    candidate.elements = chain_of(some);
    return candidate;
  };
  smaller(as_chain(orders));
  if (!same_finding_) return;
  for (size_t part = (orders.size() + 1) / 2; part != 0 && !over(); part = part == 1 ? 0 : (part + 1) / 2) {
    for (size_t end = orders.size(); end != 0 && orders.size() > kMaxDelays / 2; end = end > part ? end - part : 0) {
      std::vector<Order> fewer = orders;
      const size_t begin = end > part ? end - part : 0;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(begin), fewer.begin() + static_cast<ptrdiff_t>(std::min(end, fewer.size())));
      smaller(as_chain(fewer));
      if (same_finding_) orders = std::move(fewer);
    }
  }
  Schedule candidate = as_chain({});
  for (const Order& order : orders) candidate.delays.push_back(delay_of(order));
  if (orders.size() <= kMaxDelays) smaller(candidate);
}

void Minimizer::make_explicit(const StoredTrace& run) {
  std::vector<Order> orders = orders_of_switches(run);
  if (orders.size() > kMaxElements / 2) return;  // more than a schedule holds
  // The operation of the finding is no event if it failed before it was recorded. A run without the finding has it: what that thread does next.
  append(orders, orders_of_next(run, passed_));
  Schedule candidate = bare_schedule(original_);
  candidate.selects = unusual_outcomes(run);
  if (orders.size() > kMaxDelays) return leave_out_of_chain(std::move(orders));
  for (const Order& order : orders) candidate.delays.push_back(delay_of(order));
  smaller(candidate);
  if (same_finding_) return;
  candidate.seed = original_.seed;  // it also decides whether freed memory is used again
  smaller(candidate);
}

std::vector<Order> Minimizer::promising_orders(const StoredTrace& run) const {
  std::vector<Order> orders = first_of(orders_of_next(run, passed_), kMostOrders);
  append(orders, first_of(orders_of_switches(run), kMostOrders));
  append(orders, first_of(orders_of_conflicts(run), kMostOrders));
  std::vector<Order> all = first_of(open_orders(orders), kMostOpen);  // few, and each says much
  append(all, first_of(orders, kMostOrders));
  return all;
}

Schedule Minimizer::with(std::initializer_list<const Order*> orders) const {
  Schedule candidate = bare_schedule(best_.schedule);
  if (explains(best_.schedule)) {
    candidate.seed = best_.schedule.seed;
    candidate.selects = best_.schedule.selects;
  }
  for (const Order* order : orders) candidate.delays.push_back(delay_of(*order));
  return candidate;
}

// Most bugs need one or two orders (docs/design/strategies.md#what-the-field-has-learned).
void Minimizer::try_one_order(const std::vector<Order>& orders) {
  for (const Order& order : orders) smaller(with({&order}));
}

void Minimizer::try_two_orders(const std::vector<Order>& orders) {
  if (explains(best_.schedule) && best_.schedule.delays.size() <= 1 && best_.schedule.elements.empty()) return;
  const size_t count = std::min(orders.size(), kMostPairs);
  const uint64_t last = executions_ + (limits_.executions - std::min(executions_, limits_.executions)) / 2;
  for (size_t sum = 1; sum < 2 * count; ++sum) {  // those at the front of the list first
    for (size_t i = 0; 2 * i < sum; ++i) {
      if (sum - i < count && executions_ < last) smaller(with({&orders[i], &orders[sum - i]}));
    }
  }
}

// One order for all that wait for the same: any thread that comes to a place waits for it.
void Minimizer::merge(const std::vector<Order>& orders) {
  constexpr size_t kMostPlaces = 40;
  std::vector<Element> places;
  for (const Order& order : orders) {
    Element place = order.second;
    place.thread = kAnyThread;
    place.occurrence = 0;
    if (places.size() < kMostPlaces && std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  std::vector<Element> awaited;
  for (const Delay& delay : best_.schedule.delays) {
    if (std::find(awaited.begin(), awaited.end(), delay.until) == awaited.end()) awaited.push_back(delay.until);
  }
  for (const Element& until : awaited) {
    for (const Element& place : places) {
      Schedule candidate = best_.schedule;
      const auto is_one = [&](const Delay& delay) { return delay.until == until && delay.what.site == place.site && delay.what.kind == place.kind; };
      if (std::erase_if(candidate.delays, is_one) < 2) continue;
      candidate.delays.push_back({place, until});
      smaller(candidate);
    }
    for (const Element& place : places) {
      Schedule candidate = best_.schedule;
      if (std::erase_if(candidate.delays, [&](const Delay& delay) { return delay.until == until; }) < 2) break;
      candidate.delays.push_back({place, until});
      smaller(candidate);
    }
  }
}

// One order for another.
void Minimizer::exchange(const std::vector<Order>& orders) {
  for (bool again = true; again && !over();) {
    again = false;
    for (size_t i = 0; i < best_.schedule.delays.size(); ++i) {
      for (const Order& order : orders) {
        if (i >= best_.schedule.delays.size() || over()) break;
        Schedule candidate = best_.schedule;
        candidate.delays[i] = delay_of(order);
        again = smaller(candidate) || again;
      }
    }
    if (again) leave_out(&Schedule::delays);
  }
}

void Minimizer::leave_out_data() {
  Schedule candidate = best_.schedule;
  candidate.payload.clear();
  smaller(candidate);
  leave_out(&Schedule::payload);
}

void Minimizer::leave_out_all() {
  leave_out(&Schedule::delays);
  leave_out(&Schedule::elements);
  leave_out(&Schedule::reads_from);
  leave_out(&Schedule::selects);
  leave_out(&Schedule::graph);
  leave_out(&Schedule::visible_plain);
  leave_out(&Schedule::weights);
  Schedule candidate = best_.schedule;
  candidate.assumes = 0;
  smaller(candidate);
  candidate = best_.schedule;
  candidate.memory_model = MemoryModel::sc;
  smaller(candidate);
  candidate = best_.schedule;
  candidate.seed = 0;
  smaller(candidate);
}

// From the whole run down.
void Minimizer::reduce_run() {
  make_explicit(first_.trace);
  leave_out_all();
  for (Size last = before_; best_.size < last && !over();) {
    last = best_.size;
    make_explicit(StoredTrace(best_.run));
    leave_out_all();
  }
}

void Minimizer::search() {
  Schedule bare = bare_schedule(original_);
  smaller(bare);
  if (!same_finding_ && original_.seed != 0) {
    bare.seed = original_.seed;
    smaller(bare);
  }
  const Minimal file = best_.is_file ? best_ : Minimal{original_, first_.trace, before_, true};
  try_one_order(promising_orders(first_.trace));
  if (explains(best_.schedule)) leave_out_all();
  const Minimal few = std::exchange(best_, file);
  reduce_run();
  if (!few.is_file && (!explains(best_.schedule) || few.size < best_.size)) best_ = few;
  if (!explains(best_.schedule)) make_explicit(StoredTrace(best_.run));  // one with fewer switches may be simple enough

  std::vector<Order> orders = promising_orders(best_.run);
  append(orders, promising_orders(first_.trace));
  merge(orders);
  try_one_order(orders);
  try_two_orders(orders);
  leave_out_all();
  orders = orders_of_turns(best_.run);
  append(orders, open_orders(orders));
  merge(orders);
  exchange(orders);
  leave_out_all();
  leave_out_data();
  leave_out_all();
}

}  // namespace heddle::cli
