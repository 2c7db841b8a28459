#include "harness/cli/condition_candidates.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/cli/interruptions.h"
#include "harness/cli/lock_sections.h"
#include "harness/cli/thread_origins.h"

namespace heddle::cli {
namespace {

constexpr size_t kMostOrders = 160, kMostOutcomes = 60, kMostReads = 40;

// Smaller ones come first.
enum Rank : int { kOfData, kChosen, kDemanded, kOther, kOfThreads, kUsual, kLastRank };

using Operation = std::pair<SiteId, Kind>;

bool has_threads(const Order& order) {
  return kind_info(order.first.kind).has(kThread) || kind_info(order.second.kind).has(kThread);
}

// Where a thread yields says nothing: no other thread can see it. During a sleep time passes, and who reads the clock
// before and after it sees that.
bool is_passive(const Condition& condition) {
  const auto says_nothing = [](const Element& e) { return kind_info(e.kind).has(kPassive) && !kind_info(e.kind).has(kBlocks); };
  const Order* const order = std::get_if<Order>(&condition);
  return order != nullptr && (says_nothing(order->first) || says_nothing(order->second));
}

Order reverse(const Order& order) { return {order.second, order.first}; }

std::vector<Order> first_of(std::vector<Order> orders) {
  if (orders.size() > kMostOrders) orders.resize(kMostOrders);
  return orders;
}

// A loop that tries again has as many as rounds. How it begins and how it ends says most.
std::vector<SelectPreference> some_of(std::vector<SelectPreference> outcomes) {
  constexpr ptrdiff_t kHalf = kMostOutcomes / 2;
  if (outcomes.size() > kMostOutcomes) outcomes.erase(outcomes.begin() + kHalf, outcomes.end() - kHalf);
  return outcomes;
}

class Candidates {
 public:
  explicit Candidates(const StoredTrace& run) : index_(run, true) { look_at(run); }

  void look_at(const StoredTrace& run) {
    sections_.add(run);
    origins_.add(run);
    for (const Event& e : run.events) {
      const Operation operation = {e.site, e.kind};
      threads_[operation].insert(run.threads[e.thread].id);
      objects_[operation] = run.objects[e.object].id;
    }
  }
  void add(Condition condition, int rank) {
    if (Order* const order = std::get_if<Order>(&condition)) *order = sections_.order_of_sections(*order);
    if (is_passive(condition) || !index_.holds(condition)) return;
    const auto [at, fresh] = places_.try_emplace(key(condition), ranked_.size());
    if (fresh)
      ranked_.emplace_back(condition, rank);
    else
      ranked_[at->second].second = std::min(ranked_[at->second].second, rank);
  }
  void add_order(const Order& any_order, int rank) {
    const Order order = sections_.order_of_sections(any_order);
    if (index_.waits_in_vain(order) || origins_.decide(order)) return;
    if (index_.holds(order) && index_.holds(reverse(order))) return;  // both were about to happen
    if (index_.never_came_to(order)) rank = std::max<int>(rank, kUsual);
    add(order, rank);
    // Where several threads do the same, the order can be with any of them.
    for (Element Order::*side : {&Order::second, &Order::first}) {
      Order open = order;
      if (threads_[{(open.*side).site, (open.*side).kind}].size() < 3) continue;
      (open.*side).thread = kAnyThread;
      (open.*side).occurrence = 0;
      add(open, rank);
    }
  }
  // "Every other thread's" is the one that does it, if there is only one.
  Order with_the_only_one(Order order) {
    for (auto [side, other] : {std::pair(&Order::first, &Order::second), std::pair(&Order::second, &Order::first)}) {
      Element& e = order.*side;
      if (e.thread != kAnyThread) continue;
      std::set<ThreadId> others = threads_[{e.site, e.kind}];
      others.erase((order.*other).thread);
      if (others.size() != 1) continue;
      e.thread = *others.begin();
      e.occurrence = 1;
    }
    return order;
  }
  // By what the order is about. The last object of a position is enough for that.
  int rank(const Order& order) {
    if (has_threads(order)) return kOfThreads;
    const ObjectId first = objects_[{order.first.site, order.first.kind}];
    const ObjectId second = objects_[{order.second.site, order.second.kind}];
    const bool one_object = first == second && first != kAnyObject;
    return one_object && conflicting(order.first.kind, order.second.kind) ? kOfData : kOther;
  }
  // What a read saw; and which writes it did not see, though it might have.
  void add_reads(const StoredTrace& run, const StoredTrace& other) {
    const bool here = &run == &other;
    for (const Event& e : other.events) {
      if (!e.finished() || !reads_memory(e)) continue;
      const bool stale = here && (e.flags & kEventStale) != 0;
      ReadsFrom reads = {.read = element_of(other, e), .write = {}, .negative = !here, .shield = 0, .reserved = {}};
      if (e.partner != kNoEvent) reads.write = element_of(other, other.events[e.partner]);
      add(reads, stale || !here ? kOfData : kUsual);
      if (!stale) continue;
      for (const Event& write : run.events) {
        if (&write == &e) break;
        if (write.object != e.object || !writes_memory(write) || write.thread == e.thread) continue;
        reads.write = element_of(run, write);
        reads.negative = 1;
        add(reads, kOfData);
      }
    }
  }
  // Without stale reads an order says most of it. Only what a read saw of another thread tells two objects apart
  // at which the same operations are.
  void add_reads_of_others(const StoredTrace& run, const StoredTrace& other) {
    const bool here = &run == &other;
    size_t count = 0;
    for (auto e = other.events.rbegin(); e != other.events.rend() && count < kMostReads; ++e) {
      if (!e->finished() || !reads_memory(*e) || e->partner == kNoEvent) continue;
      const Event& write = other.events[e->partner];
      if (write.thread == e->thread) continue;
      ++count;
      add(ReadsFrom{.read = element_of(other, *e), .write = element_of(other, write), .negative = !here, .shield = 0, .reserved = {}}, kUsual);
    }
  }
  std::vector<Condition> take() {
    std::vector<Condition> out;
    for (int rank = 0; rank < kLastRank; ++rank) {
      for (const auto& [condition, its_rank] : ranked_) {
        if (its_rank == rank) out.push_back(condition);
      }
    }
    return out;
  }

 private:
  using Key = std::vector<uint64_t>;

  static bool reads_memory(const Event& e) {
    return e.kind == Kind::atomic_load || e.kind == Kind::atomic_rmw || e.kind == Kind::atomic_cas;
  }
  static bool writes_memory(const Event& e) {
    return e.kind == Kind::atomic_store || e.kind == Kind::atomic_rmw ||
           (e.kind == Kind::atomic_cas && e.outcome == Outcome::success);
  }

  static Key key(const Condition& condition) {
    if (const SelectPreference* const choice = std::get_if<SelectPreference>(&condition)) {
      const uint64_t least = is_least_jump(*choice) ? static_cast<uint64_t>(choice->choice) : 0;
      return {choice->thread, choice->site, choice->instance, static_cast<uint64_t>(choice->kind), least};
    }
    if (const LastWake* const wake = std::get_if<LastWake>(&condition)) return {wake->woken, wake->woken_anywhere, wake->passed_over, wake->passed_over_anywhere, 0};
    Key out;
    const ReadsFrom* const reads = std::get_if<ReadsFrom>(&condition);
    if (reads != nullptr) out.push_back(reads->negative);
    const auto& [first, second] = reads != nullptr ? Order{reads->write, reads->read} : std::get<Order>(condition);
    for (const Element& e : {first, second}) {
      out.insert(out.end(), {e.thread, e.site, e.occurrence, static_cast<uint64_t>(e.kind)});
    }
    return out;
  }

  const RunIndex index_;
  LockSections sections_;
  ThreadOrigins origins_;
  std::map<Operation, std::set<ThreadId>> threads_;
  std::map<Operation, ObjectId> objects_;
  std::map<Key, size_t> places_;
  std::vector<std::pair<Condition, int>> ranked_;
};

}  // namespace

std::vector<Condition> candidates_of(const StoredTrace& run, const Schedule& schedule,
                                     const std::vector<StoredTrace>& passing) {
  Candidates out(run);
  for (const StoredTrace& other : passing) out.look_at(other);
  for (const Delay& delay : schedule.delays) {
    const Order order = {delay.until, delay.what};
    if (is_exact(order))
      out.add_order(order, std::min<int>(out.rank(order), kDemanded));
    else if (order.first.site != kNoSite)
      out.add(out.with_the_only_one(order), kDemanded);
  }
  for (const LastWakeAt& at : last_wakes(run)) {
    LastWake wake = at.wake;
    out.add(wake, kOfData);
    wake.passed_over_anywhere = true;
    out.add(wake, kOfData);
    wake.woken_anywhere = true;
    out.add(wake, kOfData);
  }
  for (const SelectPreference& choice : schedule.selects) out.add(choice, kChosen);
  for (const Order& order : first_of(orders_of_interruptions(run))) out.add_order(order, kOfData);
  for (const Order& order : first_of(orders_of_conflicts(run))) {
    out.add_order(order, out.rank(order));
  }
  for (const Order& order : first_of(orders_of_waiters(run))) out.add(order, kOfData);
  for (const StoredTrace& other : passing) {
    for (const Order& order : first_of(orders_of_conflicts(other))) out.add_order(reverse(order), out.rank(reverse(order)));
  }
  for (const Order& order : first_of(orders_of_sections(run))) out.add_order(order, kOther);
  for (const StoredTrace& other : passing) {
    for (const Order& order : first_of(orders_of_sections(other))) out.add_order(reverse(order), kOther);
  }
  for (const ReadsFrom& reads : schedule.reads_from) out.add(reads, kDemanded);
  const auto add_reads = [&](const StoredTrace& other) {
    schedule.memory_model == MemoryModel::sc ? out.add_reads_of_others(run, other) : out.add_reads(run, other);
  };
  add_reads(run);
  for (const StoredTrace& other : passing) add_reads(other);
  // Before a finding is often something that is no operation, such as a free.
  for (const Order& order : first_of(orders_before_end(run))) out.add_order(order, kOther);
  for (const StoredTrace& other : passing) {
    for (const Order& order : first_of(orders_of_absent(run, other))) out.add(order, kUsual);
  }
  for (const Order& order : first_of(orders_of_switches(run))) out.add(order, kUsual);
  size_t outcomes = 0;
  for (const Event& e : run.events) {
    const auto outcome = observed_outcome(e);
    if (!outcome || kind_info(e.kind).has(kAtomic) || ++outcomes > kMostOutcomes) continue;
    out.add(preference(run, e, *outcome), *outcome != 0 ? kDemanded : kUsual);
    // How long something lasts is not known: a shorter jump can be enough.
    for (int32_t less = *outcome - 1; e.kind == Kind::clock_jump && less > 0; --less) out.add(preference(run, e, less), kDemanded);
  }
  for (const SelectPreference& choice : some_of(unusual_outcomes(run))) out.add(choice, kDemanded);
  return out.take();
}

}  // namespace heddle::cli
