#include "harness/cli/run_condition.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "schema/clock_jumps.h"

namespace heddle::cli {
namespace {

// Of each operation that the conditions name with its thread.
template <typename Function>
void for_each_operation(const std::vector<Condition>& conditions, const Function& function) {
  for (const Condition& condition : conditions) {
    const auto element = [&](const Element& e) {
      if (e.thread != kAnyThread) function(e.thread, e.site, e.kind);
    };
    if (const Order* const order = std::get_if<Order>(&condition)) {
      element(order->first);
      element(order->second);
    } else if (const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition)) {
      element(reads->read);
      if (reads->write.site != kNoSite) element(reads->write);
    } else if (const SelectPreference* const choice = std::get_if<SelectPreference>(&condition)) {
      function(choice->thread, choice->site, choice->kind);
    }
  }
}

uint64_t kind_of_operation(SiteId site, Kind kind) {
  return mix(site, static_cast<uint64_t>(kind));
}

}  // namespace

RunIndex::RunIndex(const StoredTrace& run, bool found, const std::unordered_set<SiteId>* sites)
    : last_wakes_(last_wakes(run)), found_(found) {
  uint32_t place = 0;
  for (const Event& e : run.events) {
    ++place;
    if (e.kind == Kind::thread_exit && e.finished()) ended_.insert(run.threads[e.thread].id);
    if (sites != nullptr && sites->count(e.site) == 0) continue;
    const auto key_of = [&](const Event& event) {
      return Key{run.threads[event.thread].id, event.site, event.occurrence, event.kind};
    };
    const Key key = key_of(e);
    Operation operation = {e.finished() ? place : kPending, observed_outcome(e)};
    if (e.partner != kNoEvent && kind_info(e.kind).has(kAtomic)) {
      operation.source = key_of(run.events[e.partner]);
    }
    operation.waits = !e.finished() && (e.flags & kEventContended) != 0;
    operations_.try_emplace(key, operation);
    if (!e.finished()) continue;
    auto& first = first_[kind_of_operation(e.site, e.kind)];
    const auto same = [&](const auto& entry) { return entry.first == key.thread; };
    if (std::none_of(first.begin(), first.end(), same)) first.emplace_back(key.thread, place);
  }
  for (const ThreadRecord& thread : run.threads) threads_.push_back(thread.id);
}

ThreadId RunIndex::Threads::operator()(ThreadId thread) const {
  for (const auto& [from, to] : pairs) {
    if (from == thread) return to;
  }
  return thread;
}

const RunIndex::Operation* RunIndex::find(ThreadId thread, SiteId site, uint32_t occurrence,
                                          Kind kind) const {
  const auto at = operations_.find({thread, site, occurrence, kind});
  return at == operations_.end() ? nullptr : &at->second;
}

bool RunIndex::holds(const ReadsFrom& c, const Threads& threads) const {
  const Operation* const read =
      find(threads(c.read.thread), c.read.site, c.read.occurrence, c.read.kind);
  if (read == nullptr || read->place == kPending) return false;
  const bool sees =
      c.write.site == kNoSite
          ? !read->source
          : read->source == Key{threads(c.write.thread), c.write.site, c.write.occurrence,
                                c.write.kind};
  return sees != (c.negative != 0);
}

bool RunIndex::holds(const Condition& condition, const Threads& threads) const {
  if (const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition)) {
    return holds(*reads, threads);
  }
  if (const SelectPreference* const choice = std::get_if<SelectPreference>(&condition)) {
    const Operation* const operation =
        find(threads(choice->thread), choice->site, choice->instance, choice->kind);
    if (operation == nullptr) return false;
    return is_least_jump(*choice) ? operation->outcome && *operation->outcome >= choice->choice
                                  : operation->outcome == choice->choice;
  }
  if (const LastWake* const wake = std::get_if<LastWake>(&condition)) {
    return std::any_of(last_wakes_.begin(), last_wakes_.end(),
                       [&](const LastWakeAt& at) { return wake->includes(at.wake); });
  }
  const auto& [a, b] = std::get<Order>(condition);
  const uint32_t first = place_of(a, threads(b.thread), threads);
  const uint32_t second = place_of(b, threads(a.thread), threads);
  if (second < kAbsent) return first < second;
  // A thread that waits in vain, such as an idle one of a pool, does so whether there is a finding or not.
  if (second == kPending && first < kAbsent) return true;
  // A finding ends its run: what was still to happen would have come after all else.
  const bool is_to_come = second == kPending || ended_.count(threads(b.thread)) == 0;
  return first != kAbsent && found_ && is_to_come;
}

uint32_t RunIndex::place_of(const Element& e, ThreadId partner, const Threads& threads) const {
  if (e.thread != kAnyThread) {
    const Operation* const found = find(threads(e.thread), e.site, e.occurrence, e.kind);
    return found == nullptr ? kAbsent : found->place;
  }
  uint32_t earliest = kAbsent;
  const auto at = first_.find(kind_of_operation(e.site, e.kind));
  if (at == first_.end()) return earliest;
  for (const auto& [thread, place] : at->second) {
    if (thread != partner) earliest = std::min(earliest, place);
  }
  return earliest;
}

bool RunIndex::never_came_to(const Order& order) const {
  return place_of(order.second, order.first.thread, {}) == kAbsent;
}

bool RunIndex::waits_in_vain(const Order& order) const {
  const Element& e = order.first;
  const Operation* const first = find(e.thread, e.site, e.occurrence, e.kind);
  return first != nullptr && first->waits && place_of(order.second, e.thread, {}) >= kAbsent;
}

uint32_t RunIndex::place_of(const Condition& condition) const {
  if (const Order* const order = std::get_if<Order>(&condition)) {
    return place_of(order->first, order->second.thread, {});
  }
  if (const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition)) {
    return place_of(reads->read, kAnyThread, {});
  }
  if (const LastWake* const wake = std::get_if<LastWake>(&condition)) {
    for (const LastWakeAt& at : last_wakes_) {
      if (wake->includes(at.wake)) return at.notification + 1;
    }
    return kAbsent;
  }
  const auto& choice = std::get<SelectPreference>(condition);
  const Operation* const operation = find(choice.thread, choice.site, choice.instance, choice.kind);
  return operation == nullptr ? kAbsent : operation->place;
}

bool RunIndex::reached(const Condition& condition) const {
  const auto happened = [&](const Element& e, ThreadId partner) {
    return place_of(e, partner, {}) < kAbsent;
  };
  if (const Order* const order = std::get_if<Order>(&condition)) {
    return happened(order->first, order->second.thread) &&
           happened(order->second, order->first.thread);
  }
  if (const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition)) {
    return happened(reads->read, kAnyThread) &&
           (reads->write.site == kNoSite || happened(reads->write, kAnyThread));
  }
  if (std::holds_alternative<LastWake>(condition)) return true;  // there may be none in the whole run
  const auto& choice = std::get<SelectPreference>(condition);
  const Operation* const operation =
      find(choice.thread, choice.site, choice.instance, choice.kind);
  return operation != nullptr && operation->place < kAbsent;
}

bool RunIndex::reversed(const Order& order) const {
  const uint32_t first = place_of(order.first, order.second.thread, {});
  const uint32_t second = place_of(order.second, order.first.thread, {});
  return first < kAbsent && second < kAbsent && second < first;
}

bool RunIndex::holds(const std::vector<Condition>& all, const Threads& threads) const {
  return std::all_of(all.begin(), all.end(),
                     [&](const Condition& condition) { return holds(condition, threads); });
}

void RunIndex::Doers::add(const RunIndex& run) {
  for (const auto& [operation, its] : run.operations_) known_.insert(key(operation.thread, operation.site, operation.kind));
}

bool RunIndex::holds_for_some_threads(const std::vector<Condition>& all, const Doers& doers) const {
  constexpr size_t kMostThreads = 16, kMostNamed = 4;
  std::vector<ThreadId> named;
  for_each_operation(all, [&](ThreadId thread, SiteId, Kind) {
    if (std::find(named.begin(), named.end(), thread) == named.end()) named.push_back(thread);
  });
  if (named.size() > kMostNamed || threads_.size() > kMostThreads) return holds(all);
  const auto can_stand_for = [&](ThreadId thread, ThreadId role) {
    bool all_of_it = true;
    for_each_operation(all, [&](ThreadId whose, SiteId site, Kind kind) {
      all_of_it = all_of_it && (whose != role || doers.can(thread, site, kind));
    });
    return all_of_it;
  };
  Threads threads;
  const std::function<bool(size_t)> assign = [&](size_t n) {
    if (n == named.size()) return holds(all, threads);
    for (const ThreadId thread : threads_) {
      const auto taken = [&](const auto& pair) { return pair.second == thread; };
      if (std::any_of(threads.pairs.begin(), threads.pairs.end(), taken)) continue;
      if (thread != named[n] && !can_stand_for(thread, named[n])) continue;
      threads.pairs.emplace_back(named[n], thread);
      if (assign(n + 1)) return true;
      threads.pairs.pop_back();
    }
    return false;
  };
  return assign(0);
}

bool is_exact(const Order& order) {
  const auto exact = [](const Element& e) {
    return e.thread != kAnyThread && e.occurrence != 0 && e.site != kNoSite;
  };
  return exact(order.first) && exact(order.second);
}

void add_sites(const Condition& condition, std::unordered_set<SiteId>& sites) {
  if (const Order* const order = std::get_if<Order>(&condition)) {
    sites.insert(order->first.site);
    sites.insert(order->second.site);
  } else if (const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition)) {
    sites.insert(reads->read.site);
    if (reads->write.site != kNoSite) sites.insert(reads->write.site);
  } else if (const LastWake* const wake = std::get_if<LastWake>(&condition)) {
    sites.insert(wake->woken);
    sites.insert(wake->passed_over);
  } else {
    sites.insert(std::get<SelectPreference>(condition).site);
  }
}

static_assert(std::is_sorted(std::begin(kClockJumps), std::end(kClockJumps)));
bool is_least_jump(const SelectPreference& choice) { return choice.kind == Kind::clock_jump && choice.choice > 0; }

bool is_interruption(const Condition& condition) {
  const Order* const order = std::get_if<Order>(&condition);
  return order != nullptr && order->first.kind == Kind::signal_handle && order->first.thread == order->second.thread;
}

void demand(const Condition& condition, Schedule& schedule) {
  if (is_interruption(condition)) return;
  if (const Order* const order = std::get_if<Order>(&condition)) {
    schedule.delays.push_back(delay_of(*order));
  } else if (const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition)) {
    schedule.reads_from.push_back(*reads);
  } else if (const SelectPreference* const choice = std::get_if<SelectPreference>(&condition)) {
    schedule.selects.push_back(*choice);
  }
}

void demand(const std::vector<Condition>& all, Schedule& schedule) {
  for (const Condition& condition : all) demand(condition, schedule);
}

bool can_be_demanded(const Condition& condition) {
  const SelectPreference* const choice = std::get_if<SelectPreference>(&condition);
  const bool is_default = choice != nullptr && choice->kind == Kind::select && choice->choice < 0;
  return !is_default && !is_interruption(condition) && !std::holds_alternative<LastWake>(condition);
}

bool can_be_demanded(const std::vector<Condition>& all) {
  return std::any_of(all.begin(), all.end(), [](const Condition& condition) { return can_be_demanded(condition); });
}

bool has_opposite(const Condition& condition) {
  Schedule nothing;
  return demand_opposite(condition, nothing);
}

bool demand_opposite(const Condition& condition, Schedule& schedule) {
  if (is_interruption(condition)) return false;
  if (const Order* const order = std::get_if<Order>(&condition)) {
    schedule.delays.push_back(delay_of({order->second, order->first}));
    return true;
  }
  if (const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition)) {
    schedule.reads_from.push_back(*reads);
    schedule.reads_from.back().negative = reads->negative == 0;
    return true;
  }
  if (!can_be_demanded(condition)) return false;
  SelectPreference usual = std::get<SelectPreference>(condition);
  if (usual.choice == 0 || usual.kind == Kind::select) return false;
  usual.choice = 0;
  schedule.selects.push_back(usual);
  return true;
}

}  // namespace heddle::cli
