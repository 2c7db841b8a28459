// The text of a report. It grows in its own memory, never in the target's heap.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/reserved_array.h"
#include "schema/identity.h"

namespace heddle::rt {

class Text {
 public:
  void clear() {
    chars_.reserve(kCapacity);
    chars_.clear();
  }
  // Text that does not fit is cut.
  void put(std::string_view text);
  __attribute__((format(printf, 2, 3))) void add(const char* format, ...);
  void repeat(char c, size_t count);
  std::string_view view() const { return {chars_.data(), chars_.size()}; }
  // Writes the text to the descriptor and clears it.
  void flush(int fd);

 private:
  static constexpr size_t kCapacity = 4 << 20;
  ReservedArray<char> chars_;
};

// Signatures consist of it, so it stays as it is.
inline uint64_t hash_of_text(std::string_view text) {
  uint64_t hash = 0;
  for (const char c : text) hash = mix(hash, static_cast<uint64_t>(c));
  return hash;
}

}  // namespace heddle::rt
