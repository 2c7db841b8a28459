// The race detector against a brute-force happens-before over random traces.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "detector_lab.h"

namespace heddle::rt {
namespace {

constexpr uintptr_t kFirstPc = 0x1000;

// --- the reference ------------------------------------------------------------------------------

struct Node {
  uint32_t thread;
  bool is_access;
  uintptr_t address;
  size_t size;
  bool write;
  uintptr_t pc;
  bool atomic = false;
};

// A trace that is built op by op and reported to the detector at the same time; the past of every node as a set.
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
          if (covers(nodes_[a], byte) && covers(nodes_[b], byte) && conflict(nodes_[a], nodes_[b]) && !pasts_[b][a]) {
            pairs.insert(ordered(site_id(nodes_[a].pc), site_id(nodes_[b].pc)));
          }
        }
      }
      if (!pairs.empty()) result.push_back({byte, pairs});
    }
    return result;
  }

 private:
  static bool conflict(const Node& a, const Node& b) { return (a.write || b.write) && !(a.atomic && b.atomic); }
  static bool covers(const Node& n, uintptr_t byte) { return n.is_access && n.address <= byte && byte < n.address + n.size; }

  std::vector<Node> nodes_;
  std::vector<std::vector<bool>> pasts_;
  std::vector<int> last_;
};

constexpr uint32_t kThreads = 4, kMutexes = 2, kAtomics = 4;

// Among the bytes that plain accesses use; two of them overlap, one begins with another, and one lies apart.
constexpr struct {
  uintptr_t address;
  size_t size;
} kAtomicBytes[kAtomics] = {{kBase + 4, 4}, {kBase + 6, 8}, {kBase + 6, 2}, {kBase + 100, 16}};

// Interprets numbers as a trace; what is not possible at that point is left out.
struct Interpreter {
  Reference reference;
  int mutex_owner[kMutexes] = {-1, -1};
  int last_unlock[kMutexes] = {-1, -1};
  std::vector<int> release_heads[kAtomics];  // the nodes that a read of the atomic synchronises with
  uintptr_t next_pc = kFirstPc;

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
    const Bytes at = bytes(a);
    const int n = static_cast<int>(reference.add({t, true, at.address, at.size, true, at.pc, true}));
    release_heads[a].clear();
    if (release) release_heads[a].push_back(n);
    event(t, Kind::atomic_store, 20 + a, release ? MemoryOrder::release : MemoryOrder::relaxed, Outcome::none, at);
  }
  void load(uint32_t t, uint32_t a, bool acquire) {
    const Bytes at = bytes(a);
    reference.add({t, true, at.address, at.size, false, at.pc, true}, acquire ? release_heads[a] : std::vector<int>{});
    const MemoryOrder order = acquire ? MemoryOrder::acquire : MemoryOrder::relaxed;
    // A compare-and-swap that fails is a load.
    if (a % 2 == 0) event(t, Kind::atomic_load, 20 + a, order, Outcome::none, at);
    else event(t, Kind::atomic_cas, 20 + a, order, Outcome::failure, at);
  }
  void rmw(uint32_t t, uint32_t a, bool acquire, bool release) {
    const Bytes at = bytes(a);
    const Node node{t, true, at.address, at.size, true, at.pc, true};
    const int n = static_cast<int>(reference.add(node, acquire ? release_heads[a] : std::vector<int>{}));
    if (release) release_heads[a].push_back(n);
    const MemoryOrder order = acquire ? (release ? MemoryOrder::acq_rel : MemoryOrder::acquire)
                                      : (release ? MemoryOrder::release : MemoryOrder::relaxed);
    event(t, Kind::atomic_rmw, 20 + a, order, Outcome::none, at);
  }
  Bytes bytes(uint32_t a) { return {kAtomicBytes[a].address, kAtomicBytes[a].size, next_pc += 16}; }
  void plain(uint32_t t, uint32_t detail) {
    static constexpr size_t kSizes[] = {1, 2, 4, 8, 4, 8, 3, 24};
    const size_t size = kSizes[detail % 8];
    const uintptr_t address = kBase + ((detail >> 3) % 8 == 0 ? 96 : 0) + (detail >> 6) % 24;
    const bool write = (detail >> 11) % 3 == 0;
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

}  // namespace
}  // namespace heddle::rt
