#include "mutator/knowledge/state_book.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "mutator/knowledge/choice_points.h"
#include "mutator/knowledge/prefix.h"
#include "mutator/knowledge/relations.h"

namespace heddle::mutator {
namespace {

bool has_changed(const Event& e) {
  return kind_info(e.kind).has(kWrites) && has_effect(e) && (e.flags & kEventRecursive) == 0;
}

// Of few steps from one situation, mostly another one each.
uint64_t bit_of(const Element& step) { return uint64_t{1} << (mix(step.thread, step.site) % 64); }

uint64_t position(const Event& e) { return mix(e.site, static_cast<uint64_t>(e.kind)); }

// Of a few that are drawn from `count`, the one with the least.
template <typename Returned>
uint32_t draw_rare(size_t count, uint32_t drawn, Rng& rng, Returned returned) {
  uint32_t rare = rng.below(static_cast<uint32_t>(count));
  auto least = returned(rare);
  for (uint32_t i = 1; i < drawn; ++i) {
    const uint32_t other = rng.below(static_cast<uint32_t>(count));
    if (const auto r = returned(other); r < least) rare = other, least = r;
  }
  return rare;
}

}  // namespace

void StateBook::Content::change(const Event& e) {
  const KindInfo& kind = kind_info(e.kind);
  if (kind.has(kHoldsLock)) {
    held = position(e);
  } else if (kind.has(kDropsLock)) {
    held = 0;
    if (e.left != 0) left = e.left;
  } else if (kind.has(kAtomic) || kind.has(kPlain)) {
    left = e.left != 0 ? e.left : e.site;
  } else {
    left = mix(position(e), e.value);
  }
}

uint64_t StateBook::Content::hash(uint64_t object) const { return left == 0 && held == 0 ? 0 : mix(object, mix(left, held)); }

uint32_t StateBook::ready(const Event& e, const Content& lock, uint32_t number) {
  const KindInfo& kind = kind_info(e.kind);
  if (!kind.has(kBlocks)) return 0;
  return kind.has(kHoldsLock) ? lock.free_from : number;
}

bool StateBook::learns_from(const KnownRun& run) {
  return (run.flags & kRunFamiliar) == 0 && run.events.size() <= kLongestRun && run.can_be_repeated();
}

void StateBook::learn(const KnownRun& run, const Schedule& schedule) {
  if (!learns_from(run)) return;
  const Relations& relations = run.relations();
  if (relations.shared().empty()) return;
  const auto path = std::make_shared<Path>();
  path->base = without_order(schedule);
  path->base.visible_plain = schedule.visible_plain;
  contents_.assign(run.objects.size(), {});
  const bool only_plain = std::all_of(relations.shared().begin(), relations.shared().end(),
                                      [&](uint32_t e) { return kind_info(run.events[e].kind).has(kPlain); });
  uint32_t last = kNoSituation;
  std::vector<uint32_t> numbers(run.events.size(), kNoEvent);  // in path->operations
  uint64_t contents = 0, plain = 0, positions = 0;  // the last: of the threads' next operations
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    if (is_operation(run.events[i]) && relations.previous_in_thread(i) == kNone) positions += position(run.events[i]);
  }
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (!is_operation(e)) continue;
    numbers[i] = static_cast<uint32_t>(path->operations.size());
    path->operations.push_back(relations.exact(i));
    if (last != kNoSituation) situations_[last].tried |= bit_of(path->operations.back());
    last = kNoSituation;
    path->ready.push_back(ready(e, contents_[e.object], numbers[i]));
    const uint32_t next = relations.next_in_thread(i);
    positions += (next != kNone ? position(run.events[next]) : 0) - position(e);
    if (!e.finished() || !relations.is_shared(i)) continue;
    if (has_changed(e)) {
      const uint64_t object = run.objects[e.object].id;
      Content& content = contents_[e.object];
      if (content.hash(object) == 0) content.variable = !only_plain && kind_info(e.kind).has(kPlain);
      uint64_t& all = content.variable ? plain : contents;
      all ^= content.hash(object);
      content.change(e);
      all ^= content.hash(object);
      if (kind_info(e.kind).has(kDropsLock)) content.free_from = numbers[i] + 1;
    }
    const uint64_t state = mix(contents, position(e));
    last = came_to(state, mix(mix(state, plain), positions), path);
  }
  const ChoicePoints points(relations);
  for (uint32_t i = 0; i < run.events.size(); ++i) {
    if (numbers[i] == kNoEvent) continue;
    if (run.events[i].finished() && points.is_free_choice(i)) path->choices.push_back({numbers[i], points.preference(i, points.taken(i))});
    const uint32_t waiter = waiter_of(run, i);
    path->waiters.push_back(waiter != kNoEvent ? numbers[waiter] : kNoEvent);
  }
}

uint32_t StateBook::came_to(uint64_t state, uint64_t situation, const std::shared_ptr<const Path>& path) {
  const auto length = static_cast<uint32_t>(path->operations.size());
  State* const s = find_or_add(state_index_, states_, state);
  if (s == nullptr) return kNoSituation;
  s->way.offer(path, length);
  const size_t known = situations_.size();
  Situation* const here = find_or_add(situation_index_, situations_, situation);
  if (here == nullptr) return kNoSituation;
  here->way.offer(path, length);
  const auto number = static_cast<uint32_t>(here - situations_.data());
  if (situations_.size() != known) s->situations.push_back(number);
  return number;
}

// Null: it is new, and there is no room.
template <typename T>
T* StateBook::find_or_add(std::unordered_map<uint64_t, uint32_t>& index, std::vector<T>& all, uint64_t key) {
  const auto known = index.find(key);
  if (known != index.end()) return &all[known->second];
  if (all.size() >= kMost) return nullptr;
  in_vain_ = 0;
  index.emplace(key, static_cast<uint32_t>(all.size()));
  return &all.emplace_back();
}

// Each return takes another way, if there is one that is not much longer: two ways can differ in what the threads know.
void StateBook::Way::offer(const std::shared_ptr<const Path>& other, uint32_t other_length) {
  if (path == nullptr || other_length < shortest) shortest = other_length;
  if (path != nullptr && (!used || other_length > 2 * shortest + 16)) return;
  path = other;
  length = other_length;
  used = false;
}

std::vector<uint32_t> StateBook::Path::next_of_threads(const std::vector<bool>& made) const {
  std::vector<uint32_t> next;
  for (uint32_t i = 0; i < operations.size(); ++i) {
    const auto of_same_thread = [&](uint32_t other) { return operations[other].thread == operations[i].thread; };
    if (!made[i] && std::none_of(next.begin(), next.end(), of_same_thread)) next.push_back(i);
  }
  return next;
}

std::vector<uint32_t> StateBook::Situation::untried() const {
  const Path& path = *way.path;
  std::vector<bool> made(path.operations.size(), false);
  std::fill_n(made.begin(), way.length, true);
  std::vector<uint32_t> steps = path.next_of_threads(made);
  std::erase_if(steps, [&](uint32_t i) { return (tried & bit_of(path.operations[i])) != 0 || path.ready[i] > way.length; });
  return steps;
}

Schedule StateBook::Way::take(std::optional<uint32_t> step) {
  used = true;
  ++returned;
  std::vector<uint32_t> first(length);
  std::iota(first.begin(), first.end(), 0u);
  if (step) first.push_back(*step);
  std::vector<Element> prefix, left_out;
  std::vector<bool> in(path->operations.size(), false);
  for (const uint32_t i : as_they_began(first, [&](uint32_t i) { return path->waiters[i]; })) {
    in[i] = true;
    prefix.push_back(path->operations[i]);
  }
  for (const uint32_t i : path->next_of_threads(in)) left_out.push_back(path->operations[i]);
  Schedule s = path->base;
  for (const Path::Choice& choice : path->choices) {
    if (in[choice.operation]) s.selects.push_back(choice.taken);
  }
  put_prefix(s, prefix, left_out);
  return s;
}

Schedule StateBook::return_to_rare(Rng& rng) {
  ++in_vain_;
  State& state = states_[draw_rare(states_.size(), kStatesDrawn, rng, [&](uint32_t i) { return states_[i].way.returned; })];
  const std::vector<uint32_t>& all = state.situations;
  if (all.empty()) return state.way.take({});
  ++state.way.returned;
  Situation& rare = situations_[all[draw_rare(all.size(), kSituationsDrawn, rng, [&](uint32_t i) {
    const Situation& s = situations_[all[i]];
    return std::pair(s.untried().empty(), s.way.returned);
  })]];
  const std::vector<uint32_t> steps = rare.untried();
  if (steps.empty()) return rare.way.take({});
  const uint32_t step = steps[rng.below(static_cast<uint32_t>(steps.size()))];
  rare.tried |= bit_of(rare.way.path->operations[step]);
  return rare.way.take(step);
}

}  // namespace heddle::mutator
