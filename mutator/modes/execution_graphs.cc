#include "mutator/modes/execution_graphs.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "mutator/graph/graph_change.h"
#include "mutator/operators/chain.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

constexpr int kDraws = 8;  // of changes, of which the one goes whose prefix was run the least often
// For what a prefix leaves open. Writes first reaches most graphs in a walk, the drawn ones those that it makes rarely.
constexpr StrategyId kStrategies[] = {StrategyId::writes_first, StrategyId::writes_first, StrategyId::random_walk, StrategyId::automatic};

// Equal for equal prefixes, in whatever order their nodes stand.
uint64_t prefix_key(const std::vector<GraphNode>& nodes) {
  uint64_t sum = 0;
  for (const GraphNode& n : nodes) sum += mix(mix(n.thread, n.index), mix(n.from_thread, n.from_index));
  return sum;
}

}  // namespace

void ExecutionGraphs::learn(const KnownRun& run, std::span<const uint8_t> input) {
  for (const RacingPair& pair : run.races) races_.add(pair);
  if (run.coherence.empty() || run.events.empty()) return;
  const GraphKey key = corpus_.key_of(run);
  const bool is_new = !corpus_.seen(key);
  Child& child = awaited_[run.hash % awaited_.size()];
  if (child.hash == run.hash && run.hash != 0) {
    (child.changed ? changed_children_ : free_).count(is_new);
    if (child.changed && is_new) corpus_.give_back(child.parent);
    child = {};
  }
  if (!is_new || run.cut) return;
  Schedule schedule;
  decode_schedule(input, schedule);
  corpus_.add(key, run, std::move(schedule));
  tried_->add(prefix_key(whole_graph(RunGraph(run))));
}

uint32_t ExecutionGraphs::free_share() const {
  const double f = free_.recent * free_.recent, c = changed_children_.recent * changed_children_.recent;
  const double share = f + c > 0 ? f / (f + c) : 0.5;
  return static_cast<uint32_t>(256 * std::clamp(share, 0.1, 0.9));
}

bool ExecutionGraphs::change(Schedule& child, Rng& rng) {
  const GraphCorpus::Kept* const kept = corpus_.draw(rng);
  if (kept == nullptr) return false;
  const RunGraph graph(kept->run);
  std::vector<GraphNode> nodes;
  uint64_t key = 0;
  uint32_t tried = ~0u;
  for (int draw = 0; draw < kDraws && tried != 0; ++draw) {
    std::vector<GraphNode> drawn = draw_graph_change(graph, ChangedEvents::all, rng);
    if (drawn.empty()) break;
    const uint64_t k = prefix_key(drawn);
    const uint32_t t = tried_->count(k);
    if (t >= tried) continue;
    nodes = std::move(drawn);
    key = k;
    tried = t;
  }
  if (nodes.empty()) return false;
  tried_->add(key);
  child = kept->schedule;
  child.graph = std::move(nodes);
  parent_ = kept->key;
  return true;
}

void ExecutionGraphs::next(const EnginePick& pick, Schedule& child, Rng& rng) {
  changed_ = !rng.chance(free_share(), 256) && change(child, rng);
  if (!changed_) child = without_order(pick.schedule);
  child.memory_model = MemoryModel::rc11;
  child.seed = rng.next();
  child.strategy = kStrategies[rng.below(std::size(kStrategies))];
  for (const RacingPair& race : races_.pairs()) make_visible(child, race);
  make_constraints_visible(child);
}

void ExecutionGraphs::made(uint64_t hash, Making how) {
  if (how != Making::shrink) awaited_[hash % awaited_.size()] = {hash, changed_, parent_};
}

std::string ExecutionGraphs::statistics() const {
  char text[256];
  const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
  std::snprintf(text, sizeof text, "%zu graphs kept; %llu children with a changed graph, %llu of them new; %llu free children, %llu of them new\n", corpus_.size(),
                n(changed_children_.children), n(changed_children_.news), n(free_.children), n(free_.news));
  return text;
}

std::unique_ptr<Mode> make_execution_graphs(std::string_view, Shared& shared) { return std::make_unique<ExecutionGraphs>(shared); }

}  // namespace heddle::mutator
