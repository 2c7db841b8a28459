#include "analyses/race_list.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "analyses/report/memory_words.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/signals.h"
#include "base/elf.h"
#include "base/line.h"
#include "races/access_log.h"
#include "races/handler_accesses.h"
#include "trace/finding.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

using Pair = RacesSeen::Pair;

constinit RacesSeen g_own_memory = {};
constinit RacesSeen* g_seen = &g_own_memory;
constinit RacesSeen g_execution = {};  // the present one's
constinit uint64_t g_of = 0;           // its number

bool same(const Pair& a, const Pair& b) {
  return a.first_pc == b.first_pc && a.second_pc == b.second_pc && a.first_writes == b.first_writes && a.second_writes == b.second_writes;
}

void add(RacesSeen& races, const Pair& pair) {
  if (races.count < RacesSeen::kMost) races.pairs[races.count++] = pair;
}

bool contains(const RacesSeen& races, const Pair& pair) {
  for (uint32_t i = 0; i < races.count; ++i) {
    if (same(races.pairs[i], pair)) return true;
  }
  return false;
}

// What an access does, as far as a line says it.
enum Does : uint8_t { kReads = 1, kWrites = 2, kAtomically = 4, kUses = 8 };
uint8_t does(Kind kind, bool writes) {
  if (kind != Kind::none && !kind_info(kind).has(kAtomic)) return kUses;
  return static_cast<uint8_t>((writes ? kWrites : kReads) | (kind != Kind::none ? kAtomically : 0));
}

const char* verb(uint8_t what) {
  switch (what) {
    case kReads: return "reads";
    case kWrites: return "writes";
    case kReads | kWrites: return "reads and writes";
    case kReads | kAtomically: return "atomically reads";
    case kWrites | kAtomically: return "atomically writes";
    case kReads | kWrites | kAtomically: return "reads and writes, in part atomically";
    default: return "uses an object";
  }
}

// A line: two places in the source. Several pairs of code addresses may share it.
struct Line {
  char place[2][240] = {};
  uint8_t what[2] = {};
  uint32_t thread[2] = {};  // kNoEvent: several
  uintptr_t address = 0;    // of one of them
};
constexpr uint32_t kMostLines = 16;
struct Lines {
  Line line[kMostLines] = {};
  uint32_t count = 0;  // those that do not fit included
};

void write_place(char (&out)[240], uint32_t site) {
  static constinit Text text;
  text.clear();
  put_place_in_function(text, site);
  snprintf(out, sizeof out, "%.*s", static_cast<int>(text.view().size()), text.view().data());
}

void swap(Line& line) {
  std::swap(line.place[0], line.place[1]);
  std::swap(line.what[0], line.what[1]);
  std::swap(line.thread[0], line.thread[1]);
}

// `side`: of `a`, for the first one of `b`.
bool same_places(const Line& a, const Line& b, int side) {
  return strcmp(a.place[side], b.place[0]) == 0 && strcmp(a.place[1 - side], b.place[1]) == 0;
}

// Which access of a pair is the first one of its line.
enum class First : uint8_t {
  by_place,  // the same one in each process
  earlier,
  given,     // never the other one, also in another pair of the same two places
};

void add_line(Lines& lines, const Pair& pair, First first) {
  const uint32_t sites_of[] = {sites().index_of(pair.first_pc), sites().index_of(pair.second_pc)};
  if (!has_users_code(sites_of[0]) && !has_users_code(sites_of[1])) return;
  Line line = {{}, {does(pair.first_kind, pair.first_writes), does(pair.second_kind, pair.second_writes)}, {pair.first_thread, pair.second_thread}, pair.address};
  for (int side = 0; side < 2; ++side) write_place(line.place[side], sites_of[side]);
  // The same two places may come in either order.
  if (strcmp(line.place[0], line.place[1]) > 0 && first == First::by_place) swap(line);
  for (uint32_t i = 0; i < lines.count && i < kMostLines; ++i) {
    Line& old = lines.line[i];
    const bool turned = !same_places(old, line, 0);
    if (turned && (first == First::given || !same_places(old, line, 1))) continue;
    if (turned) swap(line);
    for (int side = 0; side < 2; ++side) {
      old.what[side] |= line.what[side];
      if (old.thread[side] != line.thread[side]) old.thread[side] = kNoEvent;
    }
    return;
  }
  if (lines.count < kMostLines) lines.line[lines.count] = line;
  ++lines.count;
}

const Lines& lines_of(const RacesSeen& races, First first) {
  static constinit Lines lines = {};
  lines.count = 0;
  for (uint32_t i = 0; i < races.count; ++i) add_line(lines, races.pairs[i], first);
  return lines;
}

void put_lines(Text& out, const Lines& lines, const char* before) {
  for (uint32_t i = 0; i < lines.count && i < kMostLines; ++i) {
    const Line& l = lines.line[i];
    out.add("%s%s %s; %s %s\n", before, l.place[0], verb(l.what[0]), l.place[1], verb(l.what[1]));
  }
}

Pair pair_of(const RaceReport& race) {
  const RacingPair& p = race.pair;
  return {race.first_pc, race.second_pc, p.first_kind, p.second_kind, p.first_writes != 0, p.second_writes != 0, race.first_thread, race.second_thread, race.address};
}

// Each pair comes once in an execution.
void add_to_execution(const Pair& pair) {
  if (g_of != executions_begun()) {
    g_of = executions_begun();
    g_execution.count = 0;
  }
  add(g_execution, pair);
}

void put_side(Text& out, const RunSummary& run, const Line& line, int side, const char* whose) {
  if (line.thread[side] < run.thread_count) put_thread(out, run, line.thread[side]);
  else out.put("one of several threads");
  out.add("%s %s at %s", whose, verb(line.what[side]), line.place[side]);
}

void put_pairs(Text& out, const RunSummary& run, const Story& story, const Lines& lines, const char* whose_second) {
  for (uint32_t i = 0; i < lines.count && i < kMostLines; ++i) {
    out.put("  ");
    put_memory_name(out, run, story, lines.line[i].address);
    out.put(": ");
    put_side(out, run, lines.line[i], 0, "");
    out.put("; ");
    put_side(out, run, lines.line[i], 1, whose_second);
    out.put("\n");
  }
  if (lines.count > kMostLines) out.add("  and %u more\n", lines.count - kMostLines);
}

}  // namespace

void share_races_seen(RacesSeen& memory) {
  memory = *g_seen;
  g_seen = &memory;
}

void keep_race(const RaceReport& race) { add_to_execution(pair_of(race)); }

void list_race(const RaceReport& race) {
  const Pair pair = pair_of(race);
  add_to_execution(pair);
  if (!contains(*g_seen, pair)) add(*g_seen, pair);
}

const RacesSeen* races_of_execution() { return g_of == executions_begun() && g_execution.count != 0 ? &g_execution : nullptr; }

void put_races_of_execution(Text& out, const RunSummary& run, const Story& story) {
  if (g_of != executions_begun() || g_execution.count == 0) return;
  const Lines& lines = lines_of(g_execution, First::earlier);
  if (lines.count == 0) return;
  const bool one = lines.count == 1;
  out.add("\nThis execution had %s. No order exists between the accesses of %s:\n", one ? "a data race" : "data races", one ? "the pair" : "a pair");
  put_pairs(out, run, story, lines, "");
  put_caveat_of_libraries(out, "");
  if (!is_reported(FindingType::data_race)) out.add("(To make %s a finding: HEDDLE_OPTIONS=report_races=1)\n", one ? "it" : "them");
}

void put_handler_conflicts(Text& out, const RunSummary& run, const Story& story) {
  static constinit Lines lines = {};
  lines.count = 0;
  each_handler_conflict([](const LoggedAccess& threads, const LoggedAccess& handlers) {
    const uintptr_t address = threads.address > handlers.address ? threads.address : handlers.address;
    add_line(lines, {sites()[threads.site].pc, sites()[handlers.site].pc, Kind::none, Kind::none, threads.write != 0, handlers.write != 0, threads.thread,
                     handlers.thread, address}, First::given);
  });
  if (lines.count == 0) return;
  out.put("\nIn this execution, a signal handler and the thread that it interrupted used the same memory. The signal can come before, between or after\n"
          "these accesses, unless the thread blocks it:\n");
  put_pairs(out, run, story, lines, "'s handler");
}

void put_caveat_of_libraries(Text& out, const char* before) {
  const size_t count = count_bare_libraries();
  if (count == 0) return;
  out.add("%s(%zu %s not instrumented. If %s such accesses, they are no race.)\n", before, count, count == 1 ? "library is" : "libraries are",
          count == 1 ? "it orders" : "one of them orders");
}

void print_races_note(int fd, uint32_t races) {
  print_line(fd, "heddle: note: %u data race%s seen, which %s not a finding without HEDDLE_OPTIONS=report_races=1:\n", races, races == 1 ? " was" : "s were",
             races == 1 ? "is" : "are");
}

void print_races_seen(int fd) {
  const Lines& lines = lines_of(*g_seen, First::by_place);
  if (lines.count == 0) return;
  print_races_note(fd, lines.count);
  static constinit Text text;
  text.clear();
  put_lines(text, lines, "heddle:   ");
  if (lines.count > kMostLines) text.add("heddle:   and %u more\n", lines.count - kMostLines);
  put_caveat_of_libraries(text, "heddle:   ");
  text.flush(fd);
}

void write_races_seen(int fd) {
  static constinit Text text;
  text.clear();
  put_lines(text, lines_of(*g_seen, First::by_place), "");
  text.flush(fd);
}

}  // namespace heddle::rt
