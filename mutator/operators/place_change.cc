// Execution graphs (docs/design/weak-memory.md#changing-a-graph): another place in modification order for one store.
#include "mutator/operators/graph_of_run.h"

namespace heddle::mutator {

bool place_change(Context& c) { return change_graph(c, ChangedEvents::plain_stores); }

}  // namespace heddle::mutator
