// Handlers on other threads: the mode `exhaust` makes each place where one can come in, and every prefix with a handler comes true.
#include <gtest/gtest.h>

#include <pthread.h>
#include <signal.h>

#include <string>

#include "controlled_run.h"
#include "mutator/mutator.h"
#include "primitives/atomic.h"
#include "schema/codec.h"
#include "trace/recorder.h"

namespace heddle::mutator {
namespace {

namespace atomics = rt::primitives;

alignas(64) uint32_t g_receivers[16], g_handlers[16];
int g_steps = 0;

void handler(int) { atomics::atomic_store(g_handlers, 1u, __ATOMIC_SEQ_CST, HEDDLE_HERE); }

void* receiver(void*) {
  for (int i = 0; i < g_steps; ++i) atomics::atomic_store(g_receivers, 1u, __ATOMIC_SEQ_CST, HEDDLE_HERE);
  return nullptr;
}

void body() {
  g_receivers[0] = g_handlers[0] = 0;
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, receiver, nullptr);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
}

// An operation of the receiver went although the signal had been sent.
bool came_late(const RunSummary& run) {
  uint32_t stores = 0;
  bool sent = false;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.kind == Kind::signal_handle) return stores != 0;
    sent |= e.kind == Kind::signal_send;
    stores += sent && e.kind == Kind::atomic_store;
  }
  return false;
}

std::string exhausted(int most, int& late) {
  late = 0;
  Mutator m;
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
    late += came_late(run);
    if (const std::string text = m.statistics(); text.starts_with("complete")) return text;
  }
  return m.statistics();
}

// Before each operation of the receiver, and before its end. (A thread that has ended gets no signal, which is one more.)
TEST(Deliveries, AHandlerComesBeforeEachOperation) {
  for (const int steps : {0, 1, 2, 5}) {
    g_steps = steps;
    int late = 0;
    const std::string said = exhausted(500, late);
    EXPECT_TRUE(said.starts_with("complete: all " + std::to_string(steps + 2) + " orders were made")) << steps << ": " << said;
    EXPECT_EQ(said.find("could not follow"), std::string::npos) << said;
    EXPECT_GE(late, steps) << "each operation can go just before a handler";
  }
}

}  // namespace
}  // namespace heddle::mutator
