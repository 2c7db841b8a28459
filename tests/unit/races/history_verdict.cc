// What the detector says of a history, and what it should.
#include <algorithm>
#include <sstream>

#include "heap/heap_blocks.h"
#include "history_places.h"
#include "memory_history.h"

namespace heddle::rt {
namespace {

struct Found {
  uintptr_t address, first, second;
};
std::vector<Found> g_races;
std::vector<SlowReference::UseAfterFree> g_uses;
std::multiset<std::pair<uintptr_t, bool>> g_ended;

constexpr uintptr_t kProbePc = 0x800000;

}  // namespace

MemoryHistory::MemoryHistory(Manner manner) : manner_(manner), live_{{0}} {
  begin();
  heap_blocks::begin();
  heap_blocks::begin_execution();
  g_races.clear();
  g_uses.clear();
  g_ended.clear();
  set_race_sink([](const RaceReport& r) { g_races.push_back({r.address, r.first_pc, r.second_pc}); });
  set_object_sink([](uintptr_t address, bool written) {
    g_ended.insert({address, written});
    return !written || !SlowReference::survives_a_write(address);
  });
  g_bad_free_sink = [](const BadFreeReport& r) {
    if (in_zone(r.address)) g_uses.push_back({r.address, r.block, r.now.thread, r.what == BadFree::written_after});
  };
  for (const Zone& z : kZones) {
    for (uintptr_t i = 0; i <= z.size; ++i) reference_.watch(z.low + i);  // the last one for what is between
  }
}

MemoryHistory::~MemoryHistory() {
  set_race_sink(nullptr);
  set_object_sink(nullptr);
  g_bad_free_sink = nullptr;
}

void MemoryHistory::probe() {
  if (alone()) return;
  uintptr_t position = kProbePc;
  for (const Zone& z : kZones) {
    for (uintptr_t i = 0; i < z.size; ++i) plain(prober_, z.low + i, z.low + i + 1, true, position += 16, false);
    // Any byte of what lies between tells of all of them.
    const uintptr_t after = z.low + z.size, next = z.low == kZones[kZoneCount - 1].low ? after + 0x1000 : (&z)[1].low;
    reference_.access(prober_, after, after + 1, Sort::write, position += 16);
    access(prober_, after + (positions_ * 0x9E3779B97F4A7C15ull >> 20) % (next - after), 1, true, position);
  }
}

std::string MemoryHistory::disagreement() const {
  std::ostringstream said;
  std::set<SlowReference::Pair> pairs;
  const auto offset = [](uintptr_t at) { return static_cast<intptr_t>(at - kLow); };
  for (const Found& f : g_races) {
    const auto [a, b] = std::minmax(f.first, f.second);
    pairs.insert({a, b});
    if (reference_.real.count({reference_.watched(f.address), a, b}) == 0) {
      said << std::hex << "invented: " << a << ' ' << b << " at " << offset(f.address) << '\n';
    }
  }
  constexpr size_t kAlmostAll = 4000;  // more than the detector remembers
  for (const auto& any : reference_.owed) {
    if (pairs.size() > kAlmostAll || std::any_of(any.begin(), any.end(), [&](const auto& p) { return pairs.count(p) != 0; })) continue;
    said << std::hex << "missed: " << any.begin()->first << ' ' << any.begin()->second << " or one of " << any.size() << '\n';
  }
  auto uses = reference_.uses_after_free;
  std::erase_if(uses, [](const auto& u) { return !in_zone(u.address); });
  if (g_uses != uses) {
    said << std::hex << "uses after free:";
    for (const auto& u : g_uses) said << ' ' << offset(u.address) << (u.write ? 'w' : 'r');
    said << "; expected:";
    for (const auto& u : uses) said << ' ' << offset(u.address) << (u.write ? 'w' : 'r');
    said << '\n';
  }
  if (g_ended != reference_.ended_objects) said << "objects: " << g_ended.size() << " ended, not " << reference_.ended_objects.size() << '\n';
  return said.str();
}

}  // namespace heddle::rt
