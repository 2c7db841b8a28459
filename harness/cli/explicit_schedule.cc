#include "harness/cli/explicit_schedule.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace heddle::cli {
namespace {

constexpr uint32_t kNobody = ~0u;

// What each thread was about to do at the end, and never did.
std::vector<const Event*> unfinished(const StoredTrace& run) {
  std::vector<const Event*> out;
  for (const Event& e : run.events) {
    if (!e.finished() && e.site != kNoSite) out.push_back(&e);
  }
  return out;
}

bool conflict(const Event& a, const Event& b) {
  const bool always = (a.kind == Kind::thread_create && b.kind == Kind::thread_start) || (a.kind == Kind::thread_exit && b.kind == Kind::thread_join);
  return !always && a.object == b.object && a.object != 0 && a.thread != b.thread && conflicting(a.kind, b.kind);
}

// How the read-write lock was taken the last time.
Kind last_taker(const StoredTrace& run, uint32_t lock) {
  const auto takes = [lock](const Event& e) {
    return e.finished() && e.object == lock && (e.kind == Kind::rwlock_rdlock || e.kind == Kind::rwlock_wrlock);
  };
  const auto at = std::find_if(run.events.rbegin(), run.events.rend(), takes);
  return at != run.events.rend() ? at->kind : Kind::none;
}

// Orders without repetition.
class Orders {
 public:
  explicit Orders(const StoredTrace& run) : run_(run) {}

  void add(const Event& first, const Event& second) {
    if (first.site == kNoSite || second.site == kNoSite || first.thread == second.thread) return;
    const Order order = {element_of(run_, first), element_of(run_, second)};
    const auto key = [](const Element& e) { return std::tuple(e.thread, e.site, e.occurrence, e.kind); };
    if (seen_.emplace(key(order.first), key(order.second)).second) out_.push_back(order);
  }
  size_t size() const { return out_.size(); }
  std::vector<Order> take() { return std::move(out_); }

 private:
  using Key = std::tuple<ThreadId, SiteId, uint32_t, Kind>;
  const StoredTrace& run_;
  std::set<std::pair<Key, Key>> seen_;
  std::vector<Order> out_;
};

// What each thread would have done next after `run`, as `other` tells.
std::vector<Element> next_of(const StoredTrace& run, const StoredTrace& other) {
  std::map<ThreadId, size_t> done, seen;
  for (const Event& e : run.events) {
    if (e.finished()) ++done[run.threads[e.thread].id];
  }
  std::vector<Element> out;
  for (const Event& e : other.events) {
    const Element next = element_of(other, e);
    if (next.site != kNoSite && ++seen[next.thread] == done[next.thread] + 1) out.push_back(next);
  }
  return out;
}

}  // namespace

SelectPreference preference(const StoredTrace& run, const Event& e, int32_t choice) {
  return {.thread = run.threads[e.thread].id, .site = e.site, .instance = e.occurrence, .choice = choice, .kind = e.kind, .reserved = {}};
}

Element element_of(const StoredTrace& run, const Event& event) {
  return {.thread = run.threads[event.thread].id, .site = event.site, .object = kAnyObject, .occurrence = event.occurrence, .context = 0,
          .kind = event.kind, .chain = 0, .thread_var = 0, .reserved = {}};
}

Delay delay_of(const Order& order) { return {.what = order.second, .until = order.first}; }

size_t thread_switches(const StoredTrace& run) {
  size_t switches = 0;
  uint32_t last = kNobody;
  for (const Event& e : run.events) {
    if (!e.finished()) continue;
    switches += last != kNobody && e.thread != last;
    last = e.thread;
  }
  return switches;
}

std::vector<Order> orders_of_switches(const StoredTrace& run) {
  Orders orders(run);
  const Event* last = nullptr;
  for (const Event& e : run.events) {
    if (orders.size() > kMaxElements) return orders.take();  // threads that spin: a million of them
    if (!e.finished()) continue;
    if (last != nullptr && last->thread != e.thread) orders.add(*last, e);
    last = &e;
  }
  for (const Event* e : unfinished(run)) {
    if (last != nullptr) orders.add(*last, *e);
  }
  return orders.take();
}

std::vector<Order> orders_before_end(const StoredTrace& run) {
  Orders orders(run);
  std::map<uint32_t, const Event*> latest;
  for (const Event& e : run.events) {
    const KindInfo& kind = kind_info(e.kind);
    if (e.finished() && !kind.has(kPassive) && !kind.has(kThread)) latest[e.thread] = &e;
  }
  for (const Event* e : unfinished(run)) {
    for (const auto& [thread, before] : latest) orders.add(*before, *e);
  }
  return orders.take();
}

std::vector<Order> orders_of_absent(const StoredTrace& run, const StoredTrace& other) {
  const auto is_running = [&](uint32_t thread) { return static_cast<ThreadEnd>(run.threads[thread].state) == ThreadEnd::running; };
  std::vector<Order> out;
  for (const Element& next : next_of(run, other)) {
    for (const Event* end : unfinished(run)) {
      if (is_running(end->thread) && run.threads[end->thread].id != next.thread) out.push_back({element_of(run, *end), next});
    }
  }
  return out;
}

std::vector<Order> orders_of_next(const StoredTrace& run, const StoredTrace& other) {
  const Event* last = nullptr;
  for (const Event& e : run.events) {
    if (e.finished()) last = &e;
  }
  std::vector<Order> out;
  if (last == nullptr) return out;
  const Element end = element_of(run, *last);
  for (const Element& next : next_of(run, other)) {
    if (next.thread != end.thread) out.push_back({end, next});
  }
  return out;
}

std::vector<Order> orders_of_waiters(const StoredTrace& run) {
  Orders orders(run);
  for (const Event* writer : unfinished(run)) {
    if (writer->kind != Kind::rwlock_wrlock || last_taker(run, writer->object) != Kind::rwlock_rdlock) continue;
    for (const Event* reader : unfinished(run)) {
      // The reader may have come first. Its turn had not.
      if (reader->kind == Kind::rwlock_rdlock && reader->object == writer->object) orders.add(*writer, *reader);
    }
  }
  return orders.take();
}

std::vector<Order> orders_of_sections(const StoredTrace& run) {
  constexpr size_t kMost = 400;
  Orders orders(run);
  std::map<uint32_t, std::map<uint32_t, const Event*>> latest;  // of each lock: how each thread took it
  for (const Event& e : run.events) {
    if (e.kind != Kind::mutex_lock || e.object == 0 || (e.flags & kEventRecursive) != 0) continue;
    auto& takers = latest[e.object];
    for (const auto& [thread, before] : takers) {
      if (orders.size() < kMost) orders.add(*before, e);
    }
    if (e.finished()) takers[e.thread] = &e;
  }
  return orders.take();
}

std::vector<Order> orders_of_conflicts(const StoredTrace& run) {
  Orders orders(run);
  constexpr size_t kWindow = 4000;  // operations, from the end
  constexpr size_t kMostThreads = 12, kMostOrders = 1000;
  std::vector<const Event*> finished;
  for (const Event& e : run.events) {
    if (e.finished()) finished.push_back(&e);
  }
  // The last operations on its object that other threads made before it, one of each thread.
  const auto look_back = [&](const Event& e, size_t at) {
    std::set<uint32_t> threads;
    for (size_t i = at, looked = 0; i-- > 0 && looked < kWindow && threads.size() < kMostThreads; ++looked) {
      if (conflict(*finished[i], e) && threads.insert(finished[i]->thread).second) orders.add(*finished[i], e);
    }
  };
  for (const Event* e : unfinished(run)) look_back(*e, finished.size());
  const size_t first = finished.size() > kWindow ? finished.size() - kWindow : 0;
  for (size_t i = finished.size(); i-- > first && orders.size() < kMostOrders;) look_back(*finished[i], i);

  // One thread after another: its first operation after the last one of the other.
  std::map<uint32_t, std::pair<const Event*, const Event*>> ends;
  for (const Event* e : finished) {
    auto [at, fresh] = ends.try_emplace(e->thread, e, e);
    if (!fresh) at->second.second = e;
  }
  if (ends.size() > kMostThreads) return orders.take();
  for (const auto& [a, first_and_last] : ends) {
    for (const auto& [b, others] : ends) {
      if (a != b) orders.add(*others.second, *first_and_last.first);
    }
  }
  return orders.take();
}

std::vector<Order> orders_of_deviations(const StoredTrace& run) {
  constexpr size_t kMost = 1000;
  Orders orders(run);
  std::map<uint32_t, size_t> next;  // of each thread, its next operation from here on
  for (size_t i = run.events.size(); i-- > 0 && orders.size() < kMost;) {
    next[run.events[i].thread] = i;
    if (!run.events[i].finished()) continue;
    for (const auto& [thread, its] : next) {
      const uint32_t created = run.threads[thread].create_event;
      if (created == kNoEvent || created < i) orders.add(run.events[its], run.events[i]);
    }
  }
  return orders.take();
}

std::vector<Order> orders_of_turns(const StoredTrace& run) {
  constexpr size_t kMost = 400;
  Orders orders(run);
  std::map<uint32_t, const Event*> latest;
  const Event* last = nullptr;
  size_t count = 0;
  const auto add = [&](const Event& e) {
    for (const auto& [thread, before] : latest) {
      if (thread != e.thread && ++count <= kMost) orders.add(*before, e);
    }
  };
  for (const Event& e : run.events) {
    if (!e.finished()) continue;
    if (last != nullptr && last->thread != e.thread) add(e);
    latest[e.thread] = last = &e;
  }
  for (const Event* e : unfinished(run)) add(*e);
  return orders.take();
}

std::vector<Order> open_orders(const std::vector<Order>& orders) {
  std::map<std::pair<SiteId, Kind>, std::set<ThreadId>> threads;
  for (const Order& order : orders) threads[{order.second.site, order.second.kind}].insert(order.second.thread);
  std::vector<Order> out;
  for (Order order : orders) {
    if (threads[{order.second.site, order.second.kind}].size() < 2) continue;
    order.second.thread = kAnyThread;
    order.second.occurrence = 0;
    if (std::find(out.begin(), out.end(), order) == out.end()) out.push_back(order);
  }
  return out;
}

std::optional<int32_t> outcome_of(const Event& e) {
  // A select that sends on a closed channel: the finding comes before the operation is recorded.
  const bool fails = e.kind == Kind::select && e.outcome == Outcome::failure;
  if ((!e.finished() && !fails) || e.site == kNoSite) return std::nullopt;
  // It might have ended early, and what it waited for was there before.
  const bool came_in_time = e.outcome == Outcome::signalled || e.outcome == Outcome::success;
  switch (e.kind) {
    case Kind::select:  // the default is -1
    case Kind::cond_signal:
    case Kind::futex_wake:
    case Kind::barrier_arrive:
    case Kind::descriptor_wait:
    case Kind::clock_jump:
      return static_cast<int32_t>(e.choice);
    case Kind::cond_wake:
      return came_in_time ? 0 : static_cast<int32_t>(e.choice);
    case Kind::mutex_timedlock:
    case Kind::sleep:
    case Kind::futex_wait:
    case Kind::rwlock_rdlock:
    case Kind::rwlock_wrlock:
    case Kind::semaphore_wait:
    case Kind::signal_wait:
      return e.choice != 0 && !came_in_time;
    case Kind::atomic_cas:
      return e.outcome == Outcome::failure;
    default:
      if (!kind_info(e.kind).has(kAtomic)) return std::nullopt;
      return (e.flags & kEventStale) != 0 ? static_cast<int32_t>(e.choice) : 0;
  }
}

std::optional<int32_t> observed_outcome(const Event& e) {
  const bool timed = e.kind == Kind::cond_wake || e.kind == Kind::futex_wait;
  if (timed && e.finished() && e.site != kNoSite && e.outcome == Outcome::timeout) return 1;
  return outcome_of(e);
}

bool is_forced(const StoredTrace& run, const Event& e) {
  if (e.kind == Kind::atomic_cas) return (e.flags & kEventStale) == 0;
  if (e.kind != Kind::select) return false;
  const auto number = static_cast<uint32_t>(&e - run.events.data());
  size_t possible = 0;
  bool known = false;
  for (const SelectCase& c : run.select_cases) {
    if (c.event != number) continue;
    known = true;
    possible += c.ready != 0 && c.index != kDefaultCase;  // the default case is only taken if there is no other
  }
  return known && possible < 2;
}

std::vector<SelectPreference> unusual_outcomes(const StoredTrace& run) {
  std::vector<SelectPreference> out;
  for (const Event& e : run.events) {
    const auto outcome = outcome_of(e);
    const bool stale = kind_info(e.kind).has(kAtomic) && e.kind != Kind::atomic_cas && (e.flags & kEventStale) != 0;
    if (outcome && (*outcome != 0 || e.kind == Kind::select || stale)) out.push_back(preference(run, e, *outcome));
  }
  return out;
}

Schedule bare_schedule(const Schedule& like) {
  Schedule out = without_order(like);
  out.strategy = StrategyId::nonpreemptive;
  out.visible_plain = like.visible_plain;
  return out;
}

std::vector<Element> chain_of(const std::vector<Order>& orders) {
  std::vector<Element> out;
  const auto add = [&out](const Element& e) {
    if (out.empty() || !(out.back() == e)) out.push_back(e);
  };
  for (const Order& order : orders) add(order.first), add(order.second);
  return out;
}

}  // namespace heddle::cli
