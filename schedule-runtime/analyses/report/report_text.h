// The text of a report. It grows in its own memory, never in the target's heap.
#pragma once

#include <string_view>

#include "base/reserved_array.h"

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

}  // namespace heddle::rt
