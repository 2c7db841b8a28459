// In the steady state a visible operation makes no system call and allocates nothing (docs/design/runtime-laws.md#the-budget):
// counted, not claimed.
//
// System calls: after warm-up executions a seccomp filter kills the process at any call but those that end it. Allocations: the runtime's references to the
// allocator go through --wrap.
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "engine/engine.h"
#include "schema/codec.h"

extern "C" {
int __tsan_atomic32_fetch_add(volatile int*, int, int);
int __tsan_atomic32_load(const volatile int*, int);
void __tsan_write4(void*);
void __tsan_read4(void*);

extern int g_allocations;
int g_allocations = 0;
void* __real_malloc(size_t);
void* __real_calloc(size_t, size_t);
void* __real_realloc(void*, size_t);
void* __wrap_malloc(size_t n) { ++g_allocations; return __real_malloc(n); }
void* __wrap_calloc(size_t n, size_t m) { ++g_allocations; return __real_calloc(n, m); }
void* __wrap_realloc(void* p, size_t n) { ++g_allocations; return __real_realloc(p, n); }
void* __real__Znwm(size_t);
void* __wrap__Znwm(size_t n) { ++g_allocations; return __real__Znwm(n); }
}

namespace {

using namespace heddle;
using namespace heddle::rt;

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t g_cond = PTHREAD_COND_INITIALIZER;
int g_counter = 0;
int g_plain = 0;

void* work(void*) {
  for (int i = 0; i < 200; ++i) {
    pthread_mutex_lock(&g_mutex);
    __tsan_write4(&g_plain);
    pthread_cond_signal(&g_cond);
    pthread_mutex_unlock(&g_mutex);
    __tsan_atomic32_fetch_add(&g_counter, 1, 5);
    __tsan_atomic32_load(&g_counter, 5);
  }
  return nullptr;
}

int body(const uint8_t*, size_t) {
  pthread_t threads[3];
  for (pthread_t& t : threads) pthread_create(&t, nullptr, work, nullptr);
  for (pthread_t t : threads) pthread_join(t, nullptr);
  return 0;
}

std::vector<uint8_t> input(uint64_t seed) {
  Schedule s;
  s.seed = seed;
  return encode_schedule(s);
}

// And the return from the handler of a fault of heddle's own: on some machines, one comes whenever the kernel has run something else
// (fiber/thread_pointer_trap.h).
void allow_only_the_end() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{sizeof filter / sizeof *filter, filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(3);
}

// Warm executions have seen every page and every schedule that is run afterwards.
void run_all(const std::vector<std::vector<uint8_t>>& inputs) {
  for (const auto& bytes : inputs) {
    const RunSummary& run = run_one(bytes, body);
    if (run.event_count < 3000) _exit(4);
  }
}

TEST(SteadyState, NoSystemCalls) {
  EXPECT_EXIT(
      {
        std::vector<std::vector<uint8_t>> inputs;
        for (uint64_t seed = 1; seed <= 30; ++seed) inputs.push_back(input(seed));
        run_all(inputs);
        run_all(inputs);
        allow_only_the_end();
        run_all(inputs);
        syscall(SYS_exit_group, 0);
      },
      testing::ExitedWithCode(0), "");
}

// The counter-test: the filter does kill.
TEST(SteadyState, TheFilterBites) {
  EXPECT_EXIT(
      {
        allow_only_the_end();
        getppid();
        syscall(SYS_exit_group, 0);
      },
      testing::KilledBySignal(SIGSYS), "");
}

TEST(SteadyState, NoAllocations) {
  std::vector<std::vector<uint8_t>> inputs;
  for (uint64_t seed = 1; seed <= 30; ++seed) inputs.push_back(input(seed));
  run_all(inputs);
  const int before = g_allocations;
  run_all(inputs);
  EXPECT_EQ(g_allocations, before);
}

}  // namespace
