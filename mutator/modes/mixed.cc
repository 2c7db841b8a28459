#include "mutator/modes/mixed.h"

#include <utility>

#include "mutator/operators/chain.h"
#include "schema/codec.h"

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

void Mixed::learn(const KnownRun& run, std::span<const uint8_t> input) {
  const bool novel = (run.flags & kRunNovel) != 0, read = (run.flags & kRunPayloadRead) != 0;
  bandit_.ran(run.hash, novel);
  since_novel_ = novel ? 0 : since_novel_ + 1;
  sources_.learn(run);
  opening_.learn(run, input);
  for (const RacingPair& pair : run.races) races_.add(pair);
  if (!novel && !read) return;
  Schedule s;
  const bool schedule = decode_schedule(input, s);
  if (novel && schedule) {
    if (const uint64_t key = constraint_key(s)) productive_.add(key);
  }
  if (read) payloads_.learn(s.payload, run.payload_reads, run.comparisons, novel);
}

bool Mixed::open(const EnginePick& parent, Schedule& child, Rng& rng) {
  // With one thread there is one schedule.
  const KnownRun* const own = shared_.runs.find(parent.hash);
  const bool alone = own != nullptr && own->threads.size() <= 1 && own->races.empty();
  Mode* const system = opening_.turn(!alone, payloads_.read());
  if (system == nullptr) return false;
  begin();
  system->next(parent, child, rng);
  whole_ = system->last_moves();
  // A race that is found on the way costs nothing.
  if (options_.plain_weight != 0) {
    for (const RacingPair& race : races_.pairs()) make_visible(child, race);
  }
  arms_ = Bandit::Arms{1} << opening_arm();
  if (opening_.walks_now() && payloads_.read() && options_.payload_weight != 0 && rng.chance(3, 4)) {
    Context c = context(child, own, own, rng, parent.max_size);
    change_data(c, own != nullptr && (own->flags & kRunPayloadRead) != 0);
  }
  return true;
}

void Mixed::next(const EnginePick& parent, Schedule& child, Rng& rng) {
  if (open(parent, child, rng)) return;
  opening_.set_free(parent);
  const KnownRun* const own = shared_.runs.find(parent.hash);
  const KnownRun* run = own;
  if (!run) {
    run = shared_.runs.any(rng);
  } else if (!run->races.empty() && !run->relations().has_plain()) {
    // The parent raced, but without a choice point at the race. A run with such a choice point says more about what to do there.
    const KnownRun* other = shared_.runs.any(rng);
    if (other && !other->events.empty() && other->relations().has_plain()) run = other;
  }
  run = draw_rare_source(run, rng);
  whole_.clear();
  child = parent.schedule;
  change(child, parent, run, own, rng);
  if (exhausted(child) && may_try_again(rng)) {
    child = parent.schedule;
    change(child, parent, run, own, rng);
  }
}

void Mixed::cross(const EnginePick& parent, OtherParent& other, Schedule& child, Rng& rng) {
  if (open(parent, child, rng)) return;
  opening_.set_free(parent);
  std::swap(child, parent.schedule);
  const KnownRun* const own = shared_.runs.find(parent.hash);
  const KnownRun* run = own ? own : shared_.runs.any(rng);
  whole_ = "cross_over";
  begin();
  arms_ = Bandit::Arms{1} << cross_over_arm();
  run = draw_rare_source(run, rng);
  Context c = context(child, run, own, rng, parent.max_size);
  // libFuzzer makes every second child by crossing. So data mutations get their share of these, too.
  if (data_first(rng)) {
    whole_.clear();
    begin();
    return change_data(c, own && (own->flags & kRunPayloadRead) != 0);
  }
  first_ = child;
  if (rare_source_ != nullptr) rf_rare(c);
  splice(c, other.schedule());
  keep_small(c, first_);
  if (may_try_again(rng)) keep_foreseen(c);
  if (!rng.chance(1, 4)) child.seed = rng.next();
  make_constraints_visible(child);
}

void Mixed::made(uint64_t hash, Making how) {
  opening_.made(hash, how);
  if (how == Making::shrink) arms_ = Bandit::Arms{1} << shrink_arm();
  bandit_.made(hash, arms_ != 0 ? arms_ : Bandit::Arms{1} << arm(reseed_move_));
}

std::string Mixed::last_moves() const {
  std::string text(whole_);
  for (uint32_t i = 0; i < used_count_; ++i) {
    if (!text.empty()) text += '-';
    text += used_[i]->name;
  }
  return text.empty() ? "reseed" : text;
}

std::string Mixed::statistics() const {
  std::vector<std::string_view> names;
  for (const Operator& op : operators()) names.push_back(op.name);
  names.insert(names.end(), {"cross_over", "shrink", "opening"});
  return bandit_.table(names);
}

std::unique_ptr<Mode> make_mixed(std::string_view, Shared& shared) { return std::make_unique<Mixed>(shared); }

std::vector<uint32_t> Mixed::priors() const {
  std::vector<uint32_t> weights;
  for (const Operator& op : operators()) weights.push_back(op.weight * group_weight(options_, op.group));
  weights.resize(opening_arm() + 1);
  return weights;
}

Context Mixed::context(Schedule& s, const KnownRun* run, const KnownRun* own, Rng& rng, size_t max_size) {
  const RunRelations relations = run && !run->events.empty() ? RunRelations(*run) : nullptr;
  std::span<const RacingPair> races = races_.pairs();
  if (run && !run->races.empty()) races = run->races;
  // A schedule needs at most about 80 bytes without its payload, if it has few constraints.
  const size_t room = max_size > 96 ? max_size - 96 : 0;
  Context c{s, relations, races, rng, seen_, options_, shared_.bytes, room, own != nullptr && run == own};
  c.sources = &sources_;
  c.rare_source = rare_source_;
  if (const KnownRun* const data = own ? own : run) c.comparisons = data->comparisons;
  if (own) c.payload_reads = own->payload_reads;
  return c;
}

const KnownRun* Mixed::draw_rare_source(const KnownRun* run, Rng& rng) {
  rare_source_ = options_.reads_from_weight != 0 && bandit_.chance(arm(rare_source_move_), 1, 4, rng) ? sources_.draw(rng) : nullptr;
  const KnownRun* const other = rare_source_ != nullptr ? shared_.runs.find(rare_source_->run) : nullptr;
  return other != nullptr && !other->events.empty() ? other : run;
}

// If a harness reads data bytes, or has had none to read, it may branch on them before it starts a thread. Bytes that no code read (or only
// uninstrumented code) are less important.
uint32_t Mixed::payload_share(const KnownRun* run, const Schedule& parent) const {
  if (run == nullptr || payloads_.read()) return 20;
  return parent.payload.empty() ? 8 : 4;
}

bool Mixed::take(const Operator& op, Context& c) {
  if (!op.apply(c)) return false;
  arms_ |= Bandit::Arms{1} << arm(op);
  if (used_count_ < kMaxUsed) used_[used_count_++] = &op;
  return true;
}

bool Mixed::exhausted(const Schedule& s) {
  const uint64_t key = constraint_key(s);
  if (key == 0) return false;
  const uint32_t limit = productive_.count(key) ? options_.repeats_productive : options_.repeats;
  if (tried_.count(key) >= limit) return true;
  tried_.add(key);
  return false;
}

bool Mixed::take_data(Context& c) {
  if (!c.other_payload.empty() && bandit_.chance(arm(join_payloads_move_), 1, 8, c.rng) && take(join_payloads_move_, c)) return true;
  if (!c.comparisons.empty() && bandit_.chance(arm(input_to_state_move_), 2, 3, c.rng) && take(input_to_state_move_, c)) return true;
  return take(payload_move_, c);
}

void Mixed::use_known_payload(Context& c) {
  const auto* known = payloads_.draw(c.rng);
  if (known == nullptr || known->bytes.size() > c.payload_room) return;
  c.schedule.payload = known->bytes;
  c.payload_reads = known->reads;
  c.comparisons = known->comparisons;
}

bool Mixed::data_first(Rng& rng) const {
  return payloads_.read() && options_.payload_weight != 0 && bandit_.chance(arm(payload_move_), 1, 3, rng);
}

void Mixed::change(Schedule& s, const EnginePick& parent, const KnownRun* run, const KnownRun* own, Rng& rng) {
  begin();
  Context c = context(s, run, own, rng, parent.max_size);
  bool may_keep_seed = !parent.foreign;
  bool only_payload = true;
  const auto take = [&](const Operator& op) {
    if (!Mixed::take(op, c)) return false;
    may_keep_seed &= op.may_keep_seed;
    only_payload &= op.group == Group::payload;
    return true;
  };
  // With one thread there is one schedule. So what the parent lacks is in its data, and its constraints are useless.
  if (own && own->threads.size() <= 1 && own->races.empty() && options_.payload_weight != 0 && rng.chance(15, 16)) {
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
  // Data first, if the harness reads it.
  if (data_first(rng)) return change_data(c, reads);
  if (payloads_.read() && options_.payload_weight != 0 && rng.chance(1, reads ? 16 : 3)) use_known_payload(c);
  // Constraints and preferences accumulate from parent to child. They may exclude what a run without them would reach.
  if (rng.chance(1, 4)) s.elements.clear(), s.reads_from.clear(), s.delays.clear(), s.selects.clear(), s.graph.clear();
  // Races are the most valuable information. A child without choice points at them is mostly wasted.
  if (!c.races.empty() && options_.plain_weight != 0 &&
      bandit_.chance(arm(add_plain_move_), s.visible_plain.empty() ? 7 : 1, s.visible_plain.empty() ? 8 : 10, rng)) {
    take(add_plain_move_);
  }
  if (rare_source_ != nullptr) take(rare_source_move_);
  else if (options_.reads_from_weight != 0 && bandit_.chance(arm(new_source_move_), 1, 4, rng)) take(new_source_move_);
  uint32_t wanted = s.memory_model != MemoryModel::sc && change_graph(s, c) ? 0 : 1;
  // With choice points there, the most common bug pattern is one thread between two steps of another.
  if (wanted != 0 && c.run && c.run->has_plain() && options_.order_weight != 0 && bandit_.chance(arm(interleave_move_), 2, 5, rng)) {
    wanted -= take(interleave_move_);
  }
  while (wanted < 4 && rng.chance(1, 3)) ++wanted;
  if (!bandit_.empty()) {
    for (uint32_t tries = 0, done = 0; done < wanted && tries < 12; ++tries) done += take(operators()[bandit_.draw(rng)]);
  }
  if (options_.payload_weight != 0 && bandit_.chance(arm(payload_move_), payload_share(run, parent.schedule), 64, rng)) take_data(c);
  keep_small(c, parent.schedule);
  if (s.elements != parent.schedule.elements && may_try_again(rng)) keep_foreseen(c);
  const bool keep = used_count_ != 0 && (only_payload ? rng.chance(7, 8) : may_keep_seed && rng.chance(1, 2));
  if (!keep || parent.foreign) s.seed = rng.next();
  make_constraints_visible(s);
}

bool Mixed::change_graph(Schedule& s, Context& c) {
  if (options_.reads_from_weight == 0) return false;
  if (bandit_.chance(arm(place_change_move_), 1, 8, c.rng) && take(place_change_move_, c)) return true;
  if (bandit_.chance(arm(source_change_move_), 1, 2, c.rng) && take(source_change_move_, c)) return true;
  // The parent's own prefix leaves little open.
  if (c.rng.chance(1, 2)) s.graph.clear();
  return false;
}

void Mixed::change_data(Context& c, bool reads) {
  // Most schedules of a corpus have data that lead nowhere.
  if (reads ? c.rng.chance(1, 2) : c.rng.chance(7, 8)) use_known_payload(c);
  if (const auto* other = payloads_.draw(c.rng)) c.other_payload = other->bytes;
  do take_data(c); while (c.rng.chance(1, 2));
  if (c.rng.chance(1, 4)) c.schedule.seed = c.rng.next();
}

}  // namespace heddle::mutator
