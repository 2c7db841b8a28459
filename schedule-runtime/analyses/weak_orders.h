// Atomic operations of the program whose order is weaker than seq_cst, in executions that were sequentially consistent. There the order makes no
// difference, and a user who does not know memory=rc11 would not hear that a search with it has more to try.
#pragma once

#include "analyses/report/report_text.h"

namespace heddle::rt {

// "5 atomic operations have an order weaker than seq_cst, such as the store at queue.cc:41 (relaxed)". Nothing if there are none, if an execution was not
// sequentially consistent, if there were only a few executions, or if HEDDLE_OPTIONS says which memory model is wanted. Operations inside of the C++ library do not count.
void put_weak_orders(Text& out);

}  // namespace heddle::rt
