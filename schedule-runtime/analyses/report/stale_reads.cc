#include "analyses/report/stale_reads.h"

#include "analyses/report/causal_past.h"
#include "analyses/report/missing_order.h"
#include "analyses/report/names.h"
#include "analyses/report/operation_text.h"
#include "schema/coherence.h"

namespace heddle::rt {
namespace {

// The newest store when this stale operation happened: the last one that was not itself overtaken.
uint32_t missed_store(const RunSummary& run, uint32_t stale) {
  for (uint32_t i = stale; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.object == run.events[stale].object && stores_atomically(e) && !is_stale(e)) return i;
  }
  return kNoEvent;
}

// "main.0's store".
void put_doer(Text& out, const RunSummary& run, uint32_t event) {
  put_thread(out, run, run.events[event].thread);
  out.put("'s ");
  out.put(verb_of(run.events[event].kind));
}

void put_stale(Text& out, const RunSummary& run, uint32_t stale, uint32_t missed) {
  const Event& e = run.events[stale];
  out.put("  ");
  put_doer(out, run, stale);
  out.add(" of %s at ", object_name(run, e.object));
  put_event_place(out, run, stale);
  out.add(" (step %u) ", e.done);
  out.put(is_plain_store(e) ? "is older than " : "does not see ");
  put_doer(out, run, missed);
  out.put(" at ");
  put_event_place(out, run, missed);
  out.add(" (step %u)%s.", run.events[missed].done, is_plain_store(e) ? ", although it came later" : "");
  if (!is_plain_store(e) && e.partner == kNoEvent) out.put(" It sees the initial value.");
  if (!is_plain_store(e) && e.partner < run.event_count) {
    out.put(" It sees ");
    put_doer(out, run, e.partner);
    out.put(" at ");
    put_event_place(out, run, e.partner);
    out.put(".");
  }
  out.put("\n");
}

struct Found {
  static constexpr uint32_t kMost = 4 * StaleReads::kMost;  // a few more, from which those with a reason are chosen
  uint32_t stale[kMost], missed[kMost];
  uint32_t count = 0;
  bool more = false;

  // Repetitions of one operation that miss the same store count once.
  void add(const RunSummary& run, uint32_t event) {
    const uint32_t store = missed_store(run, event);
    if (store == kNoEvent) return;
    for (uint32_t i = 0; i < count; ++i) {
      const Event &a = run.events[stale[i]], &b = run.events[event];
      if (missed[i] == store && a.thread == b.thread && a.kind == b.kind) return;
    }
    if (count == kMost) {
      more = true;
      return;
    }
    stale[count] = event;
    missed[count++] = store;
  }
};

// The last ones before the finding: first those of the thread itself, then those of the others; reads before stores.
Found last_ones(const RunSummary& run, const Story& story, const CausalPast& past) {
  constexpr uint32_t kLooked = 1024;  // a loop can read stale values without end
  Found found;
  for (const bool overtaken : {false, true}) {
    for (const bool own : {true, false}) {
      uint32_t looked = 0;
      for (uint32_t i = run.event_count; i-- > 0 && looked < kLooked;) {
        const Event& e = run.events[i];
        if (!is_stale(e) || is_plain_store(e) != overtaken || (e.thread == story.thread) != own || !past.contains(i)) continue;
        ++looked;
        found.add(run, i);
      }
    }
  }
  return found;
}

}  // namespace

void put_stale_reads(Text& out, const RunSummary& run, const Story& story, const char* program, StaleReads& told) {
  told.count = 0;
  bool weak = run.coherence_count != 0;
  for (uint32_t i = 0; i < run.event_count && !weak; ++i) weak = is_stale(run.events[i]);
  if (!weak) return;
  CausalPast past(run);
  past.clear();
  past.add_finding(story);
  past.spread(Links::messages);
  const Found found = last_ones(run, story, past);
  if (found.count == 0) {
    out.put("Weak memory: the finding depends on no stale read. The same order of operations is possible under sc.\n\n");
    return;
  }
  out.put("Weak memory: the finding depends on operations that did not see the newest store.\n");
  // An operation that could also have come first explains nothing, unless there is no other.
  static constinit MissingOrder missing[Found::kMost] = {};
  bool explained = false;
  for (uint32_t i = 0; i < found.count; ++i) {
    missing[i] = missing_order(run, found.missed[i], found.stale[i]);
    explained |= missing[i].what != MissingOrder::no_message;
  }
  uint32_t told_ones = 0, candidates = 0;
  for (uint32_t i = 0; i < found.count; ++i) {
    bool known = explained && missing[i].what == MissingOrder::no_message;
    for (uint32_t k = 0; k < i && !known; ++k) {
      known = missing[k].what == MissingOrder::circle && missing[i].what == MissingOrder::circle && tells_of(missing[k], found.missed[k], found.stale[k], found.stale[i]);
    }
    if (known) continue;
    if (++candidates > StaleReads::kMost) continue;
    put_stale(out, run, found.stale[i], found.missed[i]);
    put_missing_order(out, run, missing[i], found.missed[i], found.stale[i]);
    told.events[told.count++] = found.stale[i];
    told.events[told.count++] = found.missed[i];
    ++told_ones;
  }
  if (!explained) out.put("  A lock would order them. So would a release store after the one, and an acquire load of it before the other.\n");
  if (found.more || told_ones < found.count) out.put("  The table marks more stale operations.\n");
  out.add("Does this schedule fail under sc, too? To ask: heddle replay %s FILE\n\n", program);
}

}  // namespace heddle::rt
