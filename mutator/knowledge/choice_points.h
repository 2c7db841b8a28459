// Choices of the select kind in a run: what each could have been instead, and how likely that leads somewhere.
//
// Selects, and whatever else the runtime takes preferences for: which waiter a signal wakes; whether a timed operation's time
// comes early, a wait ends without a signal, an operation that may fail fails.
#pragma once

#include <cstdint>
#include <vector>

#include "mutator/knowledge/select_partners.h"
#include "mutator/rng.h"
#include "schema/schedule.h"

namespace heddle::mutator {

// A case that may find a partner (an outcome that may come), among those of which nothing is known (docs/design/gfuzz.md#flips).
inline constexpr uint32_t kPartnerFactor = 3;

struct Candidate {
  int32_t choice;   // as in SelectPreference
  uint32_t weight;  // kPartnerFactor or 1
};

class ChoicePoints {
 public:
  explicit ChoicePoints(const Relations& run) : partners_(run) {}

  static constexpr int32_t kUndecided = INT32_MIN;
  // What it was; kUndecided: it never finished.
  int32_t taken(uint32_t event) const;
  // What it may be, the one taken among them, in the order of their choices, the default last. Fewer than two: there is
  // nothing to choose.
  void candidates(uint32_t event, std::vector<Candidate>& out) const;
  bool is_choice(uint32_t event) const;
  // "This very passage takes that candidate."
  SelectPreference preference(uint32_t event, int32_t choice) const;
  const SelectPartners& partners() const { return partners_; }

 private:
  const Event& event(uint32_t i) const { return partners_.relations().event(i); }

  SelectPartners partners_;
};

// How many beside `taken` may find a partner.
uint32_t possible_others(const std::vector<Candidate>& candidates, int32_t taken);

// Another candidate than `taken`, by weight (`weighted`) or all alike. REQUIRES: two candidates or more.
int32_t draw_other(const std::vector<Candidate>& candidates, int32_t taken, bool weighted, Rng& rng);

}  // namespace heddle::mutator
