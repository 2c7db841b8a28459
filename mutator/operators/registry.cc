#include "mutator/operators/operator.h"

namespace heddle::mutator {

namespace {
// Weights: reads-from and ordering of racing or synchronising sites first, then chains, then the rest
// (docs/design/strategies.md#what-the-field-has-learned: mutating constraints under a fresh seed is what helps).
constexpr Operator kOperators[] = {
    {"abridge", Group::order, 4,
     "Drops one end of a chain. A chain of two operations goes as a whole.", abridge, true},
    {"flip", Group::order, 6,
     "Swaps two neighbours in a chain.", flip, true},
    {"substitute", Group::order, 8,
     "Replaces an operation of a chain by the one before or after it in its thread.", substitute, true},
    {"augment", Group::order, 10,
     "Appends to a chain: an operation of another thread on the same object as the last one, or on a neighbour's.", augment, true},
    {"start_chain", Group::order, 14,
     "Adds a chain of two operations, or one with the shape of a known kind of bug.", start_chain, true},
    {"interleave", Group::order, 26,
     "Adds a chain that puts operations of one thread between two operations of another.", interleave, true},
    {"order_constraint", Group::order, 12,
     "Adds a pair that leaves the threads open: some operation of this place before some operation of that one.", order_constraint, false},
    {"generalise", Group::order, 6,
     "Leaves the thread or the passage of an element open.", generalise, false},
    {"make_exact", Group::order, 2,
     "Names the thread and the passage of an element again.", make_exact, true},
    {"drop_chain", Group::order, 4,
     "Removes a chain.", drop_chain, false},
    {"keep_realised", Group::order, 6,
     "Cuts chains to the part that the parent's run has followed.", keep_realised, true},
    {"rf_insert", Group::reads_from, 16,
     "Adds a constraint: this read takes, or does not take, its value from that write.", rf_insert, false},
    {"rf_new", Group::reads_from, 16,
     "Adds a constraint for a pair of read and write that no run has had yet.", rf_new, false},
    {"rf_rare", Group::reads_from, 4,
     "Adds a constraint for a pair of read and write that few runs have had.", rf_rare, false},
    {"rf_negate", Group::reads_from, 4,
     "Turns a constraint into its opposite.", rf_negate, false},
    {"rf_remove", Group::reads_from, 4,
     "Removes a constraint.", rf_remove, false},
    // Not among the drawn ones: `mixed` takes them for runs under a weak memory model. Other searches do not change because of them.
    {"source_change", Group::reads_from, 0,
     "Weak memory: begins as the parent's execution graph, but one atomic reads another store. A compare-and-swap may have another outcome.", source_change,
     false},
    {"place_change", Group::reads_from, 0,
     "Weak memory: the same, but one store has another place in modification order.", place_change, false},
    {"visible_plain_add", Group::plain, 10,
     "Makes plain accesses that race points where another thread may go first.", visible_plain_add, false},
    {"visible_plain_remove", Group::plain, 3,
     "Makes fewer plain accesses such points.", visible_plain_remove, false},
    {"reseed", Group::search, 10,
     "Draws a new seed for everything that the schedule leaves open.", reseed, false},
    {"strategy_change", Group::search, 10,
     "Chooses another strategy, or other parameters for it.", strategy_change, false},
    {"select_flip", Group::select, 8,
     "Asks for another outcome of a choice: select case, waiter, time-out, spurious wake-up, failed try or compare-and-swap.", select_flip, true},
    {"delay", Group::flow, 8,
     "Holds an operation until one that came after it has run.", delay, true},
    {"payload", Group::payload, 8,
     "Changes data bytes, mostly those that a run has read.", payload, true},
    {"input_to_state", Group::payload, 8,
     "Writes into the data bytes what the program compared them with.", input_to_state, true},
    {"join_payloads", Group::payload, 1,
     "Inserts, appends or prepends data bytes of another input.", join_payloads, true},
};
}  // namespace

std::string_view group_name(Group group) {
  switch (group) {
    case Group::order: return "order";
    case Group::reads_from: return "reads_from";
    case Group::plain: return "plain";
    case Group::search: return "search";
    case Group::select: return "select";
    case Group::flow: return "flow";
    case Group::payload: return "payload";
  }
  return "";
}

std::span<const Operator> operators() { return kOperators; }

const Operator* operator_by_name(std::string_view name) {
  for (const Operator& op : kOperators) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

}  // namespace heddle::mutator
