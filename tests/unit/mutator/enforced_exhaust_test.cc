// The mode `exhaust` makes every order of small random programs: as many as a search through all interleavings has, which shares no code.
#include <gtest/gtest.h>

#include <pthread.h>

#include <random>
#include <set>
#include <string>

#include "controlled_run.h"
#include "mutator/mutator.h"
#include "primitives/atomic.h"
#include "schema/codec.h"
#include "trace/recorder.h"

namespace heddle::mutator {
namespace {

namespace atomics = rt::primitives;
constexpr int kSc = __ATOMIC_SEQ_CST;

enum class Act { load, store, add, compare, lock, unlock, try_lock };

struct Step {
  Act act;
  int object;  // an atomic, or a mutex
};
using Program = std::vector<std::vector<Step>>;

Program g_program;
alignas(64) uint32_t g_cells[3][16];
pthread_mutex_t g_locks[3];

// A try that fails skips the section up to its unlock.
size_t after_section(const std::vector<Step>& thread, size_t at) {
  const int object = thread[at].object;
  while (thread[at].act != Act::unlock || thread[at].object != object) ++at;
  return at + 1;
}

void* interpret(void* arg) {
  const auto& thread = g_program[reinterpret_cast<size_t>(arg)];
  for (size_t i = 0; i < thread.size();) {
    const auto [act, object] = thread[i];
    uint32_t* const cell = &g_cells[object][0];
    const size_t now = i++;
    switch (act) {
      case Act::load: atomics::atomic_load(cell, kSc, HEDDLE_HERE); break;
      case Act::store: atomics::atomic_store(cell, 1u, kSc, HEDDLE_HERE); break;
      case Act::add: atomics::atomic_rmw<atomics::Rmw::add>(cell, 1u, kSc, HEDDLE_HERE); break;
      case Act::compare: atomics::atomic_cas(cell, 0u, 1u, kSc, kSc, false, HEDDLE_HERE); break;
      case Act::lock: pthread_mutex_lock(&g_locks[object]); break;
      case Act::unlock: pthread_mutex_unlock(&g_locks[object]); break;
      case Act::try_lock:
        if (pthread_mutex_trylock(&g_locks[object]) != 0) i = after_section(thread, now);
        break;
    }
  }
  return nullptr;
}

void body() {
  for (auto& line : g_cells) line[0] = 0;
  for (pthread_mutex_t& m : g_locks) pthread_mutex_init(&m, nullptr);
  pthread_t threads[4];
  for (size_t t = 0; t < g_program.size(); ++t) pthread_create(&threads[t], nullptr, interpret, reinterpret_cast<void*>(t));
  for (size_t t = 0; t < g_program.size(); ++t) pthread_join(threads[t], nullptr);
}

// All interleavings. An order is, for each object, its changes one after the other, and the looks between two changes as a set.
struct BruteForce {
  std::set<std::string> orders;
  std::vector<size_t> at = std::vector<size_t>(g_program.size(), 0);
  int value[3] = {}, holder[3] = {-1, -1, -1};
  struct Done {
    size_t thread, step;
    bool changes;
    int object;  // mutexes from 3
  };
  std::vector<Done> done;

  void note() {
    std::string text;
    for (int object = 0; object < 6; ++object) {
      std::set<std::string> looks;
      const auto flush = [&] {
        for (const std::string& l : looks) text += l;
        looks.clear();
      };
      for (const Done& d : done) {
        if (d.object != object) continue;
        const std::string name = std::to_string(d.thread) + "." + std::to_string(d.step) + (d.changes ? "! " : "? ");
        if (d.changes) flush(), text += name;
        else looks.insert(name);
      }
      flush();
      text += "| ";
    }
    orders.insert(text);
  }

  void go() {
    bool over = true;  // all have ended, or block each other
    for (size_t t = 0; t < g_program.size(); ++t) {
      if (at[t] == g_program[t].size()) continue;
      const size_t step = at[t];
      const auto [act, object] = g_program[t][step];
      const int old_value = value[object], old_holder = holder[object];
      if (act == Act::lock && old_holder != -1) continue;
      over = false;
      bool changes = act != Act::load, mutex = false;
      ++at[t];
      switch (act) {
        case Act::load: break;
        case Act::store: value[object] = 1; break;
        case Act::add: ++value[object]; break;
        case Act::compare: changes = old_value == 0; if (changes) value[object] = 1; break;
        case Act::lock: mutex = true; holder[object] = static_cast<int>(t); break;
        case Act::unlock: mutex = true; holder[object] = -1; break;
        case Act::try_lock:
          mutex = true;
          changes = old_holder == -1;
          if (changes) holder[object] = static_cast<int>(t);
          else at[t] = after_section(g_program[t], step);
          break;
      }
      done.push_back({t, step, changes, object + (mutex ? 3 : 0)});
      go();
      done.pop_back();
      at[t] = step;
      value[object] = old_value;
      holder[object] = old_holder;
    }
    if (over) note();
  }
};

// 2 or 3 threads, at most 12 steps in all, half of them on the first object.
Program random_program(std::mt19937_64& random) {
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  Program program(2 + below(2));
  uint32_t left = 12;
  for (uint32_t round = 0; round < 8; ++round) {
    auto& thread = program[below(static_cast<uint32_t>(program.size()))];
    const int object = static_cast<int>(below(2) * (1 + below(2)));
    if (below(3) != 0) {
      if (left < 1) break;
      thread.push_back({static_cast<Act>(below(4)), object});
      left -= 1;
    } else {
      // With nothing, an access, or the other lock inside: then threads can block each other.
      const uint32_t inside = below(3);
      if (left < 2u + inside) break;
      thread.push_back({below(3) == 0 ? Act::try_lock : Act::lock, object});
      if (inside == 1) thread.push_back({static_cast<Act>(below(4)), static_cast<int>(below(3))});
      if (inside == 2) {
        const int other = (object + 1 + static_cast<int>(below(2))) % 3;
        thread.push_back({Act::lock, other});
        thread.push_back({Act::unlock, other});
      }
      thread.push_back({Act::unlock, object});
      left -= 2u + inside;
    }
  }
  return program;
}

std::string text_of(const Program& program) {
  constexpr const char* kActs[] = {"load", "store", "add", "compare", "lock", "unlock", "try_lock"};
  std::string text;
  for (const auto& thread : program) {
    for (const Step& s : thread) text += std::string(kActs[static_cast<int>(s.act)]) + std::to_string(s.object) + " ";
    text += "\n";
  }
  return text;
}

// What the mode says when it is done; empty: it is not, after so many runs.
std::string exhausted(int most, WantedRun wanted = {}) {
  Mutator m;
  m.set_wanted_run(wanted);
  EXPECT_TRUE(m.set_mode("exhaust"));
  std::vector<uint8_t> input;
  for (int i = 0; i < most; ++i) {
    const size_t size = input.size();
    input.resize(65536);
    input.resize(m.mutate(input.data(), std::min<size_t>(size, 65536), input.size(), static_cast<uint32_t>(i)));
    Schedule schedule;
    EXPECT_TRUE(decode_schedule(input, schedule));
    test::run(schedule, body);
    RunSummary run = rt::recorder().summary;
    run.input_hash = hash_input(input);
    m.learn(run, input);
    if (const std::string text = m.statistics(); text.starts_with("complete")) return text;
  }
  return {};
}

std::string orders(size_t n) { return "complete: all " + std::to_string(n) + " orders were made"; }

TEST(Exhaust, KnownNumbersOfOrders) {
  const std::vector<Step> section = {{Act::lock, 0}, {Act::add, 0}, {Act::unlock, 0}};
  g_program = {section, section, section};
  EXPECT_TRUE(exhausted(200).starts_with(orders(6)));
  // Four operations that nobody else sees, and one in common.
  g_program = {{{Act::store, 0}, {Act::store, 0}, {Act::store, 0}, {Act::store, 0}, {Act::lock, 0}, {Act::unlock, 0}}, {{Act::store, 1}, {Act::lock, 0}, {Act::unlock, 0}}};
  EXPECT_TRUE(exhausted(200).starts_with(orders(2)));
  g_program = {{{Act::add, 0}, {Act::add, 0}}, {{Act::add, 0}, {Act::add, 0}}};
  EXPECT_TRUE(exhausted(200).starts_with(orders(6)));
  g_program = {{{Act::load, 0}}, {{Act::load, 0}}, {{Act::load, 0}}};
  EXPECT_TRUE(exhausted(200).starts_with(orders(1)));
}

// The order in which nobody can go on is one as well.
TEST(Exhaust, BlockedOrdersCount) {
  const auto nested = [](int outer, int inner) {
    return std::vector<Step>{{Act::lock, outer}, {Act::lock, inner}, {Act::unlock, inner}, {Act::unlock, outer}};
  };
  g_program = {nested(0, 1), nested(1, 2), nested(2, 0)};
  EXPECT_TRUE(exhausted(200).starts_with(orders(7)));
  g_program = {nested(0, 1), nested(1, 0)};
  EXPECT_TRUE(exhausted(200).starts_with(orders(3)));
}

// Stale reads are not enumerated, so it must not say that it has made all.
TEST(Exhaust, IsNeverCompleteUnderWeakMemory) {
  g_program = {{{Act::store, 0}, {Act::load, 1}}, {{Act::store, 1}, {Act::load, 0}}};
  EXPECT_TRUE(exhausted(100).starts_with(orders(3)));
  EXPECT_EQ(exhausted(100, {.memory = MemoryModel::rc11}), "");
}

TEST(Exhaust, AgreesWithAllInterleavingsOfRandomPrograms) {
  std::mt19937_64 random(1);
  size_t made = 0;
  for (int i = 0; i < 500; ++i) {
    g_program = random_program(random);
    BruteForce all;
    all.go();
    made += all.orders.size();
    const std::string said = exhausted(20'000);
    ASSERT_TRUE(said.starts_with(orders(all.orders.size()))) << "program " << i << ", " << all.orders.size() << " orders, said: " << said << "\n" << text_of(g_program);
  }
  EXPECT_GT(made, 3000u);  // most programs have several orders
}

}  // namespace
}  // namespace heddle::mutator
