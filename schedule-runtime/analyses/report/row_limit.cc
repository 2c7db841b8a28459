// Which rows a report leaves out.
#include "analyses/report/positions.h"
#include "analyses/report/rows.h"
#include "analyses/report/values.h"
#include "base/options.h"
#include "trace/live_state.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kLastOfBlocked = 3;  // so many operations of a blocked thread are shown

// The rows between are left out, so these repeat each other.
void fold_what_is_left(const RunSummary& run) {
  Row* last = nullptr;
  for (Row& r : rows()) {
    if ((r.alone || r.reference) && !r.marked && r.event.finished()) continue;
    const bool repeats = last != nullptr && !r.marked && !last->marked && r.index != kNoEvent && last->index != kNoEvent && r.period <= 1 && last->period <= 1 &&
                         foldable(last->event, r.event) && equal_values(run, last->index, r.index);
    if (!repeats) {
      last = &r;
      continue;
    }
    last->count += r.count;
    last->passed += r.passed;
    last->period = 1;
    r.folded = true;
  }
}

}  // namespace

void leave_out_references(const RunSummary& run, const Story& story) {
  if (options().report_rows == 0) return;
  // For each object: what its rows are.
  enum : uint8_t { kCounts = 1, kMatters = 2 };
  static constinit ReservedArray<uint8_t> seen;
  seen.reserve(1 << 20);
  for (uint32_t i = 0; i < run.object_count; ++i) seen[i] = 0;
  const auto is_count = [](const Row& r) { return kind_info(r.event.kind).has(kAtomic) && counts_references(r.event.pc_index, r.context); };
  for (const Row& r : rows()) {
    if (r.event.object == 0 || r.event.object >= run.object_count) continue;
    const uintptr_t address = live_state().object_address(r.event.object);
    const bool matters = r.marked || !r.event.finished() || (address != 0 && address - story.block.begin < story.block.size);
    seen[r.event.object] |= (matters ? kMatters : 0) | (is_count(r) ? kCounts : 0);
  }
  for (Row& r : rows()) {
    if (r.event.object == 0 || r.event.object >= run.object_count || seen[r.event.object] != kCounts || !is_count(r)) continue;
    r.reference = true;
    r.shown = false;
  }
}

void cut_rows(const RunSummary& run) {
  ReservedArray<Row>& list = rows();
  const uint32_t most = options().report_rows;
  size_t count = 0;
  for (const Row& r : list) count += r.shown;
  if (most == 0 || count <= most) return;
  static constinit ReservedArray<uint32_t> users;  // thread + 1; ~0: several
  users.reserve(1 << 20);
  for (uint32_t i = 0; i < run.object_count; ++i) users[i] = 0;
  for (const Row& r : list) {
    uint32_t& user = users[r.event.object];
    if (user == 0) user = r.event.thread + 1;
    else if (user != r.event.thread + 1) user = ~0u;
  }
  uint32_t left = most;
  const auto show = [&left](Row& r) {
    r.shown = true;
    if (left > 0) --left;
  };
  static constinit ReservedArray<uint8_t> last;  // for a thread with an unfinished operation: how many of its other operations are still to be shown
  last.reserve(1 << 14);
  for (uint32_t t = 0; t < run.thread_count; ++t) last[t] = 0;
  for (Row& r : list) {
    const uint16_t roles = kind_info(r.event.kind).roles;
    r.alone = (roles & kPassive) != 0 || (r.event.object != 0 && (roles & kThread) == 0 && users[r.event.object] != ~0u);
    if (r.event.outcome == Outcome::spurious) r.alone = false;  // nobody else sees the cause, but it has an effect
    r.shown = false;
    if (r.marked || !r.event.finished()) show(r);
    if (!r.event.finished() && r.event.thread < run.thread_count) last[r.event.thread] = kLastOfBlocked;
  }
  fold_what_is_left(run);
  // Half of the rows: if many threads are blocked, their latest operations are the important ones.
  for (size_t i = list.size(); i-- > 0 && left > most / 2;) {
    Row& r = list[i];
    if (r.shown || r.reference || r.folded || (kind_info(r.event.kind).roles & kPassive) != 0 || r.event.thread >= run.thread_count || last[r.event.thread] == 0) continue;
    --last[r.event.thread];
    show(r);
  }
  for (size_t i = list.size(); i-- > 0 && left > 0;) {
    if (!list[i].shown && !list[i].alone && !list[i].reference && !list[i].folded) show(list[i]);
  }
}

}  // namespace heddle::rt
