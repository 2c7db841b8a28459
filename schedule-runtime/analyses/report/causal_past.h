// What an operation of a run could know of, and by which way: the operations from which a way leads to it, along program order and one of
// two sets of links between threads.
#pragma once

#include <cstdint>

#include "analyses/report/story.h"
#include "schema/event.h"

namespace heddle::rt {

enum class Links : uint8_t {
  messages,  // a thread reads what another one has stored, or takes its lock, joins it, ...
  all,       // and the order of stores, and from a read to the store that it comes before: what any total order of all operations obeys
};

// A step of the way from one thread to another: an operation, and one that comes after it.
struct Hop {
  uint32_t from, to;  // events
  bool message;       // `to` reads what `from` has stored, or the like
};

class CausalPast {
 public:
  // There is only one at a time. Reading `run` costs a pass over it; a run without a modification order (RunSummary::coherence) has messages
  // only.
  explicit CausalPast(const RunSummary& run);

  // Begins again, with nothing in the past.
  void clear();
  // These operations of a thread, up to this one, are in the past, and no later ones of it.
  void add(uint32_t thread, uint32_t event);
  // What the threads of the finding have done.
  void add_finding(const Story& story);
  // Adds everything from which a way leads to what was added.
  void spread(Links links);
  bool contains(uint32_t event) const;

  // The way from an operation in the past to one that was added; false: it is too long for `hops`. An operation of the thread that was added
  // has an empty way.
  bool way(uint32_t event, Hop* hops, uint32_t room, uint32_t& count) const;

 private:
  bool raise(uint32_t from, uint32_t to, bool message);
  bool spread_messages();
  bool spread_orders();

  const RunSummary& run_;
};

}  // namespace heddle::rt
