// Which of several stores an atomic operation reads, or at which of several places its store goes, under a weak memory model. The candidates
// are admissible (graph/admissible.h) and in order, the newest first.
//
// The schedule's preference decides if there is one: `select T atomic_load @site instance N takes k` is the k-th newest. Else it is drawn.
#pragma once

#include "scheduler/decisions.h"
#include "scheduler/pending.h"
#include "schema/codec.h"

namespace heddle::rt {

class ChooseSource {
 public:
  void begin(const ScheduleView& schedule);
  // An index below `count`, which is at least 2.
  uint32_t pick(const Pending& p, uint32_t count, const DecisionPoint& point, bool& preferred) const;

 private:
  enum class Bias : uint8_t {
    even,
    newer,   // each further store half as likely as the one before
    newest,  // the newest store in 15 of 16 cases, else even
  };
  std::span<const SelectPreference> selects_;
  Bias bias_ = Bias::even;
  bool newest_ = false;  // always
};

}  // namespace heddle::rt
