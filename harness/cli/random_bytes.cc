#include "harness/cli/random_bytes.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>

#include "schema/random_words.h"

namespace heddle::cli {
namespace {

constexpr uint32_t kDraws = 32;  // of each thread
constexpr size_t kWordBytes = 8,
                 kFileBytes = 64;  // of each draw: in the word, and in the file that begins there

uint8_t byte_of(uint64_t word, size_t n) { return static_cast<uint8_t>(word >> (8 * n)); }

// The bytes that the draw gives with this seed: those of the word, then those of the file.
std::array<uint8_t, kWordBytes + kFileBytes> bytes_of(uint64_t seed, ThreadId thread,
                                                      uint32_t draw) {
  std::array<uint8_t, kWordBytes + kFileBytes> out;
  uint64_t word = random_word(seed, thread, draw);
  for (size_t i = 0; i < out.size(); ++i) {
    if (i != 0 && i % kWordBytes == 0) word = next_word_of_file(word);
    out[i] = byte_of(word, i % kWordBytes);
  }
  return out;
}

}  // namespace

// Of a byte that says nothing, the value in an execution with the finding is none of `others`
// random ones with this probability.
bool tells_from_chance(size_t findings, size_t others, size_t threads) {
  const double bytes = static_cast<double>(threads * kDraws * (kWordBytes + kFileBytes));
  const double missing = std::pow(255.0 / 256, static_cast<double>(others));
  constexpr double kChance = 1e-4;  // that any byte seems to tell
  return findings != 0 && bytes * std::pow(missing, static_cast<double>(findings)) < kChance;
}

std::vector<RandomByte> telling_bytes(const std::vector<SeedOutcome>& outcomes,
                                      const std::vector<ThreadId>& threads, uint64_t seed) {
  const auto findings = static_cast<size_t>(std::count_if(
      outcomes.begin(), outcomes.end(), [](const SeedOutcome& o) { return o.found; }));
  const size_t others = outcomes.size() - findings;
  std::vector<RandomByte> out;
  if (!tells_from_chance(findings, others, threads.size())) return out;
  using Values = std::array<std::bitset<256>, kWordBytes + kFileBytes>;
  for (const ThreadId thread : threads) {
    for (uint32_t draw = 1; draw <= kDraws; ++draw) {
      Values with = {}, without = {};
      for (const SeedOutcome& outcome : outcomes) {
        const auto bytes = bytes_of(outcome.seed, thread, draw);
        for (size_t i = 0; i < bytes.size(); ++i) (outcome.found ? with : without)[i].set(bytes[i]);
      }
      for (size_t i = 0; i < with.size(); ++i) {
        if ((with[i] & without[i]).any()) continue;
        const bool of_file = i >= kWordBytes;
        RandomByte byte = {.thread = thread,
                           .draw = draw,
                           .of_file = of_file,
                           .position = of_file ? i - kWordBytes : i,
                           .value = bytes_of(seed, thread, draw)[i],
                           .with = {},
                           .findings = findings,
                           .others = others};
        for (unsigned value = 0; value < 256; ++value) {
          if (with[i].test(value)) byte.with.push_back(static_cast<uint8_t>(value));
        }
        out.push_back(std::move(byte));
      }
    }
  }
  return out;
}

}  // namespace heddle::cli
