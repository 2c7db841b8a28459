// Decisions of the select kind in a run: which other outcomes were possible, and how promising each is.
//
// These are selects and everything else for which the runtime accepts preferences: which waiter a signal wakes; whether a timed operation
// times out early, a wait ends without a signal, or an operation that may fail fails.
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/knowledge/select_partners.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

// The weight of a case that may find a partner (or an outcome that may occur), relative to cases about which nothing is known
// (docs/design/gfuzz.md#flips).
inline constexpr uint32_t kPartnerFactor = 3;

struct Candidate {
  int32_t choice;   // as in SelectPreference
  uint32_t weight;  // kPartnerFactor or 1
};

class ChoicePoints {
 public:
  explicit ChoicePoints(const Relations& run) : partners_(run) {}

  static constexpr int32_t kUndecided = INT32_MIN;
  // The recorded outcome; kUndecided: it never finished.
  int32_t taken(uint32_t event) const;
  // The possible outcomes, including the recorded one, in the order of their choices; the default is last. If there are fewer than two,
  // there is nothing to choose.
  void candidates(uint32_t event, std::vector<Candidate>& out) const;
  bool is_choice(uint32_t event) const;
  // A choice that can be turned by itself. Other outcomes (of a try, of a compare-and-swap) follow from the order.
  bool is_free_choice(uint32_t event) const;
  // A choice that no order of operations makes: those above, and whether the time of a lock or a semaphore runs out.
  bool is_beyond_order(uint32_t i) const { return may_be_beyond_order(event(i).kind) && is_choice(i); }
  static bool may_be_beyond_order(Kind kind);
  // A preference for that outcome at exactly this event.
  SelectPreference preference(uint32_t event, int32_t choice) const;
  const SelectPartners& partners() const { return partners_; }

 private:
  const Event& event(uint32_t i) const { return partners_.relations().event(i); }

  SelectPartners partners_;
};

// How many outcomes other than `taken` may find a partner.
uint32_t possible_others(const std::vector<Candidate>& candidates, int32_t taken);

// Draws an outcome other than `taken`, by weight (`weighted`) or uniformly. REQUIRES: at least two candidates.
int32_t draw_other(const std::vector<Candidate>& candidates, int32_t taken, bool weighted, Rng& rng);

}  // namespace heddle::mutator
