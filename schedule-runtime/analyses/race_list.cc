#include "analyses/race_list.h"

#include <cstdio>
#include <cstring>

#include "analyses/report/positions.h"
#include "analyses/signals.h"
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

void add_line(Lines& lines, const Pair& pair) {
  const uint32_t sites_of[] = {sites().index_of(pair.first_pc), sites().index_of(pair.second_pc)};
  if (!has_users_code(sites_of[0]) && !has_users_code(sites_of[1])) return;
  Line line = {{}, {does(pair.first_kind, pair.first_writes), does(pair.second_kind, pair.second_writes)}};
  for (int side = 0; side < 2; ++side) write_place(line.place[side], sites_of[side]);
  const bool swapped = strcmp(line.place[0], line.place[1]) > 0;
  const char* const first = line.place[swapped];
  const char* const second = line.place[!swapped];
  for (uint32_t i = 0; i < lines.count && i < kMostLines; ++i) {
    Line& old = lines.line[i];
    if (strcmp(old.place[0], first) != 0 || strcmp(old.place[1], second) != 0) continue;
    old.what[0] |= line.what[swapped];
    old.what[1] |= line.what[!swapped];
    return;
  }
  if (lines.count < kMostLines) {
    Line& fresh = lines.line[lines.count];
    memcpy(fresh.place[0], first, sizeof line.place[0]);
    memcpy(fresh.place[1], second, sizeof line.place[1]);
    fresh.what[0] = line.what[swapped], fresh.what[1] = line.what[!swapped];
  }
  ++lines.count;
}

const Lines& lines_of(const RacesSeen& races) {
  static constinit Lines lines = {};
  lines.count = 0;
  for (uint32_t i = 0; i < races.count; ++i) add_line(lines, races.pairs[i]);
  return lines;
}

void put_lines(Text& out, const Lines& lines, const char* before) {
  for (uint32_t i = 0; i < lines.count && i < kMostLines; ++i) {
    const Line& l = lines.line[i];
    out.add("%s%s %s; %s %s\n", before, l.place[0], verb(l.what[0]), l.place[1], verb(l.what[1]));
  }
  if (lines.count > kMostLines) out.add("%sand %u more\n", before, lines.count - kMostLines);
}

}  // namespace

void share_races_seen(RacesSeen& memory) { g_seen = &memory; }

void list_race(const RaceReport& race) {
  const RacingPair& p = race.pair;
  const Pair pair = {race.first_pc, race.second_pc, p.first_kind, p.second_kind, p.first_writes != 0, p.second_writes != 0};
  if (g_of != executions_begun()) {
    g_of = executions_begun();
    g_execution.count = 0;
  }
  add(g_execution, pair);  // each pair comes once in an execution
  if (!contains(*g_seen, pair)) add(*g_seen, pair);
}

void put_races_of_execution(Text& out) {
  if (g_of != executions_begun() || g_execution.count == 0) return;
  const Lines& lines = lines_of(g_execution);
  if (lines.count == 0) return;
  out.add("\nThis execution had %s, which %s not a finding without HEDDLE_OPTIONS=report_races=1:\n", lines.count == 1 ? "a data race" : "data races",
          lines.count == 1 ? "is" : "are");
  put_lines(out, lines, "  ");
}

void print_races_seen(int fd) {
  const Lines& lines = lines_of(*g_seen);
  if (lines.count == 0) return;
  static constinit Text text;
  text.clear();
  text.add("heddle: note: %u data race%s seen, which %s not a finding without HEDDLE_OPTIONS=report_races=1:\n", lines.count,
           lines.count == 1 ? " was" : "s were", lines.count == 1 ? "is" : "are");
  put_lines(text, lines, "heddle:   ");
  text.flush(fd);
}

}  // namespace heddle::rt
