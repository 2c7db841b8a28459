// The steps of the search that try orders of operations.
#include <algorithm>
#include <utility>

#include "harness/cli/minimizer.h"
#include "schema/codec.h"

namespace heddle::cli {
namespace {

constexpr size_t kMostPairs = 120;  // of orders that are tried by twos
constexpr size_t kMostOpen = 60, kMostOrders = 400;

std::vector<Order> first_of(std::vector<Order> orders, size_t count) {
  if (orders.size() > count) orders.resize(count);
  return orders;
}

}  // namespace

void append(std::vector<Order>& out, const std::vector<Order>& more) {
  for (const Order& order : more) {
    if (std::find(out.begin(), out.end(), order) == out.end()) out.push_back(order);
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
  for (size_t part = (orders.size() + 1) / 2; part != 0 && !over();
       part = part == 1 ? 0 : (part + 1) / 2) {
    for (size_t end = orders.size(); end != 0 && orders.size() > kMaxDelays / 2;
         end = end > part ? end - part : 0) {
      std::vector<Order> fewer = orders;
      const size_t begin = end > part ? end - part : 0;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(begin),
                  fewer.begin() + static_cast<ptrdiff_t>(std::min(end, fewer.size())));
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
  // The operation of the finding is no event if it failed before it was recorded. A run without the
  // finding has it: what that thread does next.
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

// As one would by hand: another thread goes first at one place of the run that passes.
void Minimizer::try_one_deviation() {
  if (!explains(best_.schedule) || best_.size.constraints > 1)
    try_one_order(first_of(orders_of_deviations(passed_), kMostOrders));
}

void Minimizer::try_two_orders(const std::vector<Order>& orders) {
  if (explains(best_.schedule) && best_.schedule.delays.size() <= 1 &&
      best_.schedule.elements.empty())
    return;
  const size_t count = std::min(orders.size(), kMostPairs);
  const uint64_t last =
      executions_ + (limits_.executions - std::min(executions_, limits_.executions)) / 2;
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
    if (places.size() < kMostPlaces &&
        std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(place);
  }
  std::vector<Element> awaited;
  for (const Delay& delay : best_.schedule.delays) {
    if (std::find(awaited.begin(), awaited.end(), delay.until) == awaited.end())
      awaited.push_back(delay.until);
  }
  for (const Element& until : awaited) {
    for (const Element& place : places) {
      Schedule candidate = best_.schedule;
      const auto is_one = [&](const Delay& delay) {
        return delay.until == until && delay.what.site == place.site &&
               delay.what.kind == place.kind;
      };
      if (std::erase_if(candidate.delays, is_one) < 2) continue;
      candidate.delays.push_back({place, until});
      smaller(candidate);
    }
    for (const Element& place : places) {
      Schedule candidate = best_.schedule;
      if (std::erase_if(candidate.delays,
                        [&](const Delay& delay) { return delay.until == until; }) < 2)
        break;
      candidate.delays.push_back({place, until});
      smaller(candidate);
    }
  }
}

}  // namespace heddle::cli
