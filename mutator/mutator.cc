#include "mutator/mutator.h"

#include <algorithm>
#include <cstring>

#include "mutator/knowledge/energy.h"
#include "mutator/modes/mode.h"
#include "mutator/operators/operator.h"
#include "schema/codec.h"

namespace heddle::mutator {

// Bytes are decoded once and encoded once: decode, ask the mode, encode.
struct Mutator::Impl {
  explicit Impl(const Options& options) : shared(options), mode(modes().front().make(modes().front().name, shared)) {}

  // Decodes the input that the engine picked. Four times out of five, engines continue with the last child, which is still decoded here.
  EnginePick decode(std::span<const uint8_t> bytes, uint64_t hash, size_t max_size) {
    const bool last = hash == child_hash;
    child_hash = 0;
    if (last) std::swap(parent, child);
    const bool foreign = !last && !decode_schedule(bytes, *parent);
    return {*parent, hash, foreign, max_size};
  }

  // Encodes the child, cut to max_size if needed. Returns the size.
  size_t encode(uint8_t* data, size_t max_size, Making how, Rng& rng) {
    wanted.write(*child);
    const std::span<const uint8_t> bytes = encoder.encode(*child);
    const bool whole = bytes.size() <= max_size;
    if (whole) std::memcpy(data, bytes.data(), bytes.size());
    return made(data, whole ? bytes.size() : cut(data, max_size, rng), how, whole);
  }

  size_t made(const uint8_t* data, size_t size, Making how, bool child_is_whole) {
    const uint64_t hash = hash_input({data, size});
    mode->made(hash, how);
    child_hash = child_is_whole ? hash : 0;
    last_making = how;
    return size;
  }

  // For a child whose encoding is too large.
  size_t cut(uint8_t* data, size_t max_size, Rng& rng) {
    std::vector<uint8_t> left = child->payload;
    std::vector<uint8_t> out = shrink(*child, max_size, rng);
    if (out.empty()) {  // not even the empty schedule fits, so only data bytes
      if (left.empty()) left.push_back(static_cast<uint8_t>(rng.next()));
      if (left.size() > max_size) left.resize(max_size);
      out = std::move(left);
    }
    std::memcpy(data, out.data(), out.size());
    return out.size();
  }

  // The engine asks for a smaller form of the input.
  size_t smaller(uint8_t* data, size_t size, size_t max_size, Rng& rng) {
    child_hash = 0;
    if (decode_schedule({data, size}, *child)) return encode(data, max_size, Making::shrink, rng);
    // Foreign bytes stay foreign, without a piece of them.
    const size_t from = rng.below(static_cast<uint32_t>(max_size + 1));
    const size_t gap = size - max_size;
    std::memmove(data + from, data + from + gap, max_size - from);
    return made(data, max_size, Making::shrink, false);
  }

  Shared shared;
  std::unique_ptr<Mode> mode;
  WantedRun wanted;
  double best_score = 0;
  Schedule schedules[2], other;  // kept for their capacity
  Schedule *parent = &schedules[0], *child = &schedules[1];
  uint64_t child_hash = 0;        // the input that *child is; 0: none
  Making last_making = Making::next;
  ScheduleEncoder encoder;
};

Mutator::Mutator(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Mutator::~Mutator() = default;

void Mutator::learn(const RunSummary& run, std::span<const uint8_t> input) {
  impl_->mode->learn(impl_->shared.runs.add(run), input);
}

void Mutator::keep(uint64_t input_hash) { impl_->shared.runs.keep(input_hash); }
const KnownRun* Mutator::known(uint64_t input_hash) { return impl_->shared.runs.find(input_hash); }

size_t Mutator::mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed) {
  Impl& m = *impl_;
  if (max_size == 0) return 0;
  const uint64_t hash = hash_input({data, size});
  Rng rng(mix(hash, seed));
  if (size > max_size) return m.smaller(data, size, max_size, rng);
  m.mode->next(m.decode({data, size}, hash, max_size), *m.child, rng);
  return m.encode(data, max_size, Making::next, rng);
}

size_t Mutator::cross_over(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                           size_t max_size, uint32_t seed) {
  Impl& m = *impl_;
  if (max_size == 0) return 0;
  const uint64_t hash = hash_input({a, a_size});
  Rng rng(mix(mix(hash, b_size), seed));
  const EnginePick pick = m.decode({a, a_size}, hash, max_size);
  OtherParent other({b, b_size}, m.other);
  m.mode->cross(pick, other, *m.child, rng);
  return m.encode(out, max_size, Making::cross, rng);
}

uint32_t Mutator::children(std::span<const uint8_t> input, uint32_t full) const {
  const KnownRun* run = impl_->shared.runs.find(hash_input(input));
  if (!run) return full;
  const double score = run_score(*run);
  impl_->best_score = std::max(impl_->best_score, score);
  return children_for(score, impl_->best_score, full);
}

bool Mutator::set_mode(std::string_view name) {
  const ModeEntry* entry = mode_by_name(name);
  if (entry == nullptr) return false;
  impl_->mode = entry->make(entry->name, impl_->shared);
  return true;
}

void Mutator::set_wanted_run(const WantedRun& wanted) { impl_->wanted = wanted; }

void Mutator::set_byte_mutator(ByteMutator mutator) { impl_->shared.bytes = mutator; }

std::string Mutator::last_operators() const {
  return impl_->last_making == Making::shrink ? "shrink" : impl_->mode->last_moves();
}

std::string Mutator::statistics() const { return impl_->mode->statistics(); }

Mutator& process_mutator() {
  static Mutator mutator;
  return mutator;
}

}  // namespace heddle::mutator
