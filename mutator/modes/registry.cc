#include "mutator/modes/flow.h"
#include "mutator/modes/gfuzz.h"
#include "mutator/modes/gfuzz_hb.h"
#include "mutator/modes/mode.h"
#include "mutator/modes/order_mode.h"

namespace heddle::mutator {
namespace {

template <typename M>
std::unique_ptr<Mode> make_mode(const Options&) {
  return std::make_unique<M>();
}

constexpr ModeEntry kModes[] = {
    {"gopie", "orders of channels, selects and locks, as in GoPie", make_gopie},
    {"gopie-plus", "orders of all operations, with replay, as in GoPie+", make_gopie_plus},
    {"gopie-hb", "the same, guided by happens-before, as in GoPieHB", make_gopie_hb},
    {"gfuzz", "cases of selects, uniformly at random, as in GFuzz", make_mode<Gfuzz>},
    {"gfuzz-hb", "cases of selects that may find a partner, as in GFuzzHB", make_mode<GfuzzHb>},
    {"flow", "one delay: pairs whose other order changes an outcome", make_mode<Flow>},
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
