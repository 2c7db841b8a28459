#include "mutator/modes/mode.h"
#include "mutator/modes/order_mode.h"

namespace heddle::mutator {
namespace {

constexpr ModeEntry kModes[] = {
    {"gopie", "orders of channels, selects and locks, as in GoPie", make_gopie},
    {"gopie-plus", "orders of all operations, with replay, as in GoPie+", make_gopie_plus},
    {"gopie-hb", "the same, guided by happens-before, as in GoPieHB", make_gopie_hb},
};

}  // namespace

std::span<const ModeEntry> modes() { return kModes; }

const ModeEntry* mode_by_name(std::string_view name) {
  for (const ModeEntry& mode : kModes) {
    if (mode.name == name) return &mode;
  }
  return nullptr;
}

}  // namespace heddle::mutator
