#include "mutator/byte_mutator.h"

namespace heddle::mutator {

void mutate_bytes(std::vector<uint8_t>& bytes, size_t max_size, Rng& rng) {
  static constexpr uint8_t kTelling[] = {0, 1, 0x7F, 0x80, 0xFF, ' ', '\n', '0', 'A'};
  const uint32_t n = static_cast<uint32_t>(bytes.size());
  switch (n == 0 ? 3 : rng.below(5)) {
    case 0: bytes[rng.below(n)] ^= static_cast<uint8_t>(1u << rng.below(8)); return;
    case 1: bytes[rng.below(n)] = static_cast<uint8_t>(rng.next()); return;
    case 2: bytes[rng.below(n)] = kTelling[rng.below(sizeof kTelling)]; return;
    case 3: {
      if (n >= max_size) return;
      const uint32_t room = static_cast<uint32_t>(max_size - n);
      const uint32_t count = 1 + rng.below(room < 8 ? room : 8);
      for (uint32_t i = 0; i < count; ++i) {
        bytes.insert(bytes.begin() + rng.below(static_cast<uint32_t>(bytes.size()) + 1),
                     static_cast<uint8_t>(rng.next()));
      }
      return;
    }
    default: {
      const uint32_t from = rng.below(n);
      const uint32_t count = 1 + rng.below(n - from < 8 ? n - from : 8);
      bytes.erase(bytes.begin() + from, bytes.begin() + from + count);
      return;
    }
  }
}

}  // namespace heddle::mutator
