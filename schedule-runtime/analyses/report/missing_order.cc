#include "analyses/report/missing_order.h"

#include "analyses/report/names.h"
#include "analyses/report/operation_text.h"
#include "analyses/report/positions.h"
#include "schema/coherence.h"
#include "schema/text_words.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

bool fence_between(const RunSummary& run, uint32_t first, uint32_t last, bool (*strong_enough)(MemoryOrder)) {
  for (uint32_t i = first; i < last; ++i) {
    const Event& e = run.events[i];
    if (e.thread == run.events[first].thread && e.kind == Kind::atomic_fence && strong_enough(e.order)) return true;
  }
  return false;
}

// Atomics have an order of their own, and plain accesses none. What other operations order does not depend on how they are written.
bool has_order(const Event& e) { return kind_info(e.kind).has(kAtomic) || kind_info(e.kind).has(kPlain); }

// "store x at queue.cc:20 (relaxed)".
void put_with_order(Text& out, const RunSummary& run, uint32_t event) {
  const Event& e = run.events[event];
  out.put(verb_of(e.kind));
  if (e.object != 0) out.add(" %s", object_name(run, e.object));
  out.put(" at ");
  put_event_place(out, run, event);
  if (has_order(e)) out.add(" (%s)", text::order_name(e.order).data());
}

// A read-modify-write hands on what the store before it has released: both links are one.
uint32_t join_release_sequences(const RunSummary& run, Hop* hops, uint32_t count) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const bool hands_on = n > 0 && hops[n - 1].to == hops[i].from && hops[i].message && kind_info(run.events[hops[i].from].kind).has(kAtomic) && stores_atomically(run.events[hops[i].from]);
    if (hands_on) hops[n - 1].to = hops[i].to;
    else hops[n++] = hops[i];
  }
  return n;
}

// The threads have exchanged messages after the store, but at least one of them orders nothing.
void put_messages(Text& out, const RunSummary& run, uint32_t missed, uint32_t stale, const Hop* hops, uint32_t count) {
  static constinit Text needed;
  needed.clear();
  const auto need = [&](const char* what, uint32_t event) {
    needed.add("%s%s at ", needed.view().empty() ? "" : " and ", what);
    put_event_place(needed, run, event);
  };
  uint32_t begin = missed;
  for (uint32_t i = 0; i < count; ++i) {
    const Event &from = run.events[hops[i].from], &to = run.events[hops[i].to];
    const uint32_t end = i + 1 < count ? hops[i + 1].from : stale;
    out.put("    ");
    put_thread(out, run, from.thread);
    out.put(hops[i].from == begin ? ": " : ", after that: ");
    put_with_order(out, run, hops[i].from);
    out.put(". ");
    put_thread(out, run, to.thread);
    out.put(" then: ");
    put_with_order(out, run, hops[i].to);
    out.put(".\n");
    if (has_order(from) && !releasing(from.order) && !fence_between(run, begin, hops[i].from, releasing)) need("release", hops[i].from);
    if (has_order(to) && !acquiring(to.order) && !fence_between(run, hops[i].to, end, acquiring)) need("acquire", hops[i].to);
    begin = hops[i].to;
  }
  if (needed.view().empty()) return out.put("    That does not order the two.\n");
  out.put("    That does not order the two. It would, with ");
  out.put(needed.view());
  out.put(" (or with fences there).\n");
}

// Each of the threads has gone on before the others saw its store.
void put_circle(Text& out, const RunSummary& run, uint32_t missed, uint32_t stale, const Hop* hops, uint32_t count) {
  out.put("    No order of all these operations, one after the other, explains what they saw. Only seq_cst on all of them would\n"
          "    forbid it, or a seq_cst fence between the two of each thread:\n");
  uint32_t begin = missed;
  for (uint32_t i = 0; i <= count; ++i) {
    const uint32_t end = i < count ? hops[i].from : stale;
    out.put("      ");
    put_thread(out, run, run.events[begin].thread);
    out.put(": ");
    put_with_order(out, run, begin);
    if (end != begin) {
      out.put(", then ");
      put_with_order(out, run, end);
    }
    out.put("\n");
    if (i < count) begin = hops[i].to;
  }
}

}  // namespace

bool stores_atomically(const Event& e) {
  return e.finished() && (is_plain_store(e) || e.kind == Kind::atomic_rmw || (e.kind == Kind::atomic_cas && e.outcome != Outcome::failure));
}

MissingOrder missing_order(const RunSummary& run, uint32_t store, uint32_t stale) {
  MissingOrder missing;
  CausalPast past(run);
  for (const Links links : {Links::messages, Links::all}) {
    past.clear();
    past.add(run.events[stale].thread, stale);
    past.spread(links);
    if (!past.contains(store)) continue;
    const bool short_enough = past.way(store, missing.hops, MissingOrder::kMostHops, missing.count) && missing.count != 0;
    missing.what = !short_enough ? MissingOrder::unknown : links == Links::all ? MissingOrder::circle : MissingOrder::messages;
    break;
  }
  if (missing.what == MissingOrder::messages) missing.count = join_release_sequences(run, missing.hops, missing.count);
  return missing;
}

bool put_unordering_messages(Text& out, const RunSummary& run, uint32_t after, uint32_t until) {
  Hop hops[MissingOrder::kMostHops];
  uint32_t count = 0;
  CausalPast past(run);
  past.clear();
  past.add(run.events[until].thread, until);
  past.spread(Links::messages);
  if (!past.contains(after) || !past.way(after, hops, MissingOrder::kMostHops, count) || count == 0) return false;
  put_messages(out, run, after, until, hops, join_release_sequences(run, hops, count));
  return true;
}

void put_missing_order(Text& out, const RunSummary& run, const MissingOrder& missing, uint32_t store, uint32_t stale) {
  if (missing.what == MissingOrder::circle) return put_circle(out, run, store, stale, missing.hops, missing.count);
  if (missing.what == MissingOrder::messages) return put_messages(out, run, store, stale, missing.hops, missing.count);
  if (missing.what == MissingOrder::unknown) return out.put("    Nothing orders the two, although several threads have exchanged messages in between.\n");
  const Event& e = run.events[stale];
  out.put("    Nothing orders the two: since that store, no message of ");
  put_thread(out, run, run.events[store].thread);
  out.put(" has reached ");
  put_thread(out, run, e.thread);
  out.add(". The %.*s could also have come first.\n", static_cast<int>(verb_of(e.kind).size()), verb_of(e.kind).data());
}

bool tells_of(const MissingOrder& circle, uint32_t store, uint32_t stale, uint32_t event) {
  bool told = event == store || event == stale;
  for (uint32_t i = 0; i < circle.count; ++i) told |= event == circle.hops[i].from || event == circle.hops[i].to;
  return told;
}

}  // namespace heddle::rt
