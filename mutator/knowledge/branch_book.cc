#include "mutator/knowledge/branch_book.h"

#include <vector>

namespace heddle::mutator {

void BranchBook::learn(const KnownRun& run) {
  std::vector<uint64_t> last(run.threads.size());
  for (const Event& e : run.events) {
    const uint64_t now = key(run, e);
    const uint64_t before = last[e.thread];
    last[e.thread] = now;
    if (before == 0 || next_.size() >= kMost) continue;
    uint64_t& next = next_.try_emplace(before, now).first->second;
    if (next != now) next = kSeveral;
  }
}

}  // namespace heddle::mutator
