#include "mutator/knowledge/flow_pairs.h"

#include <algorithm>
#include <unordered_map>

#include "mutator/knowledge/channel_ops.h"

namespace heddle::mutator {

namespace {

// What competes on an object. Operations of the same role displace each other. Reads compete with writes, and waits with notifications.
enum class FlowRole : uint8_t { none, once, lock, send, receive, write, read, notify, wait };
constexpr int kRoles = 9;
// So many threads are stored per role of an object: the latest ones.
constexpr size_t kThreads = 8;
constexpr size_t kMaxPairs = 1 << 15;

}  // namespace

class FlowPairFinder {
 public:
  FlowPairFinder(const Relations& run, FlowPairs& memory)
      : run_(run), ops_(run.run()), pairs_(memory.pairs_), sorted_(memory.sorted_), begin_(memory.begin_) {
    pairs_.clear();
    for (uint32_t select : ops_.unfinished_selects()) {
      for (const SelectCase& c : ops_.cases(select)) {
        if (awaited_.empty()) awaited_.resize(run.run().objects.size());
        awaited_[c.object].push_back({select, c.direction == static_cast<uint8_t>(CaseDirection::send) ? FlowRole::send : FlowRole::receive});
      }
    }
  }

  void find() {
    for (uint32_t o = 1; o < run_.run().objects.size() && pairs_.size() < kMaxPairs; ++o) look_at(o);
    rank();
  }

 private:
  const Event& event(uint32_t i) const { return run_.event(i); }

  FlowRole role(uint32_t i) const {
    const Event& e = event(i);
    if (e.flags & kEventRecursive) return FlowRole::none;
    const KindInfo& k = kind_info(e.kind);
    if (k.has(kHoldsLock)) return FlowRole::lock;
    if (k.has(kAtomic)) {
      const bool reads_only = !k.has(kWrites) || (e.kind == Kind::atomic_cas && e.outcome == Outcome::failure);
      return e.kind == Kind::atomic_fence ? FlowRole::none : reads_only ? FlowRole::read : FlowRole::write;
    }
    switch (e.kind) {
      case Kind::once_begin: return FlowRole::once;
      case Kind::semaphore_wait:
      case Kind::semaphore_trywait: return FlowRole::lock;
      case Kind::cond_signal:
      case Kind::cond_broadcast: return FlowRole::notify;
      case Kind::cond_wait: return FlowRole::wait;
      default: break;
    }
    const ChannelOp op = ops_.op(i);
    return op == ChannelOp::send ? FlowRole::send : op == ChannelOp::receive ? FlowRole::receive : FlowRole::none;
  }

  void look_at(uint32_t object) {
    const auto list = run_.on_object(object);
    const bool waited_for = !awaited_.empty() && !awaited_[object].empty();
    if (list.size() < 2 && !waited_for) return;
    for (auto& threads : latest_) threads.clear();
    last_write_ = kNone;
    for (uint32_t i : list) {
      if (pairs_.size() >= kMaxPairs) return;
      visit(i, role(i));
    }
    if (!waited_for) return;
    for (const Awaited& a : awaited_[object]) pair_all(a.role, a.select, FlowRank::outcome);
  }

  void visit(uint32_t i, FlowRole r) {
    if (r == FlowRole::none) return;
    const Event& e = event(i);
    switch (r) {
      case FlowRole::read:
        pair_all(FlowRole::write, i, FlowRank::value);
        break;
      case FlowRole::write:
        pair_all(FlowRole::write, i, FlowRank::value);
        pair_all(FlowRole::read, i, FlowRank::value);
        break;
      // If the notification comes first, it wakes no thread. If it comes second, it wakes the waiter.
      case FlowRole::notify: pair_all(FlowRole::wait, i, FlowRank::value); break;
      case FlowRole::wait: pair_all(FlowRole::notify, i, FlowRank::value); break;
      case FlowRole::once:
        if (in_vain(e.outcome)) pair_all(r, i, FlowRank::outcome);
        break;
      case FlowRole::lock:
        pair_all(r, i, !e.finished() || in_vain(e.outcome) ? FlowRank::outcome : FlowRank::order);
        break;
      default:  // a result of a closed channel is no message
        if (e.finished() && in_vain(e.outcome)) return;
        pair_all(r, i, e.finished() ? FlowRank::value : FlowRank::outcome);
    }
    if (!e.finished() || (in_vain(e.outcome) && r != FlowRole::read && r != FlowRole::notify)) return;
    auto& threads = latest_[static_cast<int>(r)];
    std::erase_if(threads, [&](uint32_t other) { return event(other).thread == e.thread; });
    threads.push_back(i);
    if (threads.size() > kThreads) threads.erase(threads.begin());
    if (r == FlowRole::write) {
      if (before_.empty()) before_.resize(run_.run().events.size(), kNone);
      before_[i] = last_write_;
      last_write_ = i;
    }
  }

  // Pairs `second` with the latest operation of that role of each other thread, the latest first.
  void pair_all(FlowRole r, uint32_t second, FlowRank rank) {
    const auto& threads = latest_[static_cast<int>(r)];
    for (size_t k = threads.size(); k-- > 0;) {
      const uint32_t first = threads[k];
      const Event &x = event(first), &y = event(second);
      if (x.thread == y.thread || !conflicting(x.kind, y.kind)) continue;
      const bool locks = r == FlowRole::lock;
      const auto relation = locks && rank == FlowRank::order ? order::Relation::weak : order::Relation::strong;
      if (run_.order(relation).orderable(first, second)) {
        pairs_.push_back({first, second, rank == FlowRank::value && !changes_value(first, second) ? FlowRank::order : rank, 0});
      }
      // Only the latest holder counts: earlier holders blocked no thread.
      if (rank == FlowRank::outcome && (locks || r == FlowRole::once)) return;
    }
  }

  // Would any thread get another value in the other order?
  bool changes_value(uint32_t first, uint32_t second) const {
    const Event &x = event(first), &y = event(second);
    if (kind_info(x.kind).has(kAtomic) && role(first) == FlowRole::write && role(second) == FlowRole::read) {
      // The read would see the value from before the write.
      const uint32_t old = before_[first];
      return reads_and_writes(x) || old == kNone || reads_and_writes(event(old)) || event(old).value != x.value;
    }
    return is_notification(x.kind) || is_notification(y.kind) || reads_and_writes(x) || reads_and_writes(y) || x.value != y.value;
  }
  // The recorded value is what it read. What it wrote is not recorded.
  static bool reads_and_writes(const Event& e) { return e.kind == Kind::atomic_rmw || e.kind == Kind::atomic_cas; }
  static bool is_notification(Kind k) { return k == Kind::cond_signal || k == Kind::cond_broadcast; }

  void rank() {
    const auto events = static_cast<uint32_t>(run_.run().events.size());
    sort_by(events, [&](const FlowPair& p) { return events - 1 - p.first; });
    sort_by(events, [](const FlowPair& p) { return p.second; });
    std::unordered_map<uint64_t, uint32_t> met;
    uint32_t most = 0;
    for (FlowPair& p : pairs_) most = std::max(most, p.repeat = met[mix(event(p.first).site, event(p.second).site)]++);
    sort_by(most + 1, [](const FlowPair& p) { return p.repeat; });
    sort_by(3, [](const FlowPair& p) { return static_cast<uint32_t>(p.rank); });
  }

  // By a key below `keys`; pairs with the same key stay in their order. It counts and does not compare: a long run has tens of thousands of pairs, and
  // the mutator learns from each run.
  template <typename Key>
  void sort_by(uint32_t keys, Key key) {
    begin_.assign(keys + 1, 0);
    for (const FlowPair& p : pairs_) ++begin_[key(p) + 1];
    for (uint32_t k = 0; k < keys; ++k) begin_[k + 1] += begin_[k];
    sorted_.resize(pairs_.size());
    for (const FlowPair& p : pairs_) sorted_[begin_[key(p)]++] = p;
    std::swap(pairs_, sorted_);
  }

  // A case of a select that never finished.
  struct Awaited {
    uint32_t select;
    FlowRole role;
  };

  const Relations& run_;
  ChannelOps ops_;
  std::vector<std::vector<Awaited>> awaited_;  // by object; empty if there is no such case
  std::vector<FlowPair>& pairs_;
  std::vector<FlowPair>& sorted_;
  std::vector<uint32_t>& begin_;
  std::vector<uint32_t> latest_[kRoles];
  std::vector<uint32_t> before_;  // of a write: the write before it
  uint32_t last_write_ = kNone;
};

std::span<const FlowPair> FlowPairs::find(const Relations& run) {
  FlowPairFinder(run, *this).find();
  return pairs_;
}

}  // namespace heddle::mutator
