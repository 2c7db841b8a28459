// The race detector against a brute-force happens-before over random traces.
#include "memory/race_detector.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr uintptr_t kBase = 0x123456000;  // never touched: the detector works on addresses alone
constexpr uintptr_t kFirstPc = 0x1000;

using Pair = std::pair<SiteId, SiteId>;

Pair ordered(SiteId a, SiteId b) { return a < b ? Pair{a, b} : Pair{b, a}; }

SiteId site_id(uintptr_t pc) { return sites()[sites().index_of(pc)].id; }

std::set<Pair> found() {
  uint32_t count = 0;
  const RacingPair* pairs = race_detector_pairs(count);
  std::set<Pair> result;
  for (uint32_t i = 0; i < count; ++i) result.insert(ordered(pairs[i].first, pairs[i].second));
  return result;
}

void begin() {
  sites().initialise();
  race_detector_initialise();
  race_detector_begin();
}

void event(uint32_t thread, Kind kind, uint32_t object, MemoryOrder order = MemoryOrder::seq_cst,
           Outcome outcome = Outcome::none, uint32_t partner = kNoEvent) {
  Event e{};
  e.site = 1;
  e.thread = thread;
  e.object = object;
  e.kind = kind;
  e.order = order;
  e.outcome = outcome;
  e.partner = partner;
  e.done = 1;
  race_detector_event(e);
}

void start(uint32_t parent, uint32_t child) {
  event(parent, Kind::thread_create, 100 + child);
  event(child, Kind::thread_start, 100 + child);
}

void access(uint32_t thread, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (race_detector_knows(thread, address, size, write)) return;
  race_detector_access(thread, address, size, write, pc);
}

// --- the reference ------------------------------------------------------------------------------

struct Node {
  uint32_t thread;
  bool is_access;
  uintptr_t address;
  size_t size;
  bool write;
  uintptr_t pc;
};

// A trace that is built op by op, told to the detector at the same time; the past of every node as a set.
class Reference {
 public:
  uint32_t add(const Node& n, const std::vector<int>& edges_from = {}) {
    const int index = static_cast<int>(nodes_.size());
    std::vector<bool> past(index, false);
    const auto after = [&](int earlier) {
      if (earlier < 0) return;
      for (size_t i = 0; i < pasts_[earlier].size(); ++i) {
        if (pasts_[earlier][i]) past[i] = true;
      }
      past[earlier] = true;
    };
    if (n.thread >= last_.size()) last_.resize(n.thread + 1, -1);
    after(last_[n.thread]);
    for (int e : edges_from) after(e);
    last_[n.thread] = index;
    nodes_.push_back(n);
    pasts_.push_back(past);
    return index;
  }
  int last(uint32_t thread) const { return thread < last_.size() ? last_[thread] : -1; }

  // Racing pairs of each byte.
  std::vector<std::pair<uintptr_t, std::set<Pair>>> races() const {
    std::set<uintptr_t> bytes;
    for (const Node& n : nodes_) {
      if (n.is_access) {
        for (size_t i = 0; i < n.size; ++i) bytes.insert(n.address + i);
      }
    }
    std::vector<std::pair<uintptr_t, std::set<Pair>>> result;
    for (uintptr_t byte : bytes) {
      std::set<Pair> pairs;
      for (size_t b = 0; b < nodes_.size(); ++b) {
        for (size_t a = 0; a < b; ++a) {
          if (covers(nodes_[a], byte) && covers(nodes_[b], byte) && (nodes_[a].write || nodes_[b].write) && !pasts_[b][a]) {
            pairs.insert(ordered(site_id(nodes_[a].pc), site_id(nodes_[b].pc)));
          }
        }
      }
      if (!pairs.empty()) result.push_back({byte, pairs});
    }
    return result;
  }

 private:
  static bool covers(const Node& n, uintptr_t byte) { return n.is_access && n.address <= byte && byte < n.address + n.size; }

  std::vector<Node> nodes_;
  std::vector<std::vector<bool>> pasts_;
  std::vector<int> last_;
};

constexpr uint32_t kThreads = 4, kMutexes = 2, kAtomics = 2;

// Interprets numbers as a trace; what is not possible at that point is left out.
struct Interpreter {
  Reference reference;
  int mutex_owner[kMutexes] = {-1, -1};
  int last_unlock[kMutexes] = {-1, -1};
  std::vector<int> release_heads[kAtomics];  // the nodes that a read of the atomic synchronises with
  uintptr_t next_pc = kFirstPc;
  std::set<uintptr_t> pcs;

  void start_all() {
    for (uint32_t u = 1; u < kThreads; ++u) {
      const int create = reference.add({0, false});
      reference.add({u, false}, {create});
      start(0, u);
    }
  }

  void step(uint32_t thread, uint32_t what, uint32_t detail) {
    thread %= kThreads;
    switch (what % 8) {
      case 0: return lock(thread, detail % kMutexes);
      case 1: return unlock(thread, detail % kMutexes);
      case 2: return store(thread, detail % kAtomics, (detail >> 4) % 2 == 0);
      case 3: return load(thread, detail % kAtomics, (detail >> 4) % 2 == 0);
      case 4: return rmw(thread, detail % kAtomics, (detail >> 4) % 2 == 0, (detail >> 5) % 2 == 0);
      default: return plain(thread, detail);
    }
  }

  void lock(uint32_t t, uint32_t m) {
    if (mutex_owner[m] >= 0) return;
    mutex_owner[m] = static_cast<int>(t);
    reference.add({t, false}, {last_unlock[m]});
    event(t, Kind::mutex_lock, 1 + m);
  }
  void unlock(uint32_t t, uint32_t m) {
    if (mutex_owner[m] != static_cast<int>(t)) return;
    mutex_owner[m] = -1;
    last_unlock[m] = static_cast<int>(reference.add({t, false}));
    event(t, Kind::mutex_unlock, 1 + m);
  }
  void store(uint32_t t, uint32_t a, bool release) {
    const int n = static_cast<int>(reference.add({t, false}));
    release_heads[a].clear();
    if (release) release_heads[a].push_back(n);
    event(t, Kind::atomic_store, 20 + a, release ? MemoryOrder::release : MemoryOrder::relaxed);
  }
  void load(uint32_t t, uint32_t a, bool acquire) {
    reference.add({t, false}, acquire ? release_heads[a] : std::vector<int>{});
    event(t, Kind::atomic_load, 20 + a, acquire ? MemoryOrder::acquire : MemoryOrder::relaxed);
  }
  void rmw(uint32_t t, uint32_t a, bool acquire, bool release) {
    const int n = static_cast<int>(reference.add({t, false}, acquire ? release_heads[a] : std::vector<int>{}));
    if (release) release_heads[a].push_back(n);
    const MemoryOrder order = acquire ? (release ? MemoryOrder::acq_rel : MemoryOrder::acquire)
                                      : (release ? MemoryOrder::release : MemoryOrder::relaxed);
    event(t, Kind::atomic_rmw, 20 + a, order);
  }
  void plain(uint32_t t, uint32_t detail) {
    static constexpr size_t kSizes[] = {1, 2, 4, 8, 4, 8, 3, 24};
    const size_t size = kSizes[detail % 8];
    const uintptr_t address = kBase + (detail >> 3) % 24;
    const bool write = (detail >> 8) % 3 == 0;
    const uintptr_t pc = next_pc += 16;
    reference.add({t, true, address, size, write, pc});
    access(t, address, size, write, pc);
  }
};

RC_GTEST_PROP(RaceDetector, AgreesWithBruteForce, (const std::vector<std::pair<std::pair<uint16_t, uint16_t>, uint16_t>>& steps)) {
  begin();
  Interpreter run;
  run.start_all();
  for (const auto& s : steps) run.step(s.first.first, s.first.second, s.second);
  const std::set<Pair> reported = found();
  std::set<Pair> real;
  for (const auto& [byte, pairs] : run.reference.races()) {
    bool met = false;
    for (const Pair& p : pairs) {
      real.insert(p);
      met = met || reported.count(p) != 0;
    }
    if (!met) RC_FAIL("a byte races and nothing was reported for it");
  }
  for (const Pair& p : reported) RC_ASSERT(real.count(p) == 1u);
  RC_CLASSIFY(!real.empty(), "with races");
}

// --- by hand ------------------------------------------------------------------------------------

TEST(RaceDetector, WriteWriteAndReadWrite) {
  begin();
  start(0, 1);
  access(0, kBase, 4, true, 0x10);
  access(1, kBase, 4, true, 0x20);
  access(0, kBase, 4, false, 0x30);
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x10), site_id(0x20)), ordered(site_id(0x20), site_id(0x30))}));
}

TEST(RaceDetector, CreationAndJoinOrder) {
  begin();
  access(0, kBase, 8, true, 0x10);
  start(0, 1);
  access(1, kBase, 8, true, 0x20);
  event(1, Kind::thread_exit, 101);
  event(0, Kind::thread_join, 101);
  access(0, kBase, 8, true, 0x30);
  EXPECT_TRUE(found().empty());
}

TEST(RaceDetector, NeighbouringBytesDoNotRace) {
  begin();
  start(0, 1);
  access(0, kBase, 4, true, 0x10);
  access(1, kBase + 4, 4, true, 0x20);
  access(1, kBase + 8, 1, true, 0x30);
  access(0, kBase + 9, 1, true, 0x40);
  EXPECT_TRUE(found().empty());
  access(1, kBase + 3, 2, true, 0x50);
  EXPECT_EQ(found(), (std::set<Pair>{ordered(site_id(0x10), site_id(0x50))}));
}

TEST(RaceDetector, ManyReadersAndOneWriter) {
  constexpr uint32_t kReaders = 100;
  begin();
  for (uint32_t t = 1; t <= kReaders + 1; ++t) start(0, t);
  for (uint32_t t = 1; t <= kReaders; ++t) access(t, kBase, 4, false, 0x1000 + t * 16);
  access(kReaders + 1, kBase, 4, true, 0x10);
  EXPECT_EQ(found().size(), kReaders);
}

TEST(RaceDetector, RangesAreTheirBytes) {
  begin();
  start(0, 1);
  access(0, kBase + 3, 1000, true, 0x10);
  access(1, kBase + 2, 1, true, 0x20);
  access(1, kBase + 1003, 1, true, 0x30);
  EXPECT_TRUE(found().empty());
  access(1, kBase + 1002, 1, false, 0x40);
  EXPECT_EQ(found().size(), 1u);
}

TEST(RaceDetector, ForgottenMemoryIsNew) {
  for (size_t size : {size_t{64}, size_t{4096}, size_t{1 << 20}}) {
    begin();
    start(0, 1);
    for (size_t i = 0; i < size; i += 64) access(0, kBase + i, 8, true, 0x10);
    access(0, kBase + size, 8, true, 0x20);
    race_detector_forget(kBase, size);
    for (size_t i = 0; i < size; i += 64) access(1, kBase + i, 8, true, 0x30);
    EXPECT_TRUE(found().empty()) << size;
    access(1, kBase + size, 8, true, 0x40);
    EXPECT_EQ(found().size(), 1u) << size;
  }
}

TEST(RaceDetector, AThreadsStackIsNew) {
  begin();
  start(0, 1);
  access(1, kBase, 8, true, 0x10);
  event(1, Kind::thread_exit, 101);
  start(0, 2);
  race_detector_thread(2, kBase - (8 << 20), kBase + 4096);
  access(2, kBase, 8, true, 0x20);
  EXPECT_TRUE(found().empty());
}

TEST(RaceDetector, ExecutionsKnowNothingOfEachOther) {
  for (int i = 0; i < 3; ++i) {
    begin();
    start(0, 1);
    access(i % 2, kBase, 8, true, 0x10);
    EXPECT_TRUE(found().empty());
    access(1 - i % 2, kBase, 8, true, 0x20);
    EXPECT_EQ(found().size(), 1u);
  }
}

TEST(RaceDetector, TellsTheSink) {
  begin();
  start(0, 1);
  static std::vector<RaceReport> reports;
  reports.clear();
  set_race_sink([](const RaceReport& r) { reports.push_back(r); });
  access(0, kBase, 8, true, 0x10);
  access(1, kBase, 8, false, 0x20);
  access(1, kBase, 8, false, 0x20);
  set_race_sink(nullptr);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].first_thread, 0u);
  EXPECT_EQ(reports[0].second_thread, 1u);
  EXPECT_EQ(reports[0].pair.first_writes, 1);
  EXPECT_EQ(reports[0].pair.second_writes, 0);
}

TEST(RaceDetector, ObjectsEndWithTheirMemory) {
  begin();
  static std::vector<std::pair<uintptr_t, bool>> told;
  told.clear();
  set_object_sink([](uintptr_t address, bool written) {
    told.push_back({address, written});
    return true;
  });
  race_detector_object(kBase + 4);
  race_detector_object(kBase + 64);
  access(0, kBase, 4, true, 0x10);       // beside it
  access(0, kBase, 8, false, 0x20);      // a read
  EXPECT_TRUE(told.empty());
  access(0, kBase, 8, true, 0x30);
  EXPECT_EQ(told, (std::vector<std::pair<uintptr_t, bool>>{{kBase + 4, true}}));
  race_detector_forget(kBase, 128);
  set_object_sink(nullptr);
  EXPECT_EQ(told.back(), (std::pair<uintptr_t, bool>{kBase + 64, false}));
  EXPECT_EQ(told.size(), 2u);
}

// --- cost (printed, not asserted) ---------------------------------------------------------------

template <typename Body>
void report(const char* what, int times, Body body) {
  const auto from = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - from;
  std::printf("%-48s %6.1f ns\n", what, took.count() / times);
}

TEST(RaceDetectorCost, Printed) {
  constexpr int kTimes = 2'000'000;
  begin();
  start(0, 1);
  report("same place again", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) access(0, kBase, 8, i & 1, 0x10);
  });
  report("1,024 places in turn, known", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) access(0, kBase + 8 * (i % 1024), 8, true, 0x10);
  });
  report("1,024 places, an event every 16 accesses", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) {
      if (i % 16 == 0) event(0, Kind::mutex_lock, 3);
      access(0, kBase + 8 * (i % 1024), 8, true, 0x10);
    }
  });
  report("forget 64 bytes", kTimes, [] {
    for (int i = 0; i < kTimes; ++i) race_detector_forget(kBase + 64 * (i % 128), 64);
  });
  report("begin", 20'000, [] {
    for (int i = 0; i < 20'000; ++i) race_detector_begin();
  });
}

}  // namespace
}  // namespace heddle::rt
