#include "analyses/report/slice.h"

#include <cstring>

#include "analyses/report/positions.h"
#include "analyses/report/values.h"
#include "schema/coherence.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMost = 16;  // events
constexpr uint32_t kRecent = 3;  // events of the failing thread among which its last read counts, if none is at the place of the failure

bool on_memory(const Event& e) { return e.finished() && e.object != 0 && (kind_info(e.kind).has(kAtomic) || kind_info(e.kind).has(kPlain)); }
bool reads(const Event& e) { return on_memory(e) && kind_info(e.kind).has(kReads) && !is_plain_store(e); }
bool writes(const Event& e) { return on_memory(e) && kind_info(e.kind).has(kWrites) && e.outcome != Outcome::failure; }

struct Slice {
  const RunSummary& run;
  uint32_t events[kMost];
  uint32_t count = 0;
  bool shared = false;  // a value went from one thread to another

  bool add(uint32_t event) {
    for (uint32_t i = 0; i < count; ++i) {
      if (events[i] == event) return false;
    }
    if (count == kMost) return false;
    events[count++] = event;
    return true;
  }

  // The last read of the object by the thread, before its write: what it wrote may depend on it.
  uint32_t read_before(uint32_t write) const {
    const Event& w = run.events[write];
    for (uint32_t i = write; i-- > 0;) {
      const Event& e = run.events[i];
      if (e.object != w.object || e.thread != w.thread) continue;
      return reads(e) ? i : kNoEvent;
    }
    return kNoEvent;
  }

  void follow_write(uint32_t write) {
    if (write >= run.event_count || !add(write)) return;
    const Event& w = run.events[write];
    if (reads(w)) return follow_write(w.partner);
    const uint32_t read = read_before(write);
    if (read == kNoEvent) return;
    // What came in between is lost.
    bool lost = false;
    for (uint32_t i = read + 1; i < write; ++i) {
      const Event& e = run.events[i];
      if (e.object == w.object && e.thread != w.thread && writes(e)) lost = true, add(i);
    }
    if (lost || run.events[read].partner < run.event_count) follow_read(read);
  }

  void follow_read(uint32_t read) {
    if (!add(read)) return;
    const uint32_t source = run.events[read].partner;
    if (source >= run.event_count || writer_of(run, read).known != Writer::event) return;
    shared |= run.events[source].thread != run.events[read].thread;
    follow_write(source);
  }
};

bool same_line(const Frame& a, const Frame& b) {
  return a.file != nullptr && b.file != nullptr && a.line != 0 && a.line == b.line && strcmp(a.file, b.file) == 0;
}

}  // namespace

void add_slice(Story& story, const RunSummary& run) {
  if (story.thread >= run.thread_count || story.stack_count == 0) return;
  const Frame here = user_frame(user_site(story.stacks[0].position, story.stacks[0].context));
  Slice slice = {run, {}};
  uint32_t recent = 0, last_read = kNoEvent;
  for (uint32_t i = run.event_count; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.thread != story.thread) continue;
    if (recent++ < kRecent && last_read == kNoEvent && reads(e)) last_read = i;
    // Back to where the thread came to this line.
    if (!same_line(user_frame(user_site(recorder().position_of(run.events, i), recorder().context_of(i))), here)) {
      if (recent > kRecent || slice.count != 0) break;
      continue;
    }
    if (reads(e)) slice.follow_read(i);
    if (slice.count == kMost) break;
  }
  if (slice.count == 0 && last_read != kNoEvent) slice.follow_read(last_read);
  if (!slice.shared) return;
  for (uint32_t i = 0; i < slice.count; ++i) story.add_event(slice.events[i]);
}

}  // namespace heddle::rt
