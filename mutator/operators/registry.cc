#include "mutator/operators/operator.h"

namespace heddle::mutator {

namespace {
// Weights: reads-from and ordering of racing or synchronising sites first, then chains, then the rest
// (docs/design/strategies.md#what-the-field-has-learned: mutating constraints under a fresh seed is what helps).
constexpr Operator kOperators[] = {
    {"abridge", Group::order, 4, abridge, true},
    {"flip", Group::order, 6, flip, true},
    {"substitute", Group::order, 8, substitute, true},
    {"augment", Group::order, 10, augment, true},
    {"start_chain", Group::order, 14, start_chain, true},
    {"interleave", Group::order, 26, interleave, true},
    {"order_constraint", Group::order, 12, order_constraint, false},
    {"generalise", Group::order, 6, generalise, false},
    {"make_exact", Group::order, 2, make_exact, true},
    {"drop_chain", Group::order, 4, drop_chain, false},
    {"keep_realised", Group::order, 6, keep_realised, true},
    {"rf_insert", Group::reads_from, 16, rf_insert, false},
    {"rf_new", Group::reads_from, 16, rf_new, false},
    {"rf_rare", Group::reads_from, 4, rf_rare, false},
    {"rf_negate", Group::reads_from, 4, rf_negate, false},
    {"rf_remove", Group::reads_from, 4, rf_remove, false},
    {"visible_plain_add", Group::plain, 10, visible_plain_add, false},
    {"visible_plain_remove", Group::plain, 3, visible_plain_remove, false},
    {"reseed", Group::search, 10, reseed, false},
    {"strategy_change", Group::search, 10, strategy_change, false},
    {"select_flip", Group::select, 8, select_flip, true},
    {"delay", Group::flow, 8, delay, true},
    {"payload", Group::payload, 8, payload, true},
    {"input_to_state", Group::payload, 8, input_to_state, true},
    {"join_payloads", Group::payload, 1, join_payloads, true},
};
}  // namespace

std::span<const Operator> operators() { return kOperators; }

const Operator* operator_by_name(std::string_view name) {
  for (const Operator& op : kOperators) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

}  // namespace heddle::mutator
