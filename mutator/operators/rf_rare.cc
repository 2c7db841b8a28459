// Makes a reads-from constraint from a rare pair of a read and a write, for any parent. With only a fresh seed, a child would have the pair
// no more often than any other run. So a bug after the pair would need two lucky events.
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
