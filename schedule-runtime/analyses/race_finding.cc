#include "analyses/race_finding.h"

#include "analyses/end_findings.h"
#include "analyses/held_locks.h"
#include "analyses/race_list.h"
#include "analyses/report/memory_words.h"
#include "analyses/report/missing_order.h"
#include "analyses/report/operation_text.h"
#include "analyses/report/positions.h"
#include "trace/contexts.h"
#include "trace/live_state.h"
#include "trace/sites.h"

namespace heddle::rt {

namespace {

// "writes", "atomically reads", "uses (mutex_lock)".
void put_verb(Text& out, Kind kind, bool writes) {
  if (kind == Kind::none || kind_info(kind).has(kAtomic)) {
    out.add("%s%s", kind != Kind::none ? "atomically " : "", writes ? "writes" : "reads");
  } else {
    const std::string_view name = kind_info(kind).name;
    out.add("%s (%.*s)", writes ? "destroys" : "uses", static_cast<int>(name.size()), name.data());
  }
}

// One of the two accesses.
struct Side {
  uint32_t thread;
  Kind kind;
  bool writes;
  uint32_t size;     // 0: not known
  uint32_t site;
  uint32_t context;  // node
  uint32_t events;   // of the run, before it
};

Side side_of(uint32_t thread, Kind kind, bool writes, uintptr_t pc, const AccessNote* note) {
  Side s = {thread, kind, writes, 0, sites().index_of(pc), 0, 0};
  if (note == nullptr) return s;
  s.size = note->size;
  s.events = note->events;
  s.context = note->context;
  if (s.context != AccessNote::kOfEvent) return s;
  // Adds the operation's own position to its calling context, as for plain accesses.
  s.context = recorder().context_of(s.events);
  if (s.events < recorder().positions.size()) s.context = contexts().child(s.context, sites()[recorder().positions[s.events]].pc);
  return s;
}

// "main.0 writes 4 bytes".
void put_access(Text& out, const RunSummary& run, const Side& s) {
  put_thread(out, run, s.thread);
  out.put(" ");
  put_verb(out, s.kind, s.writes);
  if (s.size != 0 && (s.kind == Kind::none || kind_info(s.kind).has(kAtomic))) out.add(" %u byte%s", s.size, s.size == 1 ? "" : "s");
}

void put_held(Text& out, const RunSummary& run, const HeldLocks& held) {
  out.put(held.count == 0 ? ", holding no lock" : ", holding ");
  for (uint32_t i = 0; i < held.count; ++i) out.add("%s%s", i != 0 ? ", " : "", object_name(run, run.events[held.event[i]].object));
}

void add_side(Story& story, const RunSummary& run, const Side& s, const char* when) {
  static constinit Text title;
  title.clear();
  put_access(title, run, s);
  title.put(when);
  title.repeat('\0', 1);
  story.add_stack(s.site, s.context, true, "%s", title.view().data());
}

void add_locks(Story& story, const RunSummary& run, const Side& s, const HeldLocks& held) {
  static constinit Text title;
  for (uint32_t i = 0; i < held.count; ++i) {
    title.clear();
    put_thread(title, run, s.thread);
    title.add(" acquired %s here", object_name(run, run.events[held.event[i]].object));
    title.repeat('\0', 1);
    add_event_stack(story, run, held.event[i], false, title.view().data());
  }
}

// "write hits".
std::string_view words_of(Story& story, const RunSummary& run, const Side& s, uintptr_t address) {
  static constinit Text words;
  words.clear();
  if (s.kind == Kind::none) words.put(s.writes ? "write" : "read");
  else words.put(verb_of(s.kind));
  words.put(" ");
  const std::string_view name = memory_name(story, run, address);
  words.put(name.empty() ? "a variable" : name);
  return words.view();
}

uint32_t event_of(const RunSummary& run, const Side& s, uintptr_t address) {
  const uint32_t event = s.kind != Kind::none ? s.events : visible_access(run, s.thread, s.events, address);
  return event < run.event_count && run.events[event].thread == s.thread ? event : kNoEvent;
}

// The threads may have exchanged messages in between, with a memory order that is too weak.
void put_messages_between(Text& out, const RunSummary& run, const Side& first, uint32_t second_thread, uintptr_t address) {
  uint32_t after = event_of(run, first, address), until = run.event_count;
  if (after == kNoEvent) after = first.events;
  while (after < run.event_count && run.events[after].thread != first.thread) ++after;
  while (until > 0 && run.events[until - 1].thread != second_thread) --until;
  if (after < until && until > 0) put_unordering_messages(out, run, after, until - 1);
}

void add_row(Story& story, const RunSummary& run, const Side& s, uintptr_t address) {
  const uint32_t event = event_of(run, s, address);
  if (event != kNoEvent) story.add_event(event);
  else if (s.kind == Kind::none) story.add_aside({s.thread, s.events, kNoEvent, s.site, s.context, {}}, words_of(story, run, s, address));
}

}  // namespace

void report_race(const RaceReport& race) {
  OutsideExecution outside;
  forget_names();
  const RunSummary& run = recorder().publish();
  const RacingPair& pair = race.pair;
  Side now = side_of(race.second_thread, pair.second_kind, pair.second_writes, race.second_pc, race.second);
  now.context = live_state().current_context();
  now.events = run.event_count;
  const Side earlier = side_of(race.first_thread, pair.first_kind, pair.first_writes, race.first_pc, race.first);
  const HeldLocks now_holds = held_locks(run, now.thread, now.events), earlier_held = held_locks(run, earlier.thread, earlier.events);
  const BlockNote* const block = access_notes().block_of(race.address);

  Story& story = scratch_story();
  story.begin(FindingType::data_race, 0);
  story.address = race.address;
  if (block != nullptr) {
    name_block_of(story, block->begin, block->size);
    story.block.is.add("heap block of %zu bytes, allocated by ", block->size);
    put_thread(story.block.is, run, block->thread);
  }
  story.thread = now.thread;
  Text& what = story.what;
  put_access(what, run, now);
  put_held(what, run, now_holds);
  what.put(".\nEarlier, ");
  put_access(what, run, earlier);
  if (race.first != nullptr) put_held(what, run, earlier_held);
  what.put(".\nNo happens-before order exists between the two accesses.\n");
  put_messages_between(what, run, earlier, now.thread, race.address);
  what.put("Location: ");
  put_memory_location(what, run, race.address, block);
  what.put(".\n");
  const bool atomic = kind_info(pair.first_kind).has(kAtomic) || kind_info(pair.second_kind).has(kAtomic);
  if (atomic) what.put("(One access is atomic and the other is not. Make both atomic, or order them.)\n");
  put_caveat_of_libraries(what, "");
  what.put("\n");
  add_side(story, run, now, " here");
  add_side(story, run, earlier, " earlier, here");
  add_locks(story, run, now, now_holds);
  if (race.first != nullptr) add_locks(story, run, earlier, earlier_held);
  if (race.first != nullptr) add_row(story, run, earlier, race.address);
  story.set_now(words_of(story, run, now, race.address));
  Side last = now;
  last.events -= now.kind != Kind::none;  // an operation on an object is an event already
  story.add_event(event_of(run, last, race.address));
  if (block != nullptr) story.add_stack(block->site, block->context, false, "The block was allocated here");
  report(story, false);
  keep_race(race);
}

}  // namespace heddle::rt
