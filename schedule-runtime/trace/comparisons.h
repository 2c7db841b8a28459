// Comparisons of instrumented code, for the mutator: the values that data bytes must have for the program to take another path (input-to-state
// correspondence: Aschermann et al., REDQUEEN, NDSS 2019).
//
// Recording begins with the first read of data bytes. Before that, only comparisons with their number are recorded, because a harness first checks
// whether there are enough. Otherwise a comparison costs little. Nothing is allocated. There are two bounds: kMost in all, and a few for each place in
// the code, so that loops do not fill the table.
//
// Addresses differ from process to process, and are left out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt {

class Comparisons {
 public:
  static constexpr uint32_t kMost = 256;
  static constexpr uint32_t kOfPlace = 12;
  static constexpr uint32_t kCases = 48;      // of a switch
  static constexpr uint32_t kUnread = 16;     // recorded before the first read
  static constexpr uint32_t kLooks = 256;     // at one place: what it compares then will hardly be new

  void initialise() { records_.reserve(kMost); }
  void begin(uint64_t payload_size);
  // Others run beside the first thread from now on. Before, a small number that is that of the data bytes is most likely just this; counters and states
  // of threads are small, too.
  void others_run() {
    if (length_ <= kSmall) length_ = kNoLength;
  }
  void end();
  void payload_is_read() { open_ = records_.size() < kMost; }
  // The data byte whose first read this is.
  void payload_is_read(uint64_t offset) {
    if (near_ == Comparison::kNowhere) payload_is_read();
    near_ = static_cast<uint16_t>(offset < Comparison::kNowhere ? offset : Comparison::kNowhere - 1);
  }

  // False: it is not to be recorded.
  [[gnu::always_inline]] bool wants(uint64_t a, uint64_t b) const { return open_ | (a == length_) | (b == length_); }
  [[gnu::always_inline]] bool wants() const { return open_; }

  void numbers(uintptr_t pc, size_t size, uint64_t a, uint64_t b, ComparisonKind kind);
  // `cases` as the compiler hands them over: their number, the bits of the value, and the constants.
  void choice(uintptr_t pc, uint64_t value, const uint64_t* cases);
  void strings(uintptr_t pc, const void* a, size_t a_size, const void* b, size_t b_size);

  const Comparison* data() const { return records_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(records_.size()); }

 private:
  static constexpr uint64_t kSmall = 8;
  static constexpr uint64_t kNoLength = 0x9E3779B97F4A7C15;  // what nobody compares
  // Of a code position these bits are the same wherever it was loaded.
  static constexpr uint32_t kPlaces = 4096;

  struct Place {
    uint16_t last;   // of its comparisons, from 1
    uint16_t looks;
  };

  bool full(uint32_t place, uint32_t most);
  void add(const Comparison& c);

  bool open_ = false;
  uint16_t near_ = Comparison::kNowhere;
  uint64_t length_ = kNoLength;
  ReservedArray<Comparison> records_;
  Place places_[kPlaces] = {};
  uint16_t before_[kMost] = {};  // the one before it at its place
};

extern Comparisons g_comparisons;
inline Comparisons& comparisons() { return g_comparisons; }

}  // namespace heddle::rt
