#include "mutator/mutator.h"

#include <algorithm>
#include <cstring>

#include "mutator/byte_mutator.h"
#include "mutator/knowledge/bandit.h"
#include "mutator/knowledge/energy.h"
#include "mutator/knowledge/payload_book.h"
#include "mutator/knowledge/race_book.h"
#include "mutator/knowledge/store.h"
#include "mutator/modes/mode.h"
#include "mutator/operators/chain.h"
#include "mutator/operators/operator.h"
#include "schema/codec.h"

namespace heddle::mutator {

struct Mutator::Impl {
  explicit Impl(const Options& o) : options(o), store(o.memory_limit), bandit(priors()) {}

  // Arms of the bandit: the moves in their order, then what is no move to be drawn.
  static size_t arm(const Operator& op) { return static_cast<size_t>(&op - operators().data()); }
  static size_t cross_over_arm() { return operators().size(); }
  static size_t shrink_arm() { return operators().size() + 1; }
  std::vector<uint32_t> priors() const {
    std::vector<uint32_t> weights;
    for (const Operator& op : operators()) weights.push_back(op.weight * group_weight(op.group));
    weights.resize(shrink_arm() + 1);
    return weights;
  }

  uint32_t group_weight(Group group) const {
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

  // `own`: it is the run of this very schedule.
  Context context(Schedule& s, const KnownRun* run, bool own, Rng& rng, size_t max_size) {
    const Relations* relations = run && !run->events.empty() ? &run->relations() : nullptr;
    std::span<const RacingPair> races = book.pairs();
    if (run && !run->races.empty()) races = run->races;
    // What a schedule costs beside its payload: at most about 80 bytes when it says little.
    const size_t room = max_size > 96 ? max_size - 96 : 0;
    Context c{s, relations, races, rng, seen, options, bytes, room, own};
    if (run) c.comparisons = run->comparisons;
    if (run && own) c.payload_reads = run->payload_reads;
    return c;
  }

  // How often, of 64, a child gets other data bytes beside its other changes. A harness that was seen to read them, or has had none to
  // read, may well branch on them before it starts a thread; bytes that nobody read (or only code that is not instrumented) matter less.
  uint32_t payload_share(const KnownRun* run) const {
    if (run == nullptr || payloads.read()) return 20;
    return parent.payload.empty() ? 8 : 4;
  }

  // One mutation of `s`, which holds the parent.
  void change(Schedule& s, const KnownRun* run, bool own, Rng& rng, size_t max_size, bool foreign);
  // Of its data alone, mostly under the parent's own schedule, so that what the data changed shows.
  void change_data(Context& c, bool reads);
  // By what the run compared, where that is known.
  bool take_data(Context& c) {
    if (!c.other_payload.empty() && bandit.chance(arm(join_payloads_move), 1, 8, c.rng) && take(join_payloads_move, c)) return true;
    if (!c.comparisons.empty() && bandit.chance(arm(input_to_state_move), 2, 3, c.rng) && take(input_to_state_move, c)) return true;
    return take(payload_move, c);
  }
  bool take(const Operator& op, Context& c) {
    if (!op.apply(c)) return false;
    apply(op);
    return true;
  }
  // Data bytes that have led somewhere, in another schedule.
  void use_known_payload(Context& c) {
    const auto* known = payloads.draw(c.rng);
    if (known == nullptr || known->bytes.size() > c.payload_room) return;
    c.schedule.payload = known->bytes;
    c.payload_reads = known->reads;
    c.comparisons = known->comparisons;
  }
  bool data_first(Rng& rng) const {
    return payloads.read() && options.payload_weight != 0 && bandit.chance(arm(payload_move), 1, 3, rng);
  }
  void apply(const Operator& op) {
    arms |= Bandit::Arms{1} << arm(op);
    if (used_count < kMaxUsed) used[used_count++] = &op;
  }
  void begin(std::string_view what) {
    used_count = 0;
    arms = 0;
    whole = what;
  }
  // The child that the arms made.
  size_t made(const uint8_t* data, size_t size) {
    bandit.made(hash_input({data, size}), arms != 0 ? arms : Bandit::Arms{1} << arm(reseed_move));
    return size;
  }
  size_t write(Schedule& s, uint8_t* data, size_t max_size, Rng& rng);
  size_t shrink_input(uint8_t* data, size_t size, size_t max_size, Rng& rng);
  // Instead of a mutation: what the mode wants to run now. `parent` is decoded.
  size_t ask_mode(uint8_t* data, size_t max_size, Rng& rng);
  void tell_mode(const KnownRun& run, std::span<const uint8_t> input);

  // Has this set of constraints been tried often enough?
  bool exhausted(const Schedule& s) {
    const uint64_t key = constraint_key(s);
    if (key == 0) return false;
    const uint32_t limit = productive.count(key) ? options.repeats_productive : options.repeats;
    if (tried.count(key) >= limit) return true;
    tried.add(key);
    return false;
  }

  static constexpr uint32_t kMaxUsed = 8;
  // Engines run a child at once, or a few calls later; one that they drop must not be waited for.
  static constexpr uint32_t kMaxAwaited = 64;

  Options options;
  RunStore store;
  RaceBook book;
  PayloadBook payloads;
  SeenCounts seen, tried, productive;
  ByteMutator bytes = nullptr;
  Bandit bandit;
  const Operator& add_plain_move = *operator_by_name("visible_plain_add");
  const Operator& interleave_move = *operator_by_name("interleave");
  const Operator& payload_move = *operator_by_name("payload");
  const Operator& input_to_state_move = *operator_by_name("input_to_state");
  const Operator& join_payloads_move = *operator_by_name("join_payloads");
  const Operator& reseed_move = *operator_by_name("reseed");
  Bandit::Arms arms = 0;  // that made the present child
  const Operator* used[kMaxUsed] = {};
  uint32_t used_count = 0;
  std::string_view whole;  // instead of moves: shrink, cross_over, the name of the mode
  double best_score = 0;
  Schedule parent, child, first;  // kept for their capacity
  ScheduleEncoder encoder;
  std::unique_ptr<Mode> mode;  // null: mixed
  std::string_view mode_name;
  uint64_t awaited[kMaxAwaited] = {};  // hashes of the mode's children that did not run yet
  uint32_t awaited_count = 0;
};

void Mutator::Impl::change(Schedule& s, const KnownRun* run, bool own, Rng& rng, size_t max_size, bool foreign) {
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
  if (own && run && run->threads.size() <= 1 && run->races.empty() && options.payload_weight != 0 && rng.chance(15, 16)) {
    Schedule bare;
    bare.seed = s.seed;
    bare.payload = std::move(s.payload);
    s = std::move(bare);
    do take_data(c); while (rng.chance(1, 2));
    return;
  }
  const bool reads = run && (run->flags & kRunPayloadRead) != 0;
  // Data first, where it is read.
  if (data_first(rng)) return change_data(c, reads);
  if (payloads.read() && options.payload_weight != 0 && rng.chance(1, reads ? 16 : 3)) use_known_payload(c);
  // Races are the best news there is: a child that cannot switch at them is mostly a waste.
  if (!c.races.empty() && options.plain_weight != 0 &&
      bandit.chance(arm(add_plain_move), s.visible_plain.empty() ? 7 : 1, s.visible_plain.empty() ? 8 : 10, rng)) {
    take(add_plain_move);
  }
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

size_t Mutator::Impl::write(Schedule& s, uint8_t* data, size_t max_size, Rng& rng) {
  const std::span<const uint8_t> bytes = encoder.encode(s);
  if (bytes.size() <= max_size) {
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
  }
  std::vector<uint8_t> left = s.payload;
  std::vector<uint8_t> out = shrink(s, max_size, rng);
  if (out.empty()) {  // not even the empty schedule fits: data bytes alone
    if (left.empty()) left.push_back(static_cast<uint8_t>(rng.next()));
    if (left.size() > max_size) left.resize(max_size);
    out = std::move(left);
  }
  std::memcpy(data, out.data(), out.size());
  return out.size();
}

size_t Mutator::Impl::shrink_input(uint8_t* data, size_t size, size_t max_size, Rng& rng) {
  begin("shrink");
  arms = Bandit::Arms{1} << shrink_arm();
  if (decode_schedule({data, size}, child)) return made(data, write(child, data, max_size, rng));
  // Foreign bytes stay what they are, less a piece.
  const size_t from = rng.below(static_cast<uint32_t>(max_size + 1));
  const size_t cut = size - max_size;
  std::memmove(data + from, data + from + cut, max_size - from);
  return made(data, max_size);
}

size_t Mutator::Impl::ask_mode(uint8_t* data, size_t max_size, Rng& rng) {
  begin(mode_name);
  child = mode->next(parent, rng);
  const size_t size = write(child, data, max_size, rng);
  awaited[awaited_count++ % kMaxAwaited] = hash_input({data, size});
  return size;
}

void Mutator::Impl::tell_mode(const KnownRun& run, std::span<const uint8_t> input) {
  const auto it = std::find(std::begin(awaited), std::end(awaited), run.hash);
  const bool own = run.hash != 0 && it != std::end(awaited);
  if (own) *it = 0;
  Schedule schedule;
  decode_schedule(input, schedule);
  mode->learn(run, schedule, own);
}

Mutator::Mutator(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Mutator::~Mutator() = default;

void Mutator::learn(const RunSummary& run, std::span<const uint8_t> input) {
  Impl& m = *impl_;
  const KnownRun& known = m.store.add(run);
  m.bandit.ran(run.input_hash, (run.flags & kRunNovel) != 0);
  for (uint32_t i = 0; i < run.race_count; ++i) m.book.add(run.races[i]);
  if (run.flags & kRunPayloadRead) m.payloads.note_read();
  if (run.flags & kRunNovel) {
    Schedule s;
    if (decode_schedule(input, s)) {
      if (const uint64_t key = constraint_key(s)) m.productive.add(key);
    }
    if (run.flags & kRunPayloadRead) m.payloads.learn(s.payload, run.payload_reads, known.comparisons);
  }
  if (m.mode) m.tell_mode(known, input);
}

void Mutator::keep(uint64_t input_hash) { impl_->store.keep(input_hash); }
const KnownRun* Mutator::known(uint64_t input_hash) { return impl_->store.find(input_hash); }

size_t Mutator::mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed) {
  Impl& m = *impl_;
  if (max_size == 0) return 0;
  const uint64_t hash = hash_input({data, size});
  Rng rng(mix(hash, seed));
  if (size > max_size) return m.shrink_input(data, size, max_size, rng);
  const bool foreign = !decode_schedule({data, size}, m.parent);
  if (m.mode) return m.ask_mode(data, max_size, rng);
  const KnownRun* run = m.store.find(hash);
  if (!run) {
    run = m.store.any(rng);
  } else if (!run->races.empty() && !run->relations().has_plain()) {
    // It raced where it could not switch: a run that could says more about what to do there.
    const KnownRun* other = m.store.any(rng);
    if (other && !other->events.empty() && other->relations().has_plain()) run = other;
  }
  for (int tries = 0;; ++tries) {
    m.child = m.parent;
    m.change(m.child, run, run && run->hash == hash, rng, max_size, foreign);
    if (tries == 1 || !m.exhausted(m.child)) break;
  }
  return m.made(data, m.write(m.child, data, max_size, rng));
}

size_t Mutator::cross_over(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                           size_t max_size, uint32_t seed) {
  Impl& m = *impl_;
  if (max_size == 0) return 0;
  const uint64_t hash = hash_input({a, a_size});
  Rng rng(mix(mix(hash, hash_input({b, b_size})), seed));
  if (m.mode) {
    decode_schedule({a, a_size}, m.parent);
    return m.ask_mode(out, max_size, rng);
  }
  decode_schedule({a, a_size}, m.child);
  decode_schedule({b, b_size}, m.parent);
  const KnownRun* run = m.store.find(hash);
  if (!run) run = m.store.any(rng);
  m.begin("cross_over");
  m.arms = Bandit::Arms{1} << m.cross_over_arm();
  const bool own = run && run->hash == hash;
  Context c = m.context(m.child, run, own, rng, max_size);
  // libFuzzer crosses every second child: data has its share of those, too.
  if (m.data_first(rng)) {
    m.begin("");
    m.change_data(c, own && (run->flags & kRunPayloadRead) != 0);
    return m.made(out, m.write(m.child, out, max_size, rng));
  }
  m.first = m.child;
  splice(c, m.parent);
  keep_small(c, m.first);
  if (!rng.chance(1, 4)) m.child.seed = rng.next();
  make_constraints_visible(m.child);
  return m.made(out, m.write(m.child, out, max_size, rng));
}

uint32_t Mutator::children(std::span<const uint8_t> input, uint32_t full) const {
  const KnownRun* run = impl_->store.find(hash_input(input));
  if (!run) return full;
  const double score = run_score(*run);
  impl_->best_score = std::max(impl_->best_score, score);
  return children_for(score, impl_->best_score, full);
}

bool Mutator::set_mode(std::string_view name) {
  const ModeEntry* entry = mode_by_name(name);
  if (entry == nullptr && name != kMixed) return false;
  impl_->mode = entry ? entry->make(impl_->options) : nullptr;
  impl_->mode_name = entry ? entry->name : kMixed;
  return true;
}

void Mutator::set_byte_mutator(ByteMutator mutator) { impl_->bytes = mutator; }

std::string Mutator::last_operators() const {
  std::string text(impl_->whole);
  for (uint32_t i = 0; i < impl_->used_count; ++i) {
    if (!text.empty()) text += '-';
    text += impl_->used[i]->name;
  }
  return text.empty() ? "reseed" : text;
}

std::string Mutator::statistics() const {
  std::vector<std::string_view> names;
  for (const Operator& op : operators()) names.push_back(op.name);
  names.insert(names.end(), {"cross_over", "shrink"});
  return impl_->bandit.table(names);
}

Mutator& process_mutator() {
  static Mutator mutator;
  return mutator;
}

}  // namespace heddle::mutator
