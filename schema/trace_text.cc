// What identifies a run across processes: as text, as a hash, and in comparisons.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "schema/text_words.h"
#include "schema/trace_file.h"

namespace heddle {
namespace {

constexpr std::string_view kOutcomeNames[] = {"",        "success",  "failure",
                                              "timeout", "spurious", "signalled", "interrupted"};
constexpr std::string_view kEndNames[] = {"finished", "blocked", "running", "sleeping",
                                          "blocked while joinable", "resting in a library"};

// An event in the form that is equal in all processes: ids instead of indices. If all of this is equal, two events are the same operation
// in the same place.
struct Identity {
  ThreadId thread;
  SiteId site;
  ObjectId object;
  uint32_t occurrence, partner, choice;
  Kind kind;
  Outcome outcome;
  MemoryOrder order;
  bool finished;

  bool operator==(const Identity&) const = default;
};

// RunSummaries come from the runtime unchecked. Only decoded ones are known to be valid.
template <typename T>
uint64_t id_at(const T* records, uint32_t count, uint32_t index) {
  return index < count ? records[index].id : 0;
}

Identity identity(const RunSummary& run, const Event& e) {
  return {id_at(run.threads, run.thread_count, e.thread),
          e.site,
          id_at(run.objects, run.object_count, e.object),
          e.occurrence,
          e.partner,
          e.choice,
          e.kind,
          e.outcome,
          e.order,
          e.finished()};
}

template <size_t N>
std::string_view name_of(const std::string_view (&names)[N], uint8_t index) {
  return index < N ? names[index] : names[0];
}

void append_event(std::string& out, const RunSummary& run, uint32_t index, const SiteNames* names) {
  const Event& e = run.events[index];
  const Identity id = identity(run, e);
  out += std::to_string(index) + " " + thread_name(id.thread) + " " +
         std::string(kind_info(id.kind).name) + " " + text::site_text(id.site) + " #" +
         std::to_string(id.occurrence);
  if (id.object != kAnyObject) out += " object " + text::hex(id.object);
  if (kind_info(id.kind).has(kAtomic)) out += " " + std::string(text::order_name(id.order));
  const std::string_view outcome = name_of(kOutcomeNames, static_cast<uint8_t>(id.outcome));
  if (!outcome.empty()) out += " " + std::string(outcome);
  if (id.choice != 0) out += " choice " + std::to_string(id.choice);
  if (id.partner != kNoEvent) out += " <- " + std::to_string(id.partner);
  if (is_stale(e)) out += " stale";
  if (!id.finished) out += " unfinished";
  const std::string comment = names != nullptr ? names->comment(id.site) : std::string();
  if (!comment.empty()) out += "  // " + comment;
  out += '\n';
}

// A store names the one right before it in its location's modification order.
void append_coherence(std::string& out, const RunSummary& run) {
  for (uint32_t i = 0; i < run.coherence_count; ++i) {
    const StoreOrder& s = run.coherence[i];
    out += "store " + std::to_string(s.event) + " after " + ((s.flags & kStoreBehindForeign) != 0 ? "foreign" : s.after == kNoEvent ? "initial" : std::to_string(s.after));
    out += (s.flags & kStoreOvertaken) != 0 ? " overtaken\n" : "\n";
  }
}

}  // namespace

std::string trace_to_text(const RunSummary& run, const SiteNames* names) {
  std::string out;
  for (uint32_t i = 0; i < run.event_count; ++i) append_event(out, run, i, names);
  for (uint32_t i = 0; i < run.thread_count; ++i) {
    const ThreadRecord& t = run.threads[i];
    if (t.state == static_cast<uint8_t>(ThreadEnd::finished)) continue;
    out += "thread " + thread_name(t.id) + " " + std::string(name_of(kEndNames, t.state));
    const ObjectId object = id_at(run.objects, run.object_count, t.blocked_on);
    if (object != kAnyObject) out += " on object " + text::hex(object);
    out += '\n';
  }
  append_coherence(out, run);
  return out;
}

uint64_t trace_hash(const RunSummary& run) {
  uint64_t h = mix(run.event_count, 0);
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Identity id = identity(run, run.events[i]);
    const uint64_t small = static_cast<uint64_t>(id.kind) | static_cast<uint64_t>(id.outcome) << 8 |
                           static_cast<uint64_t>(id.order) << 16 |
                           static_cast<uint64_t>(id.finished) << 24 |
                           static_cast<uint64_t>(id.choice) << 32;
    h = mix(h, id.thread);
    h = mix(h, id.site);
    h = mix(h, id.object);
    h = mix(h, id.occurrence | static_cast<uint64_t>(id.partner) << 32);
    h = mix(h, small);
  }
  for (uint32_t i = 0; i < run.coherence_count; ++i) h = mix(h, run.coherence[i].event | static_cast<uint64_t>(run.coherence[i].after) << 32);
  return h;
}

size_t first_difference(const RunSummary& a, const RunSummary& b) {
  const uint32_t common = std::min(a.event_count, b.event_count);
  for (uint32_t i = 0; i < common; ++i) {
    if (identity(a, a.events[i]) != identity(b, b.events[i])) return i;
  }
  if (a.event_count != b.event_count) return common;
  const uint32_t stores = std::min(a.coherence_count, b.coherence_count);
  for (uint32_t i = 0; i < stores; ++i) {
    if (a.coherence[i] != b.coherence[i]) return std::min(a.coherence[i].event, b.coherence[i].event);
  }
  return a.coherence_count == b.coherence_count ? kNoDifference : common;
}

}  // namespace heddle
