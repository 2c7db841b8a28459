// Happens-before as a plain graph: each of docs/design/happens-before.md#clock-rules as edges, then everything that can be reached.
#pragma once

#include <cstdint>
#include <vector>

#include "order/clock_rules.h"
#include "simulation.h"

namespace heddle::order {

class Reference {
 public:
  Reference(const SimulatedRun& run, Relation relation);

  // Is the end of a before the attempt at b, before the end of b? And the attempt at a before the attempt at b?
  bool end_before_attempt(uint32_t a, uint32_t b) const { return get(end(a), 2 * b); }
  bool end_before_end(uint32_t a, uint32_t b) const { return get(end(a), end(b)); }
  bool attempt_before_attempt(uint32_t a, uint32_t b) const { return get(2 * a, 2 * b); }

 private:
  // Node 2i: the attempt at event i; 2i+1: its end.
  uint32_t end(uint32_t i) const { return finished(i) ? 2 * i + 1 : 2 * i; }
  bool finished(uint32_t i) const { return events_[i].finished(); }
  bool get(uint32_t from, uint32_t to) const { return reach_[from][to / 64] >> to % 64 & 1; }
  void edge(uint32_t from, uint32_t to) { reach_[from][to / 64] |= uint64_t{1} << to % 64; }
  // The end of a comes before the end of b.
  void synchronises(uint32_t a, uint32_t b) { edge(2 * a + 1, 2 * b + 1); }
  void close_transitively();

  void program_order();
  void threads();
  void reads_from();
  void locks(uint32_t a, uint32_t b);
  void others(uint32_t a, uint32_t b);
  void channels(uint32_t a, uint32_t b);
  void atomics();
  std::vector<uint32_t> released_by(uint32_t write) const;
  std::vector<uint32_t> acquired_by(uint32_t read) const;
  bool ends_writing(uint32_t unlock) const;

  const SimulatedRun& run_;
  const std::vector<Event>& events_;
  uint32_t count_;
  std::vector<std::vector<uint64_t>> reach_;  // a bit per node
};

}  // namespace heddle::order
