#include "harness/driver/run_difference.h"

#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "schema/kinds.h"
#include "schema/trace_file.h"

namespace heddle::driver {
namespace {

void put_operation(rt::Text& out, const RunSummary& run, size_t at) {
  if (at >= run.event_count) return out.put("nothing");
  const Event& e = run.events[at];
  out.put(kind_info(e.kind).name);
  out.put(" of ");
  rt::put_thread(out, run, e.thread);
  out.put(" at ");
  rt::put_place(out, e.pc_index);
}

// The heap need not return the same addresses. But a different number means that state was kept.
bool address_like(uint32_t folded_value) { return folded_value >= 1u << 16; }

}  // namespace

size_t differs_at(const RunSummary& first, const RunSummary& next) {
  size_t at = first_difference(first, next);
  for (uint32_t i = 0; at == kNoDifference && i < first.event_count; ++i) {
    const uint32_t one = first.events[i].value, other = next.events[i].value;
    if (one != other && !(address_like(one) && address_like(other))) at = i;
  }
  return at;
}

// Two operations may look the same in words: another iteration of a loop, or another object.
void put_difference(rt::Text& out, const RunSummary& first, const RunSummary& next, size_t at) {
  rt::Text earlier, later;
  earlier.clear();
  later.clear();
  put_operation(earlier, first, at);
  put_operation(later, next, at);
  out.add("operation %zu is ", at);
  out.put(later.view());
  if (earlier.view() == later.view()) return out.put(", with another result or object");
  out.put(" (before: ");
  out.put(earlier.view());
  out.put(")");
}

}  // namespace heddle::driver
