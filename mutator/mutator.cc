#include "mutator/mutator.h"

#include <algorithm>
#include <cstring>

#include "mutator/knowledge/energy.h"
#include "mutator/mutator_impl.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {

size_t Mutator::Impl::write(Schedule& s, uint8_t* data, size_t max_size, Rng& rng) {
  const std::span<const uint8_t> bytes = encoder.encode(s);
  child_is_whole = &s == &child && bytes.size() <= max_size;
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
  forget_child();
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
  m.since_novel = (run.flags & kRunNovel) != 0 ? 0 : m.since_novel + 1;
  m.sources.learn(known);
  for (uint32_t i = 0; i < run.race_count; ++i) m.book.add(run.races[i]);
  const bool novel = (run.flags & kRunNovel) != 0, read = (run.flags & kRunPayloadRead) != 0;
  if (novel || read) {
    Schedule s;
    const bool schedule = decode_schedule(input, s);
    if (novel && schedule) {
      if (const uint64_t key = constraint_key(s)) m.productive.add(key);
    }
    if (read) m.payloads.learn(s.payload, run.payload_reads, known.comparisons, novel);
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
  const bool foreign = !m.read_parent({data, size}, hash);
  if (m.mode) return m.ask_mode(data, max_size, rng);
  const KnownRun* const own = m.store.find(hash);
  const KnownRun* run = own;
  if (!run) {
    run = m.store.any(rng);
  } else if (!run->races.empty() && !run->relations().has_plain()) {
    // It raced where it could not switch: a run that could says more about what to do there.
    const KnownRun* other = m.store.any(rng);
    if (other && !other->events.empty() && other->relations().has_plain()) run = other;
  }
  run = m.draw_rare_source(run, rng);
  m.child = m.parent;
  m.change(m.child, run, own, rng, max_size, foreign);
  if (m.exhausted(m.child) && m.may_try_again(rng)) {
    m.child = m.parent;
    m.change(m.child, run, own, rng, max_size, foreign);
  }
  return m.made(data, m.write(m.child, data, max_size, rng));
}

size_t Mutator::cross_over(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                           size_t max_size, uint32_t seed) {
  Impl& m = *impl_;
  if (max_size == 0) return 0;
  const uint64_t hash = hash_input({a, a_size});
  Rng rng(mix(mix(hash, b_size), seed));
  m.read_parent({a, a_size}, hash);
  if (m.mode) return m.ask_mode(out, max_size, rng);
  std::swap(m.child, m.parent);
  decode_schedule({b, b_size}, m.parent);
  const KnownRun* const own = m.store.find(hash);
  const KnownRun* run = own ? own : m.store.any(rng);
  m.begin("cross_over");
  m.arms = Bandit::Arms{1} << m.cross_over_arm();
  run = m.draw_rare_source(run, rng);
  Context c = m.context(m.child, run, own, rng, max_size);
  // libFuzzer crosses every second child: data has its share of those, too.
  if (m.data_first(rng)) {
    m.begin("");
    m.change_data(c, own && (own->flags & kRunPayloadRead) != 0);
    return m.made(out, m.write(m.child, out, max_size, rng));
  }
  m.first = m.child;
  if (m.rare_source != nullptr) rf_rare(c);
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
