#include <vector>

#include "mutator/modes/mode.h"

namespace heddle::mutator {

std::span<const ModeEntry> modes() {
  static const std::vector<ModeEntry> all = {
      // One line per mode: {"name", "description", make_it},
  };
  return all;
}

const ModeEntry* mode_by_name(std::string_view name) {
  for (const ModeEntry& mode : modes()) {
    if (mode.name == name) return &mode;
  }
  return nullptr;
}

}  // namespace heddle::mutator
