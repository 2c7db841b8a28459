#include "harness/cli/spinning.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::cli {
namespace {

struct Turn {
  uint32_t thread, object;
  SiteId site;
  Kind kind;
  Outcome outcome;
  bool operator==(const Turn&) const = default;
};

struct Hash {
  size_t operator()(const Turn& turn) const {
    return mix(mix(turn.thread, turn.site),
               mix(turn.object,
                   static_cast<uint64_t>(turn.kind) << 8 | static_cast<uint64_t>(turn.outcome)));
  }
};

}  // namespace

StoredTrace without_later_rounds(StoredTrace run, uint32_t most) {
  std::unordered_map<Turn, uint32_t, Hash> rounds;
  std::vector<uint32_t> now(run.events.size(), kNoEvent);  // the new number of each event
  std::vector<Event> kept;
  for (size_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (e.finished() && ++rounds[{e.thread, e.object, e.site, e.kind, e.outcome}] > most) continue;
    now[i] = static_cast<uint32_t>(kept.size());
    kept.push_back(e);
  }
  const auto renumber = [&](uint32_t& event) {
    event = event < now.size() ? now[event] : kNoEvent;
  };
  for (Event& e : kept) renumber(e.partner);
  for (ThreadRecord& t : run.threads) renumber(t.create_event);
  for (SelectCase& c : run.select_cases) renumber(c.event);
  std::erase_if(run.select_cases, [](const SelectCase& c) { return c.event == kNoEvent; });
  for (StoreOrder& s : run.coherence) renumber(s.event), renumber(s.after);
  std::erase_if(run.coherence, [](const StoreOrder& s) { return s.event == kNoEvent; });
  run.events = std::move(kept);
  return run;
}

StoredTrace for_comparison(StoredTrace run, bool only_spins) {
  constexpr size_t kManyOperations = 4000;
  constexpr uint32_t kRounds = 100;  // a sentence can name one of these
  if (only_spins) return without_later_rounds(std::move(run));
  return run.events.size() > kManyOperations ? without_later_rounds(std::move(run), kRounds) : run;
}

}  // namespace heddle::cli
