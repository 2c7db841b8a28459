// The cases of a select that could have been taken instead (docs/design/gfuzz.md#possible-partners): an operation in the other
// direction on the same channel could have been their partner. Cases that other selects took count as sends and receives.
//
//   case                 candidate   it may be the partner if
//   send, unbuffered     receive     concurrent
//   send, buffered       receive     concurrent, or the select comes before it
//   receive, unbuffered  send        concurrent
//   receive, buffered    send        concurrent, or it comes before the select
//   receive              close       concurrent, or (buffered) it comes before the select
//   default              -           always
//
// Concurrent means `orderable` under the strong relation, by the clocks of the attempts. The original rule uses only completed candidates.
// Here an operation that still waits at the end is a candidate, too: its partner took another case, and so it is stuck. If the record says
// that a case was ready, it needs no partner.
#pragma once

#include <cstdint>
#include <span>

#include "mutator/knowledge/channel_ops.h"
#include "mutator/knowledge/relations.h"

namespace heddle::mutator {

// Keeps a reference to the relations and their run, which must outlive it.
class SelectPartners {
 public:
  explicit SelectPartners(const Relations& run) : run_(run), ops_(run.run()) {}

  // Also true for the case that was taken.
  bool possible(const SelectCase& c) const;
  // For an operation that may fail: another thread's operation on its object is concurrent with it, so the outcome could have been
  // different.
  bool disturbed(uint32_t event) const;
  const ChannelOps& ops() const { return ops_; }
  const Relations& relations() const { return run_; }

 private:
  // The operations on the object around the event.
  std::span<const uint32_t> nearby(uint32_t object, uint32_t event) const;
  bool could_meet(const SelectCase& c, uint32_t candidate, ChannelOp op) const;

  const Relations& run_;
  ChannelOps ops_;
};

}  // namespace heddle::mutator
