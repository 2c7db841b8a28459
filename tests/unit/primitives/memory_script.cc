#include "memory_script.h"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <iterator>

#include "controlled_run.h"
#include "heap/bad_free.h"
#include "heap/quarantine.h"
#include "memory_turn.h"
#include "races/access_log.h"
#include "races/race_detector.h"

extern "C" {
uint32_t __tsan_atomic32_load(const volatile uint32_t*, int);
void __tsan_atomic32_store(volatile uint32_t*, uint32_t, int);
}

namespace heddle::test {
namespace {

using World = MemoryWorld;
constexpr uint32_t kStop = ~0u;
constexpr uint32_t kExits = 62;  // from here on a step ends its thread
MemoryWorld* g_world = nullptr;

// A relaxed store passes the turn to the next thread. It creates no order.
void pass_on(World& w, uint32_t to) { __tsan_atomic32_store(&w.turn, to, __ATOMIC_RELAXED); }
uint32_t next(const World& w, uint32_t me) {
  if (w.step == w.step_count) return kStop;
  const uint32_t how = std::get<1>(w.steps[w.step]);
  const uint32_t other = how / 2 % World::kWorkers;
  return how % 2 != 0 && (other == 0 || w.worker[other].lives) ? other : w.worker[me].lives ? me : 0;
}

bool holds_lock(const World& w, uint32_t me) {
  return std::any_of(std::begin(w.owner), std::end(w.owner), [me](int owner) { return owner == static_cast<int>(me) + 1; });
}

void play(World::Worker& self) {
  World& w = *self.world;
  const auto me = static_cast<uint32_t>(&self - w.worker);
  alignas(16) char locals[64] = {};
  self.locals = locals;
  const rt::Thread& t = *rt::current_thread();
  w.stack_low[self.index] = t.stack_low;
  w.stack_high[self.index] = t.stack_high;
  for (uint32_t turn = w.turn;;) {
    while (turn != me && turn != kStop) {
      sched_yield();
      turn = __tsan_atomic32_load(&w.turn, __ATOMIC_RELAXED);
    }
    if (turn == kStop) return;
    while (turn == me) {
      const auto [what, how, where, to] = w.steps[w.step++];
      const Turn now{w, me, static_cast<uint8_t>(w.step % kPositions), static_cast<uint32_t>(what) / 64 + how / 128 * 1024u};
      const bool orders = w.ordered && how / 16 % 8 != 0;
      if (orders) now.pass_baton();
      if (what % 64 >= kExits && me != 0 && !holds_lock(w, me)) {
        self.lives = false;
        self.ended = true;
        now.orders(Done::exit);
        return pass_on(w, next(w, me));
      }
      act(now, what % 64, where, to);
      if (orders) now.pass_baton();
      turn = next(w, me);
    }
    pass_on(w, turn);
  }
}

}  // namespace

void* work(void* worker) {
  play(*static_cast<World::Worker*>(worker));
  return nullptr;
}

MemoryWorld& memory_world() {
  if (g_world == nullptr) {
    void* const memory = mmap(nullptr, sizeof(MemoryWorld), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g_world = static_cast<MemoryWorld*>(memory);
  }
  return *g_world;
}

void run_script(const std::vector<Step>& steps, Manner manner) {
  World* const w = &memory_world();
  *w = {};
  w->steps = steps.data();
  w->step_count = steps.size();
  w->ordered = manner.ordered;
  for (World::Worker& o : w->worker) o.world = w;
  w->worker[0].lives = true;
  rt::set_race_sink([](const rt::RaceReport& r) {
    World& now = *g_world;
    if (now.races < std::size(now.race)) now.race[now.races++] = {r.address, r.first_pc, r.second_pc};
  });
  rt::access_log().without_values();
  uint64_t seed = 1;
  while (rt::Quarantine::chosen(seed) != manner.held) ++seed;
  run_seed(seed, [w] {
    g_world = w;  // variables have been put back
    rt::g_bad_free_sink = [](const rt::BadFreeReport& r) {
      World& now = *g_world;
      const bool write = r.what == rt::BadFree::written_after;
      if (now.uses < std::size(now.use)) now.use[now.uses++] = {r.address, r.block, r.now.thread, write};
    };
    play(w->worker[0]);
    for (World::Worker& o : w->worker) {
      if (&o != w->worker && (o.lives || o.ended)) pthread_join(o.handle, nullptr);
    }
    for (int i = 0; i < static_cast<int>(World::kMutexes); ++i) {
      if (w->owner[i] == 1) pthread_mutex_unlock(&w->mutex[i]);
    }
    for (World::Block& b : w->block) {
      if (b.live) free(b.begin);
    }
  });
  rt::set_race_sink(nullptr);
  rt::g_bad_free_sink = nullptr;
  munmap(reinterpret_cast<void*>(kPagesLow), World::kPages * kPage);
}

}  // namespace heddle::test
