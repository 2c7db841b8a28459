// The clocks against explicit reachability in a graph with an edge per rule, over random runs.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>

#include "order/owned_memory.h"
#include "order/run_order.h"
#include "trace_builder.h"

namespace heddle::order {
namespace {

// Node 2i: the attempt of event i; 2i+1: its completion.
struct Graph {
  std::vector<std::vector<int>> out;
  explicit Graph(size_t events) : out(2 * events) {}
  void edge(int a, int b) { out[a].push_back(b); }
  std::vector<bool> reach(int from) const {
    std::vector<bool> seen(out.size());
    std::vector<int> work{from};
    while (!work.empty()) {
      const int n = work.back();
      work.pop_back();
      for (int m : out[n]) {
        if (!seen[m]) seen[m] = true, work.push_back(m);
      }
    }
    return seen;
  }
};

// A legal run over threads 0..3 (0 creates the others), two mutexes, an rwlock, a semaphore, a wait
// group and two atomics, cut at a random place with some operations unfinished.
TraceBuilder random_run(uint32_t seed) {
  std::mt19937 rng(seed);
  TraceBuilder t;
  const int threads = 2 + rng() % 3;
  std::vector<int> started(threads), dead(threads);
  started[0] = 1;
  int owner[3] = {-1, -1, -1}, readers[4] = {};
  int tokens = 0;
  std::vector<uint32_t> last_write(10, kNoEvent);
  const int steps = 5 + rng() % 50;
  for (int i = 0; i < steps; ++i) {
    const int u = rng() % threads;
    if (!started[u]) {
      t.add(0, Kind::thread_create, 20 + u);
      if (rng() % 2) t.add(u, Kind::thread_start, 20 + u);
      started[u] = 1;
      continue;
    }
    if (dead[u]) {
      if (u && dead[u] == 1) t.add(0, Kind::thread_join, 20 + u), dead[u] = 2;
      continue;
    }
    const int m = rng() % 2;
    switch (rng() % 9) {
      case 0:
        if (owner[m] < 0) t.add(u, Kind::mutex_lock, 1 + m), owner[m] = u;
        else if (owner[m] == u) t.add(u, Kind::mutex_unlock, 1 + m), owner[m] = -1;
        else t.add(u, Kind::mutex_trylock, 1 + m, Outcome::failure);
        break;
      case 1:
        if (owner[2] == u) t.add(u, Kind::rwlock_unlock, 3), owner[2] = -1;
        else if (readers[u]) t.add(u, Kind::rwlock_unlock, 3), --readers[u];
        else if (owner[2] < 0 && rng() % 2) t.add(u, Kind::rwlock_rdlock, 3), ++readers[u];
        else if (owner[2] < 0 && !readers[0] && !readers[1] && !readers[2] && !readers[3])
          t.add(u, Kind::rwlock_wrlock, 3), owner[2] = u;
        break;
      case 2: t.add(u, Kind::semaphore_post, 4), ++tokens; break;
      case 3:
        if (tokens) t.add(u, Kind::semaphore_wait, 4), --tokens;
        break;
      case 4: t.add(u, Kind::wait_group_add, 5); break;
      case 5: t.add(u, Kind::wait_group_wait, 5); break;
      case 6: {
        const uint32_t object = 6 + m;
        const Kind kinds[] = {Kind::atomic_load, Kind::atomic_store, Kind::atomic_rmw};
        Event& e = t.add(u, kinds[rng() % 3], object);
        const MemoryOrder orders[] = {MemoryOrder::relaxed, MemoryOrder::acquire,
                                      MemoryOrder::release, MemoryOrder::acq_rel};
        e.order = orders[rng() % 4];
        if (e.kind != Kind::atomic_store) e.partner = last_write[object];
        if (e.kind != Kind::atomic_load) last_write[object] = t.last();
        break;
      }
      case 7: t.add(u, Kind::yield, 0); break;
      case 8:
        if (u && rng() % 4 == 0) t.add(u, Kind::thread_exit, 20 + u), dead[u] = 1;
        break;
    }
  }
  for (int u = 0; u < threads; ++u) {
    if (started[u] && !dead[u] && rng() % 2) t.blocked(u, Kind::mutex_lock, 1 + rng() % 2);
  }
  while (t.threads.size() < static_cast<size_t>(threads)) t.threads.push_back({});
  return t;
}

Graph reference(const TraceBuilder& t, Relation relation) {
  Graph g(t.events.size());
  const auto& ev = t.events;
  const int n = static_cast<int>(ev.size());
  auto releases = [](const Event& e) { return e.order >= MemoryOrder::release; };
  auto acquires = [](const Event& e) {
    return e.order == MemoryOrder::acquire || e.order == MemoryOrder::acq_rel;
  };
  for (int i = 0; i < n; ++i) {
    if (ev[i].finished()) g.edge(2 * i, 2 * i + 1);
    for (int j = i + 1; j < n; ++j) {
      if (ev[i].thread == ev[j].thread) {
        g.edge(ev[i].finished() ? 2 * i + 1 : 2 * i, 2 * j);
      }
      if (ev[i].object != ev[j].object || !ev[i].object || !ev[i].finished() || !ev[j].finished()) continue;
      const Kind a = ev[i].kind, b = ev[j].kind;
      auto hb = [&] { g.edge(2 * i + 1, 2 * j + 1); };
      if (a == Kind::thread_create && (b == Kind::thread_start || b == Kind::thread_join)) hb();
      if (a == Kind::thread_exit && b == Kind::thread_join) hb();
      if (relation == Relation::must) continue;
      if (relation == Relation::weak) {
        if (ev[j].partner == static_cast<uint32_t>(i) && kind_info(b).has(kAtomic)) hb();
        continue;
      }
      if (a == Kind::mutex_unlock && b == Kind::mutex_lock) hb();
      if (a == Kind::semaphore_post && b == Kind::semaphore_wait) hb();
      if (a == Kind::wait_group_add && b == Kind::wait_group_wait) hb();
      if (a == Kind::rwlock_unlock && b == Kind::rwlock_wrlock) hb();
      if (a == Kind::rwlock_unlock && b == Kind::rwlock_rdlock) {
        int k = i - 1;  // did this unlock end a write?
        while (ev[k].object != 3 || ev[k].thread != ev[i].thread) --k;
        if (ev[k].kind == Kind::rwlock_wrlock) hb();
      }
      // i heads a release sequence that reaches what j reads through read-modify-writes only.
      if (kind_info(a).has(kAtomic) && a != Kind::atomic_load && releases(ev[i]) &&
          b != Kind::atomic_store && acquires(ev[j])) {
        uint32_t w = ev[j].partner;
        while (w != kNoEvent && w != static_cast<uint32_t>(i) && ev[w].kind == Kind::atomic_rmw) w = ev[w].partner;
        if (w == static_cast<uint32_t>(i)) hb();
      }
    }
  }
  return g;
}

void compare(uint32_t seed, Relation relation) {
  const TraceBuilder t = random_run(seed);
  OwnedMemory memory;
  const RunOrder order(t.summary(), relation, memory.memory());
  const Graph g = reference(t, relation);
  const uint32_t n = static_cast<uint32_t>(t.events.size());
  std::vector<std::vector<bool>> done(n);
  for (uint32_t a = 0; a < n; ++a) done[a] = g.reach(t.events[a].finished() ? 2 * a + 1 : 2 * a);
  for (uint32_t a = 0; a < n; ++a) {
    for (uint32_t b = 0; b < n; ++b) {
      if (a == b) continue;
      const bool finished = t.events[a].finished();
      RC_ASSERT(order.precedes(a, b) == done[a][2 * b]);
      RC_ASSERT(order.orderable(a, b) == (!done[a][2 * b] && !done[b][2 * a]));
      const bool to_end = t.events[b].finished() ? done[a][2 * b + 1] : done[a][2 * b];
      RC_ASSERT(order.before(a, b) == (finished && to_end));
    }
  }
}

TEST(Reference, Strong) {
  ASSERT_TRUE(rc::check("strong", [](uint32_t seed) { compare(seed, Relation::strong); }));
}
TEST(Reference, Weak) {
  ASSERT_TRUE(rc::check("weak", [](uint32_t seed) { compare(seed, Relation::weak); }));
}
TEST(Reference, Must) {
  ASSERT_TRUE(rc::check("must", [](uint32_t seed) { compare(seed, Relation::must); }));
}

}  // namespace
}  // namespace heddle::order
