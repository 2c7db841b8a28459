// A pair that reads and writes seldom make becomes a reads-from constraint, whoever the parent is: a child with a fresh seed would have it no
// more often than any other run, and whatever lies behind it would have to be found together with it.
#include "mutator/operators/rf_list.h"

namespace heddle::mutator {

bool rf_rare(Context& c) {
  if (c.rare_source == nullptr) return false;
  ReadsFrom rf{};
  rf.read = c.rare_source->read;
  rf.write = c.rare_source->write;
  return add_reads_from(c, rf);
}

}  // namespace heddle::mutator
