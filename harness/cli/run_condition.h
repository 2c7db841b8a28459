// A condition on a run: that one operation comes before another, that a choice has a certain
// outcome, that a read sees a certain write, or that the last notification wakes the wrong thread. It
// can be asked of a recorded run, and all but the last can be demanded of the next one.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "harness/cli/explicit_schedule.h"
#include "harness/cli/last_wake.h"

namespace heddle::cli {

// The first element of an Order comes before the second. One of the two may be open, with any
// thread: before each such operation of other threads, or after the first one. Or the choice has
// the outcome. Or the read sees the write, or does not.
using Condition = std::variant<Order, SelectPreference, ReadsFrom, LastWake>;

// Where each operation of a run came, and what came out.
class RunIndex {
 public:
  // `found`: the run ended with a finding. Only operations at these positions; null: all of them.
  RunIndex(const StoredTrace& run, bool found, const std::unordered_set<SiteId>* sites = nullptr);

  // Each thread of the condition stands for itself, or for the one that `threads` has for it.
  struct Threads {
    std::vector<std::pair<ThreadId, ThreadId>> pairs;
    ThreadId operator()(ThreadId thread) const;
  };
  bool holds(const Condition& condition, const Threads& threads = {}) const;
  bool holds(const std::vector<Condition>& all, const Threads& threads = {}) const;
  // Which threads do what, in any of several runs.
  class Doers {
   public:
    void add(const RunIndex& run);
    bool can(ThreadId thread, SiteId site, Kind kind) const { return known_.count(key(thread, site, kind)) != 0; }

   private:
    static uint64_t key(ThreadId thread, SiteId site, Kind kind) {
      return mix(thread, mix(site, static_cast<uint64_t>(kind)));
    }
    std::unordered_set<uint64_t> known_;
  };
  // With other threads in the place of those that the conditions name, different ones for different
  // ones, and only threads that can do the same. (What a thread never does would count as still to come
  // in each run with a finding.)
  bool holds_for_some_threads(const std::vector<Condition>& all, const Doers& doers) const;

  size_t size() const { return operations_.size(); }
  bool found() const { return found_; }
  // The second operation of the order neither happened nor was about to: the run ended before, which
  // is rather a consequence of the finding than its cause.
  bool never_came_to(const Order& order) const;
  // The first operation waited at the end, and the second never came: that is the finding itself, in
  // other words.
  bool waits_in_vain(const Order& order) const;
  // When it comes about: where its first operation came, the choice, the read, or the notification.
  // After all else if that had not happened.
  uint32_t place_of(const Condition& condition) const;
  // The first operation neither happened nor was about to.
  bool lacks_first(const Order& order) const { return place_of(order.first, order.second.thread, {}) == kAbsent; }
  // The operations of the condition have happened.
  bool reached(const Condition& condition) const;
  // Both operations of the order happened, and the second one came first.
  bool reversed(const Order& order) const;

 private:
  struct Key {
    ThreadId thread;
    SiteId site;
    uint32_t occurrence;
    Kind kind;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      return mix(mix(key.thread, key.site), mix(key.occurrence, static_cast<uint64_t>(key.kind)));
    }
  };
  struct Operation {
    uint32_t place;  // kPending: it had not happened when the run ended
    std::optional<int32_t> outcome;
    std::optional<Key> source = std::nullopt;  // the operation whose value it read
    bool waits = false;                        // it had not happened, because it had to wait for another thread
  };
  static constexpr uint32_t kPending = ~0u;

  static constexpr uint32_t kAbsent = kPending - 1;

  const Operation* find(ThreadId thread, SiteId site, uint32_t occurrence, Kind kind) const;
  uint32_t place_of(const Element& element, ThreadId partner, const Threads& threads) const;
  bool holds(const ReadsFrom& condition, const Threads& threads) const;

  std::unordered_map<Key, Operation, Hash> operations_;
  // By site and kind: the first operation of each thread that has happened.
  std::unordered_map<uint64_t, std::vector<std::pair<ThreadId, uint32_t>>> first_;
  std::vector<ThreadId> threads_;
  std::unordered_set<ThreadId> ended_;  // of these: what they have not done is not to come
  std::vector<LastWakeAt> last_wakes_;
  bool found_;
};

// Both elements name their operation exactly.
bool is_exact(const Order& order);
void add_sites(const Condition& condition, std::unordered_set<SiteId>& sites);

// The clock jumps by so much or more: what expires has done so then.
bool is_least_jump(const SelectPreference& choice);

// A handler of a signal runs right before the operation of its thread. The signal can be sent long before.
bool is_interruption(const Condition& condition);

// A schedule can demand it. Where a handler runs follows from what its thread was about to do. The default case of a select is taken if no other one is possible, and not by choice.
bool can_be_demanded(const Condition& condition);
// Any of them.
bool can_be_demanded(const std::vector<Condition>& all);
// Adds what demands it of a run. A condition is a wish: if nothing else can run, an operation goes
// nevertheless.
void demand(const Condition& condition, Schedule& schedule);
void demand(const std::vector<Condition>& all, Schedule& schedule);
// What demands that it does not hold. False: nothing can.
bool demand_opposite(const Condition& condition, Schedule& schedule);
bool has_opposite(const Condition& condition);

}  // namespace heddle::cli
