// A recorded run as a schedule in which nothing is left to a seed: which operation waits for which, and which outcome a choice has. What is
// not said follows from the strategy `nonpreemptive`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schema/schedule.h"
#include "schema/trace_file.h"

namespace heddle::cli {

// `second` waits until `first` has happened. A delay of a schedule.
struct Order {
  Element first;
  Element second;

  bool operator==(const Order&) const = default;
};

Delay delay_of(const Order& order);
// The operation, in that thread, the n-th time.
Element element_of(const StoredTrace& run, const Event& event);

// How often the thread changes from one finished operation to the next.
size_t thread_switches(const StoredTrace& run);

// For each thread, the last thing that it did and others can see, before what another thread was about
// to do at the end.
std::vector<Order> orders_before_end(const StoredTrace& run);
// What the thread that runs at the end was about to do comes before what each other thread of `run` would have done next, as `other` tells. It
// matters even if no other thread can see it as an operation, such as a change of how a signal is handled.
std::vector<Order> orders_of_absent(const StoredTrace& run, const StoredTrace& other);
// One order for each switch: together they give the run again. In the order of the run. Also for what threads were about to do at the end.
// If there are more than a schedule holds, only the first ones.
std::vector<Order> orders_of_switches(const StoredTrace& run);
// The same for the operation that each thread of `run` would have done next, as `other` tells, after the last operation of `run`.
std::vector<Order> orders_of_next(const StoredTrace& run, const StoredTrace& other);
// Other orders that can decide a bug: operations on one object, of which one writes, of which the later one comes next; and one thread after the
// end of another. Those at the end of the run come first.
std::vector<Order> orders_of_conflicts(const StoredTrace& run);

// Sections of one lock in different threads: the one before takes it first. A delay can hold a thread
// before it has the lock, and not before it gives it back.
std::vector<Order> orders_of_sections(const StoredTrace& run);

// At the end a writer waits for a lock that readers have, and so does another reader, which the writer stops: the writer came before it.
std::vector<Order> orders_of_waiters(const StoredTrace& run);

// One operation of another thread comes before an operation of `run` that it could have come before: for each operation, and each thread that was
// there. Those at the end of the run come first.
std::vector<Order> orders_of_deviations(const StoredTrace& run);

// For each operation with which a turn of a thread begins: it waits for the last operation before it of each other thread.
std::vector<Order> orders_of_turns(const StoredTrace& run);
// The same for any thread that comes to the second operation, where several do.
std::vector<Order> open_orders(const std::vector<Order>& orders);

// The outcome of an operation that is a choice, as SelectPreference::choice names it. Mostly 0 is the usual one.
std::optional<int32_t> outcome_of(const Event& event);
// The same, and 1 for a time-out that nothing hurried: the choice can make it come earlier.
std::optional<int32_t> observed_outcome(const Event& event);
// Nothing else could have come out: the outcome follows from what happened before.
bool is_forced(const StoredTrace& run, const Event& event);
SelectPreference preference(const StoredTrace& run, const Event& event, int32_t choice);
// The outcomes of choices that are not the usual ones.
std::vector<SelectPreference> unusual_outcomes(const StoredTrace& run);

// A schedule with nothing but the strategy, and the parameters of `like` that are no constraints.
Schedule bare_schedule(const Schedule& like);

// The orders as chain 0: for more than delays can say.
std::vector<Element> chain_of(const std::vector<Order>& orders);

}  // namespace heddle::cli
