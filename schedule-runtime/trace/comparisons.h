// Comparisons of instrumented code, for the mutator: the values that data bytes must have for the program to take another path (input-to-state
// correspondence: Aschermann et al., REDQUEEN, NDSS 2019).
//
// Recording begins with the first read of data bytes. Before that, only comparisons with the number of data bytes are recorded, because a
// harness first checks whether there are enough. Otherwise a comparison costs little. Nothing is allocated. There are two limits: kMost in
// all, and a few for each code position, so that loops do not fill the table.
//
// Addresses differ between processes, so they are left out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"
#include "schema/event.h"
#include "trace/comparison_gate.h"

namespace heddle::rt {

class Comparisons {
 public:
  static constexpr uint32_t kMost = 256;
  static constexpr uint32_t kOfPlace = 12;
  static constexpr uint32_t kCases = 48;      // of a switch
  static constexpr uint32_t kUnread = 16;     // recorded before the first read
  static constexpr uint32_t kLooks = 256;     // for one code position: after these, a new value is unlikely

  void initialise() { records_.reserve(kMost); }
  void begin(uint64_t payload_size);
  // From now on, other threads run beside the first one. Before that, if a small number equals the number of data bytes, it is most likely
  // that number. Later it may also be a counter or the state of a thread.
  void others_run() {
    if (gate().length <= kSmall) gate().length = kNoLength;
  }
  void end();
  void payload_is_read() { gate().open = records_.size() < kMost; }
  // A data byte is read for the first time.
  void payload_is_read(uint64_t offset) {
    if (near_ == Comparison::kNowhere) payload_is_read();
    near_ = static_cast<uint16_t>(offset < Comparison::kNowhere ? offset : Comparison::kNowhere - 1);
  }

  // False: not to be recorded.
  [[gnu::always_inline]] bool wants(uint64_t a, uint64_t b) const {
    const ComparisonGate& g = gate();
    return g.open | (a == g.length) | (b == g.length);
  }
  [[gnu::always_inline]] bool wants() const { return gate().open; }

  void numbers(uintptr_t pc, size_t size, uint64_t a, uint64_t b, ComparisonKind kind);
  // `cases` comes from the compiler: the number of cases, the bits of the value, and the constants.
  void choice(uintptr_t pc, uint64_t value, const uint64_t* cases);
  void strings(uintptr_t pc, const void* a, size_t a_size, const void* b, size_t b_size);

  const Comparison* data() const { return records_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(records_.size()); }

 private:
  static constexpr uint64_t kSmall = 8;
  static constexpr uint64_t kNoLength = ComparisonGate::kNoLength;
  // These bits of a code position do not depend on the load address.
  static constexpr uint32_t kPlaces = 4096;

  struct Place {
    uint16_t last;   // of its comparisons, from 1
    uint16_t looks;
  };

  bool full(uint32_t place, uint32_t most);
  void add(const Comparison& c);

  static ComparisonGate& gate() { return g_comparison_gate; }

  uint16_t near_ = Comparison::kNowhere;
  ReservedArray<Comparison> records_;
  Place places_[kPlaces] = {};
  uint16_t before_[kMost] = {};  // the one before it at its place
};

extern Comparisons g_comparisons;
inline Comparisons& comparisons() { return g_comparisons; }

}  // namespace heddle::rt
