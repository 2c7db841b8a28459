// Execution graphs (docs/design/weak-memory.md#changing-a-graph): another store for one read, or another outcome of a compare-and-swap.
#include "mutator/operators/graph_of_run.h"

namespace heddle::mutator {

bool source_change(Context& c) { return change_graph(c, ChangedEvents::reads); }

}  // namespace heddle::mutator
