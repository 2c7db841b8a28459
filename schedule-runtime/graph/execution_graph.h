// The execution graph of the present run under a weak memory model: program order by the threads' clocks, reads-from and modification order
// here. Happens-before is the race detector's (order/clock_rules.h).
//
// An operation goes like this: location() - admissible() - a choice among the candidates - the event is committed - read() or store().
// Memory always holds the newest store's value.
#pragma once

#include <span>

#include "base/reserved_array.h"
#include "graph/admissible.h"
#include "graph/eventual_visibility.h"
#include "graph/psc.h"
#include "graph/seq_cst_views.h"
#include "graph/strong_locations.h"
#include "races/arena.h"
#include "schema/coherence.h"

namespace heddle::rt::graph {

// How many of its newest stores a location keeps readable. The second number is for runs with a graph prefix.
inline constexpr uint32_t kWindow = 64, kWindowOfPrefix = 4096;
// Each readable store has a clock with an entry for each thread. If the stores of an execution need more memory than this, each location keeps
// the newest two from its next store on. To read the newest store is always right, so nothing impossible is seen, only less.
inline constexpr uint32_t kNarrowWindow = 2;
inline constexpr size_t kMemoryOfWideWindows = size_t{1} << 29;

extern constinit bool g_active;
// Does the present execution run under a weak memory model?
inline bool active() { return __builtin_expect(g_active, 0); }

class ExecutionGraph {
 public:
  // An execution begins.
  void begin(bool weak, uint32_t window);

  // The location of an object, made on its first use. `in_memory`: what its memory holds. If that is not what the newest store has put there,
  // someone outside of the model has written, and that is one more store.
  Location& location(uint32_t object, uintptr_t address, uint32_t size, Value in_memory);
  // The object's location if it has been used, else null.
  Location* find(uint32_t object);
  // The object's memory belongs to something else now.
  void end_location(uint32_t object);

  Candidates candidates(const Location& x, const Step& step);

  // An operation that has been committed. `past`: the thread's clock after it.
  struct Done {
    uint32_t thread, epoch;
    MemoryOrder order;
    const order::VectorClock* past;
  };
  // It has read the store at this position, and stored nothing.
  void read(Location& x, uint32_t position, const Done& done);
  // The kernel has read the newest store. This read counts for the axioms only: it has no choice, and so is no event of the graph.
  void glance(Location& x, const Done& done);
  // It has stored. `view`: what an acquire that reads it learns; null: nothing. `rmw`: it has read the store right below.
  struct Stored {
    uint32_t event;
    Value value;
    bool rmw;
    const order::VectorClock* view;
  };
  void store(Location& x, uint32_t position, const Done& done, const Stored& s);
  // A seq_cst fence, or something that acts as one.
  void fence(uint32_t thread, uint32_t epoch, const order::VectorClock& past);

  EventualVisibility& visibility() { return visibility_; }
  // Stores that left a window while another choice was still possible, or a thread had to read the newest store: the run may have missed graphs.
  bool bounded() const { return window_bound_ || visibility_.bounded(); }
  // The axiom SC has been judged exactly so far, not by views.
  bool exact() const { return psc_.exact(); }
  // Every store of the run so far, in the order of execution.
  std::span<const StoreOrder> stores() const { return {orders_.data(), orders_.size()}; }
  // How many graph events (schema/coherence.h) the thread has executed.
  uint32_t events_of(uint32_t thread) const { return thread < events_.capacity() ? events_[thread] : 0; }

 private:
  void initialise();
  void narrow_windows();
  void go_by_views();
  void foreign_write(Location& x, Value value);
  uint16_t judge(const Location& x, uint32_t position, const Done& done, bool stores, bool reads);

  bool initialised_ = false;
  uint32_t window_ = kWindow;
  bool window_bound_ = false;
  Arena arena_;
  order::Memory memory_{};
  order::ChunkTable<Location, 4> locations_;
  SeqCstViews views_;
  Psc psc_;
  StrongLocations strong_;
  EventualVisibility visibility_;
  ReservedArray<StoreOrder> orders_;
  ReservedArray<uint32_t> events_;  // by thread
  ReservedArray<uint32_t> room_;    // for candidates
};

extern ExecutionGraph g_graph;
inline ExecutionGraph& execution_graph() { return g_graph; }

}  // namespace heddle::rt::graph
