#include "trace/comparisons.h"

#include <cstring>

extern "C" {
extern const char __executable_start[] __attribute__((weak, visibility("hidden")));  // by the linker
}

namespace heddle::rt {

constinit ComparisonGate g_comparison_gate;
constinit Comparisons g_comparisons;

namespace {

// The value may be an address: in the executable, directly after it, or in a mapping. (A multiple of 2^32 is none: it is a shifted number.)
bool may_be_address(uint64_t value) {
  constexpr uint64_t kLowest = 1ull << 32, kEnd = 1ull << 48;
  const auto executable = reinterpret_cast<uintptr_t>(__executable_start);
  return value % kLowest != 0 && value < kEnd && value >= (executable != 0 && executable < kLowest ? executable : kLowest);
}

void put(Comparison& c, int side, const void* bytes, size_t size) {
  c.size[side] = static_cast<uint8_t>(size < Comparison::kLongest ? size : Comparison::kLongest);
  // Byte by byte: memcpy may be ASan's, and the compared memory may already be freed.
  const auto* from = static_cast<const volatile uint8_t*>(bytes);
  for (size_t i = 0; i < c.size[side]; ++i) c.side[side][i] = from[i];
}

bool same(const Comparison& a, const Comparison& b) {
  return a.kind == b.kind && a.size[0] == b.size[0] && a.size[1] == b.size[1] && std::memcmp(a.side, b.side, sizeof a.side) == 0;
}

Comparison number(uintptr_t pc, size_t size, uint64_t a, uint64_t b, ComparisonKind kind) {
  Comparison c = {};
  c.place = static_cast<uint16_t>(pc);
  c.kind = static_cast<uint8_t>(kind);
  put(c, 0, &a, size);
  put(c, 1, &b, size);
  return c;
}

}  // namespace

void Comparisons::begin(uint64_t payload_size) {
  for (const Comparison& c : records_) places_[c.place] = {};
  records_.clear();
  gate().open = false;
  near_ = Comparison::kNowhere;
  gate().length = payload_size;
}

void Comparisons::end() {
  gate().open = false;
  gate().length = kNoLength;
}

bool Comparisons::full(uint32_t place, uint32_t most) {
  Place& p = places_[place];
  return p.last != 0 && (records_[p.last - 1].nth + 1u >= most || ++p.looks >= kLooks);
}

void Comparisons::add(const Comparison& c) {
  Place& p = places_[c.place];
  for (uint32_t i = p.last; i != 0; i = before_[i - 1]) {
    if (same(records_[i - 1], c)) return;
  }
  const auto n = static_cast<uint32_t>(records_.size());
  if (n == kMost) return;
  records_.push() = c;
  records_[n].nth = p.last != 0 ? static_cast<uint8_t>(records_[p.last - 1].nth + 1) : 0;
  records_[n].near = near_;
  before_[n] = p.last;
  p.last = static_cast<uint16_t>(n + 1);
  if (!gate().open && n + 1 == kUnread) gate().length = kNoLength;
  if (n + 1 == kMost) end();
}

void Comparisons::numbers(uintptr_t pc, size_t size, uint64_t a, uint64_t b, ComparisonKind kind) {
  pc %= kPlaces;
  if (full(static_cast<uint32_t>(pc), kOfPlace)) return;
  if (size == 8 && (may_be_address(a) || (kind == ComparisonKind::variables && may_be_address(b)))) return;
  add(number(pc, size, a, b, kind));
}

void Comparisons::choice(uintptr_t pc, uint64_t value, const uint64_t* cases) {
  pc %= kPlaces;
  if (full(static_cast<uint32_t>(pc), kCases + kOfPlace) || cases[0] == 0 || cases[1] > 64 || (cases[1] == 64 && may_be_address(value))) return;
  // Constants need to be known only once.
  const uint64_t count = places_[pc].last != 0 ? 1 : cases[0] < kCases ? cases[0] : kCases;
  for (uint64_t i = 0; i < count; ++i) add(number(pc, (cases[1] + 7) / 8, value, cases[2 + i], ComparisonKind::constant));
}

void Comparisons::strings(uintptr_t pc, const void* a, size_t a_size, const void* b, size_t b_size) {
  pc %= kPlaces;
  if (full(static_cast<uint32_t>(pc), kOfPlace)) return;
  Comparison c = {};
  c.place = static_cast<uint16_t>(pc);
  c.kind = static_cast<uint8_t>(ComparisonKind::strings);
  put(c, 0, a, a_size);
  put(c, 1, b, b_size);
  add(c);
}

}  // namespace heddle::rt
