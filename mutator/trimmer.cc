#include "mutator/trimmer.h"

#include <algorithm>
#include <bit>

#include "schema/codec.h"

namespace heddle::mutator {
namespace {

// Data bytes are removed in pieces of at least this share, because each proposal is an execution.
constexpr size_t kFinestShare = 64;

// Chains are removed as a whole: half a chain demands something else. (The move `abridge` makes shorter chains.)
std::vector<uint8_t> chain_numbers(const Schedule& s) {
  std::vector<uint8_t> numbers;
  for (const Element& e : s.elements) {
    if (numbers.empty() || numbers.back() != e.chain) numbers.push_back(e.chain);
  }
  return numbers;
}

template <typename T>
void erase_range(std::vector<T>& list, size_t from, size_t count) {
  list.erase(list.begin() + static_cast<long>(from), list.begin() + static_cast<long>(from + count));
}

}  // namespace

size_t Trimmer::size(uint32_t part) const {
  switch (part) {
    case chains: return chain_numbers(schedule_).size();
    case reads_from: return schedule_.reads_from.size();
    case selects: return schedule_.selects.size();
    case delays: return schedule_.delays.size();
    case plain: return schedule_.visible_plain.size();
    case weights: return schedule_.weights.size();
    case graph: return schedule_.graph.size();
    case payload: return schedule_.payload.size();
    default: return 0;
  }
}

void Trimmer::erase(Schedule& s, uint32_t part, size_t from, size_t count) const {
  switch (part) {
    case chains: {
      const std::vector<uint8_t> numbers = chain_numbers(s);
      std::erase_if(s.elements, [&](const Element& e) {
        const auto at = static_cast<size_t>(std::find(numbers.begin(), numbers.end(), e.chain) - numbers.begin());
        return at >= from && at < from + count;
      });
      return;
    }
    case reads_from: return erase_range(s.reads_from, from, count);
    case selects: return erase_range(s.selects, from, count);
    case delays: return erase_range(s.delays, from, count);
    case plain: return erase_range(s.visible_plain, from, count);
    case weights: return erase_range(s.weights, from, count);
    case graph: return erase_range(s.graph, from, count);
    case payload: return erase_range(s.payload, from, count);
    default: return;
  }
}

size_t Trimmer::finest(uint32_t part) const { return part == payload ? 1 + data_bytes_ / kFinestShare : 1; }

// The piece at from_, or the next possible one. False: there is nothing more.
bool Trimmer::next_piece() {
  while (part_ < parts) {
    const size_t n = size(part_);
    if (piece_ != 0 && from_ < n) return true;
    piece_ = piece_ == 0 ? std::bit_ceil(std::max<size_t>(n, 1)) : piece_ / 2;
    from_ = 0;
    if (n == 0 || piece_ < finest(part_)) {
      ++part_;
      piece_ = 0;
    }
  }
  return false;
}

uint32_t Trimmer::begin(std::span<const uint8_t> input) {
  part_ = done_ = 0;
  piece_ = from_ = 0;
  limit_ = 0;
  if (!decode_schedule(input, schedule_)) return 0;
  data_bytes_ = schedule_.payload.size();
  for (uint32_t part = 0; part < parts; ++part) {
    // Each round has as many pieces as fit. If a piece is removed, fewer follow.
    for (size_t piece = std::bit_ceil(std::max<size_t>(size(part), 1)); piece >= finest(part) && size(part) != 0; piece /= 2) {
      limit_ += static_cast<uint32_t>((size(part) + piece - 1) / piece);
    }
  }
  return limit_;
}

const std::vector<uint8_t>& Trimmer::propose() {
  proposal_ = schedule_;
  if (next_piece()) erase(proposal_, part_, from_, std::min(piece_, size(part_) - from_));
  return bytes_ = encode_schedule(proposal_);
}

uint32_t Trimmer::judge(bool kept) {
  if (kept) schedule_ = proposal_;
  else from_ += piece_;
  ++done_;
  return next_piece() && done_ < limit_ ? done_ : limit_;
}

}  // namespace heddle::mutator
