// One child of the mixed mode: which moves it gets, in what order, and whether data bytes come first.
#include "mutator/mutator_impl.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {
namespace {

uint32_t group_weight(const Options& options, Group group) {
  switch (group) {
    case Group::order: return options.order_weight;
    case Group::reads_from: return options.reads_from_weight;
    case Group::plain: return options.plain_weight;
    case Group::search: return options.search_weight;
    case Group::select: return options.select_weight;
    case Group::flow: return options.flow_weight;
    case Group::payload: return options.payload_weight;
  }
  return 0;
}

}  // namespace

std::vector<uint32_t> Mutator::Impl::priors() const {
  std::vector<uint32_t> weights;
  for (const Operator& op : operators()) weights.push_back(op.weight * group_weight(options, op.group));
  weights.resize(shrink_arm() + 1);
  return weights;
}

Context Mutator::Impl::context(Schedule& s, const KnownRun* run, const KnownRun* own, Rng& rng, size_t max_size) {
  const RunRelations relations = run && !run->events.empty() ? RunRelations(*run) : nullptr;
  std::span<const RacingPair> races = book.pairs();
  if (run && !run->races.empty()) races = run->races;
  // What a schedule costs beside its payload: at most about 80 bytes when it says little.
  const size_t room = max_size > 96 ? max_size - 96 : 0;
  Context c{s, relations, races, rng, seen, options, bytes, room, own != nullptr && run == own};
  c.sources = &sources;
  c.rare_source = rare_source;
  if (const KnownRun* const data = own ? own : run) c.comparisons = data->comparisons;
  if (own) c.payload_reads = own->payload_reads;
  return c;
}

const KnownRun* Mutator::Impl::draw_rare_source(const KnownRun* run, Rng& rng) {
  rare_source = options.reads_from_weight != 0 && bandit.chance(arm(rare_source_move), 1, 4, rng) ? sources.draw(rng) : nullptr;
  const KnownRun* const other = rare_source != nullptr ? store.find(rare_source->run) : nullptr;
  return other != nullptr && !other->events.empty() ? other : run;
}

// A harness that was seen to read data bytes, or has had none to read, may well branch on them before it starts a thread; bytes that nobody
// read (or only code that is not instrumented) matter less.
uint32_t Mutator::Impl::payload_share(const KnownRun* run) const {
  if (run == nullptr || payloads.read()) return 20;
  return parent.payload.empty() ? 8 : 4;
}

bool Mutator::Impl::take_data(Context& c) {
  if (!c.other_payload.empty() && bandit.chance(arm(join_payloads_move), 1, 8, c.rng) && take(join_payloads_move, c)) return true;
  if (!c.comparisons.empty() && bandit.chance(arm(input_to_state_move), 2, 3, c.rng) && take(input_to_state_move, c)) return true;
  return take(payload_move, c);
}

void Mutator::Impl::use_known_payload(Context& c) {
  const auto* known = payloads.draw(c.rng);
  if (known == nullptr || known->bytes.size() > c.payload_room) return;
  c.schedule.payload = known->bytes;
  c.payload_reads = known->reads;
  c.comparisons = known->comparisons;
}

bool Mutator::Impl::data_first(Rng& rng) const {
  return payloads.read() && options.payload_weight != 0 && bandit.chance(arm(payload_move), 1, 3, rng);
}

void Mutator::Impl::change(Schedule& s, const KnownRun* run, const KnownRun* own, Rng& rng, size_t max_size, bool foreign) {
  begin("");
  Context c = context(s, run, own, rng, max_size);
  bool may_keep_seed = !foreign;
  bool only_payload = true;
  const auto take = [&](const Operator& op) {
    if (!Impl::take(op, c)) return false;
    may_keep_seed &= op.may_keep_seed;
    only_payload &= op.group == Group::payload;
    return true;
  };
  // One thread has one schedule: what the parent lacks is in its data. Its constraints are dead weight.
  if (own && own->threads.size() <= 1 && own->races.empty() && options.payload_weight != 0 && rng.chance(15, 16)) {
    Schedule bare;
    bare.seed = s.seed;
    bare.payload = std::move(s.payload);
    s = std::move(bare);
    if (data_first(rng)) return change_data(c, (own->flags & kRunPayloadRead) != 0);
    do take_data(c); while (rng.chance(1, 2));
    return;
  }
  const KnownRun* const data = own ? own : run;
  const bool reads = data && (data->flags & kRunPayloadRead) != 0;
  // Data first, where it is read.
  if (data_first(rng)) return change_data(c, reads);
  if (payloads.read() && options.payload_weight != 0 && rng.chance(1, reads ? 16 : 3)) use_known_payload(c);
  // Constraints and preferences add up from parent to child, and may shut out what a free run would reach.
  if (rng.chance(1, 4)) s.elements.clear(), s.reads_from.clear(), s.delays.clear(), s.selects.clear();
  // Races are the best news there is: a child that cannot switch at them is mostly a waste.
  if (!c.races.empty() && options.plain_weight != 0 &&
      bandit.chance(arm(add_plain_move), s.visible_plain.empty() ? 7 : 1, s.visible_plain.empty() ? 8 : 10, rng)) {
    take(add_plain_move);
  }
  if (rare_source != nullptr) take(rare_source_move);
  else if (options.reads_from_weight != 0 && bandit.chance(arm(new_source_move), 1, 4, rng)) take(new_source_move);
  uint32_t wanted = 1;
  // And once it can, the shape of most bugs there is one thread between two steps of another.
  if (c.run && c.run->has_plain() && options.order_weight != 0 && bandit.chance(arm(interleave_move), 2, 5, rng)) {
    wanted -= take(interleave_move);
  }
  while (wanted < 4 && rng.chance(1, 3)) ++wanted;
  if (!bandit.empty()) {
    for (uint32_t tries = 0, done = 0; done < wanted && tries < 12; ++tries) done += take(operators()[bandit.draw(rng)]);
  }
  if (options.payload_weight != 0 && bandit.chance(arm(payload_move), payload_share(run), 64, rng)) take_data(c);
  keep_small(c, parent);
  const bool keep = used_count != 0 && (only_payload ? rng.chance(7, 8) : may_keep_seed && rng.chance(1, 2));
  if (!keep || foreign) s.seed = rng.next();
  make_constraints_visible(s);
}

void Mutator::Impl::change_data(Context& c, bool reads) {
  // Most schedules of a corpus have data that lead nowhere.
  if (reads ? c.rng.chance(1, 2) : c.rng.chance(7, 8)) use_known_payload(c);
  if (const auto* other = payloads.draw(c.rng)) c.other_payload = other->bytes;
  do take_data(c); while (c.rng.chance(1, 2));
  if (c.rng.chance(1, 4)) c.schedule.seed = c.rng.next();
}

}  // namespace heddle::mutator
