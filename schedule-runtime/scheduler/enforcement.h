// Enforcement of a schedule in logical time: which candidates are held and which are preferred
// (docs/design/runtime-laws.md#chains-and-constraints).
//
// Held is not blocked: a held op goes when its turn comes, or when nothing else can run. So a schedule can be infeasible, but it can never
// cause a deadlock that the program does not have. Each kind of constraint is an automaton in its own file (chains.cc, reads_from.cc,
// delays.cc). This class is their common interface.
#pragma once

#include <cstdint>

#include "graph/execution_graph.h"
#include "schema/codec.h"
#include "scheduler/graph_prefix.h"
#include "scheduler/matching.h"
#include "scheduler/pending.h"

namespace heddle::rt {

enum class Verdict : int8_t { held = -1, neutral = 0, favoured = 1 };

// Returns the last write of each object, by object index. Supplied by the engine.
using LastWrite = WriteRecord (*)(uint32_t object_index);

class Chains {
 public:
  void begin(const ScheduleView& schedule);
  bool active() const { return live_ != 0; }
  Verdict verdict(const Pending& p) const { return holder(p) == count_ ? Verdict::neutral : Verdict::held; }
  // Sets kEventElement if the op realised an element. True if any constraint changed its state.
  bool executed(Pending& p);
  // `p` is the current element of a chain but cannot go, and nothing else can move. The element counts as done. True if any constraint
  // changed its state.
  bool parked(const Pending& p);
  // Nothing else can run and `p` is held. The first chain that holds it is abandoned. True if there was one.
  bool release(const Pending& p);
  // Is this op a current element?
  bool awaited(const Pending& p) const;
  // Could this thread later reach the op of a current element?
  bool awaits(ThreadId thread) const;
  const ChainResult* results() const { return results_; }
  uint32_t count() const { return count_; }
  // Index of the first chain that holds p; count() if none does.
  uint32_t holder(const Pending& p) const;
  // REQUIRES: chain k is not realised in whole.
  const Element& awaited_element(uint32_t k) const {
    return element(chains_[k], chains_[k].current);
  }

 private:
  static constexpr int kMaxVariables = 256;
  struct Chain {
    uint32_t first, length;  // in elements_
    uint32_t current;        // elements done
    bool abandoned;
  };

  const Element& element(const Chain& c, uint32_t i) const { return elements_[c.first + i]; }
  bool fits(const Chain& c, uint32_t i, const Pending& p) const;
  // Index of the earliest unmatched element that p matches; c.length if none. If p fits the awaited element, it is that one.
  uint32_t find(const Chain& c, const Pending& p) const;
  bool bound_to(const Chain& c, const Element& e, ThreadId thread) const;
  void advance(Chain& c, const Pending& p);
  void abandon(Chain& c);

  uint32_t count_ = 0;
  uint32_t live_ = 0;
  Chain chains_[kMaxChains] = {};
  ChainResult results_[kMaxChains] = {};
  Element elements_[kMaxElements] = {};  // chain by chain
  uint64_t keys_[kMaxElements] = {};     // place_key of these
  ThreadId variables_[kMaxChains][kMaxVariables] = {};
  uint32_t bound_[kMaxChains] = {};  // number of bound variables. If it is 0, no scan is needed
};

class ReadsFromConstraints {
 public:
  void begin(const ScheduleView& schedule);
  bool active() const { return live_ != 0; }
  // The set of pending ops may change from here on.
  void begin_choice() { ++choice_; }
  Verdict verdict(const Pending& p, LastWrite last_write, Pending* const* all, uint32_t count);
  void executed(const Pending& p, LastWrite last_write);
  bool release(const Pending& p, LastWrite last_write);
  // The same for an atomic under a weak memory model: its write need not be the last one, but must have been executed. `partner`: the store
  // that it has read.
  Verdict weak_verdict(const Pending& p, Pending* const* all, uint32_t count);
  void weak_executed(const Pending& p, uint32_t partner);
  bool weak_release(const Pending& p);
  // An index into the candidates that satisfies a constraint on this read. `candidates.count`: there is none.
  uint32_t choose(const Pending& p, const graph::Location& x, const graph::Candidates& candidates) const;
  uint32_t satisfied() const { return satisfied_; }

 private:
  // A negative constraint applies to so many reads. Without this limit, it could keep a program from ending: threads that back off from
  // each other's locks, when each may only try a lock while it is taken.
  static constexpr uint8_t kMostShaped = 64;

  void judge(size_t constraint, bool from_write);
  static bool can_be_satisfied(const ReadsFrom& c, uint32_t object);
  // Is a thread about to do the constraint's read on this object? The answer is the same for all candidates on that object. It needs a look
  // at each thread, so it is computed once per choice.
  bool read_is_pending(size_t constraint, uint32_t object, Pending* const* all, uint32_t count);
  struct Found {
    uint64_t choice;
    uint32_t object;
    bool pending;
  };

  ScheduleView schedule_;
  uint64_t choice_ = 0;
  Found found_[kMaxConstraints] = {};
  uint32_t live_ = 0;
  uint32_t satisfied_ = 0;
  bool done_[kMaxConstraints] = {};
  uint8_t shaped_[kMaxConstraints] = {};  // reads of a negative one so far
};

class Delays {
 public:
  void begin(const ScheduleView& schedule);
  bool active() const { return live_ != 0; }
  Verdict verdict(const Pending& p) const;
  bool executed(const Pending& p);  // true if any delay is over
  // Could this thread be the one that ends a delay of another thread's op?
  bool awaits(ThreadId thread) const;
  bool release(const Pending& p);

 private:
  ScheduleView schedule_;
  uint32_t live_ = 0;
  bool done_[kMaxDelays] = {};
};

class Enforcement {
 public:
  void begin(const ScheduleView& schedule, LastWrite last_write);
  bool active() const { return active_; }
  void begin_choice() { reads_from_.begin_choice(); }
  // Can any constraint of the schedule apply to this operation? Asked once per operation, because no constraint applies to most operations.
  bool concerns(const Pending& p) const {
    return (places_ >> place_bit(p.site, p.kind) & 1) != 0 || (every_write_ && p.writes() && p.object_index != 0) ||
           (prefix_.active() && GraphPrefix::is_graph_operation(p));
  }
  // The prefix needs this op now, even if its thread spins.
  bool wants(const Pending& p) {
    return prefix_.active() && GraphPrefix::is_graph_operation(p) && prefix_.place(p) == GraphPrefix::Place::ready;
  }
  // REQUIRES (here and below): concerns(p). `all` are the pending ops of all live threads.
  Verdict verdict(Pending& p, Pending* const* all, uint32_t count);
  // Called before the op takes effect on its object's last write. `partner`: as in its event.
  void executed(Pending& p, uint32_t partner);
  // Under a weak memory model: which of the candidates the schedule wants. `candidates.count`: it does not say.
  uint32_t choose(const Pending& p, const graph::Location& x, const graph::Candidates& candidates);
  void graph_event(uint32_t thread) {
    if (!prefix_.active()) return;
    prefix_.executed(thread);
    if (!prefix_.active()) update();
  }
  bool parked(const Pending& p) {
    const bool moved = chains_.parked(p);
    if (moved) update();
    return moved;
  }
  bool awaited(const Pending& p) const { return chains_.active() && chains_.awaited(p); }
  // May a sleeping thread go on because its next op may be the one that a chain or a delay waits for? The number per execution is limited,
  // because the thread may also wait for the held op itself, in a loop of sleeps. The limit is drawn from the seed; some limits are high,
  // so that the constraint survives a long time.
  bool lends_time(const Pending& p) const {
    return lent_ < may_lend_ && ((chains_.active() && chains_.awaits(p.thread)) || (delays_.active() && delays_.awaits(p.thread)));
  }
  void note_lent_time() { ++lent_; }
  // Releases p from what holds it. False if nothing holds it.
  bool release(Pending& p);

  const Chains& chains() const { return chains_; }
  const GraphPrefix& prefix() const { return prefix_; }
  uint32_t released() const { return released_; }
  uint32_t satisfied() const { return reads_from_.satisfied(); }

 private:
  // The state of a chain or a delay has changed, so cached answers (held_version) are stale.
  void update();
  bool held(Pending& p);
  Verdict reads_from_verdict(Pending& p, Pending* const* all, uint32_t count);
  void note(const Element& e) { places_ |= uint64_t{e.site != kNoSite} << place_bit(e.site, e.kind); }
  // A filter of one word. It is enough for the few places that a schedule names.
  static uint64_t place_bit(SiteId site, Kind kind) { return place_key(site, kind) * 0x9E3779B97F4A7C15ull >> 58; }

  uint64_t places_ = 0;        // what the constraints name
  bool every_write_ = false;   // a constraint may hold or prefer writes that it does not name
  LastWrite last_write_ = nullptr;
  uint32_t lent_ = 0, may_lend_ = 0;
  bool active_ = false;
  uint32_t version_ = 0;       // never 0 in an execution
  uint32_t released_ = 0;
  Chains chains_;
  ReadsFromConstraints reads_from_;
  Delays delays_;
  GraphPrefix prefix_;
  bool weak_ = false;  // the run has an execution graph
};

}  // namespace heddle::rt
