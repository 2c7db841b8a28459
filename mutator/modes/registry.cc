#include "mutator/modes/execution_graphs.h"
#include "mutator/modes/exhaust.h"
#include "mutator/modes/flow.h"
#include "mutator/modes/gfuzz.h"
#include "mutator/modes/gfuzz_hb.h"
#include "mutator/modes/mixed.h"
#include "mutator/modes/mode.h"
#include "mutator/modes/order_mode.h"
#include "mutator/modes/rff.h"
#include "mutator/modes/walk.h"

namespace heddle::mutator {
namespace {

template <auto make_system>
std::unique_ptr<Mode> published(std::string_view name, Shared& shared) {
  return std::make_unique<PublishedMode>(name, make_system(shared.options));
}

template <typename System>
std::unique_ptr<PublishedSystem> make(const Options&) {
  return std::make_unique<System>();
}

std::unique_ptr<Mode> walk(std::string_view name, Shared&) { return std::make_unique<PublishedMode>(name, make_walk(name)); }

constexpr ModeEntry kModes[] = {
    {"mixed", "all moves, weighted by what they have contributed, after an opening; the engine's corpus is the queue", make_mixed},
    {"gopie", "orders of channels, selects and locks, as in GoPie", published<make_gopie>},
    {"gopie-plus", "orders of all operations, with replay, as in GoPie+", published<make_gopie_plus>},
    {"gopie-hb", "the same, guided by happens-before, as in GoPieHB", published<make_gopie_hb>},
    {"gfuzz", "cases of selects, uniformly at random, as in GFuzz", published<make<Gfuzz>>},
    {"gfuzz-hb", "cases of selects that may find a partner, as in GFuzzHB", published<make<GfuzzHb>>},
    {"flow", "one delay: pairs whose other order changes an outcome", published<make<Flow>>},
    {"rff", "reads-from constraints, as in RFF", published<make<Rff>>},
    {"execution-graphs", "graphs of reads-from and modification order under rc11, one changed event at a time", make_execution_graphs},
    {"exhaust", "every order of a small program, once each, and says when all were made", published<make<Exhaust>>},
    {"random", "nothing: a random walk with a fresh seed each time", walk},
    {"pct", "nothing: PCT of depth 3 with a fresh seed each time", walk},
    {"pos", "nothing: partial-order sampling with a fresh seed each time", walk},
    {"surw", "nothing: SURW on an object drawn each time, with a fresh seed", walk},
};

}  // namespace

std::span<const ModeEntry> modes() { return kModes; }

std::string mode_names() {
  std::string names;
  for (const ModeEntry& mode : kModes) names.append(names.empty() ? "" : ", ").append(mode.name);
  return names;
}

const ModeEntry* mode_by_name(std::string_view name) {
  for (const ModeEntry& mode : kModes) {
    if (mode.name == name) return &mode;
  }
  return nullptr;
}

}  // namespace heddle::mutator
