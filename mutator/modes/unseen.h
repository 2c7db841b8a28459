// A system of the opening: what no run has shown yet, at the level of positions. Two kinds of pairs
// are asked for, one in each child:
//
//   order    the first operation at this position comes before every one at that position
//   source   this read takes its value from that write
//
// and of a position that many threads pass, a pair with itself:
//
//   crowd    all of them have come there before the first one goes on
//
// First of all come cycles of locks that a run took one after another: each thread takes its outer lock before any takes its inner one. If
// nothing else orders the threads, that is a deadlock.
//
// Of the pairs that were tried least, one on objects that were tried least comes first.
//
// The threads are left open, so a pair takes one run, however many threads pass its positions. (A
// source cannot say this for the initial value: before the reader has come to its read, nobody knows
// on which object it waits. The order of the read and the write says it.)
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "mutator/knowledge/object_groups.h"
#include "mutator/knowledge/race_book.h"
#include "mutator/modes/published_mode.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {

class Unseen : public PublishedSystem {
 public:
  void learn(const KnownRun& run, const Schedule& schedule, bool own) override;
  // A pair that no run has had, the least tried one; then any, the least tried one.
  Schedule next(const Schedule& parent, Rng& rng) override;
  bool idle() const override;
  // There is a cycle of locks that was not tried.
  bool has_cycle() const { return !cycles_.empty(); }

 private:
  static constexpr size_t kMaxPairs = 1024;
  static constexpr size_t kMaxPlaces = 64;  // looked at on one object
  static constexpr uint32_t kTries = 3;     // of a pair that does not come true
  static constexpr size_t kMaxCycles = 64;
  static constexpr size_t kCrowd = 3;       // threads; of two, an order says the same

  enum class Relation : uint8_t { order, source, crowd };
  struct Pair {
    Element first, second;  // the read and its write, if it is a source; the same, if it is a crowd
    Relation relation;
    ThreadId waits = kAnyThread;  // of an order: a thread that comes to the second position
    bool seen = false;
    uint32_t tried = 0;
  };
  // Null: there is no such pair, and no new one if there are too many.
  Pair* find(const Element& first, const Element& second, Relation relation);
  Pair* find_or_add(const Element& first, const Element& second, Relation relation);
  void learn_race(const RacingPair& race);
  void learn_cycles(const Relations& run);
  void learn_object(const Relations& run, uint32_t object);
  void learn_crowds(const Relations& run, uint32_t object);
  void learn_deliveries(const KnownRun& run);
  void learn_sources(const KnownRun& run);
  bool is_asked_for(const Event& read, const Event& write);
  Pair* draw(Rng& rng);

  RaceBook races_;
  uint32_t turn_ = 0;
  ObjectGroups groups_;  // by the first position of a pair
  std::vector<Pair> pairs_;
  std::unordered_map<uint64_t, uint32_t> index_;  // in pairs_
  std::unordered_map<uint64_t, uint64_t> lock_sources_;  // by position that takes a lock: where it was given back
  std::vector<Chain> cycles_;                      // left to try
  std::unordered_set<uint64_t> known_cycles_;      // by their positions
  std::vector<uint32_t> places_, threads_;        // of learn_object() and learn_crowds(), kept for their capacity
};

}  // namespace heddle::mutator
