// heddle: expect=pass runs=1000
// Threads ask the kernel for processors, policies and priorities. Each execution begins as the first one, and each thread with what its creator had.
#include <heddle/heddle.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <thread>

static int processors() {
  cpu_set_t set;
  assert(sched_getaffinity(0, sizeof set, &set) == 0);
  return CPU_COUNT(&set);
}

static int last_processor() {
  cpu_set_t set;
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0);
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &set)) --last;
  return last;
}

static int nice_value(int who) {
  errno = 0;
  const int value = getpriority(PRIO_PROCESS, static_cast<id_t>(who));
  assert(errno == 0);
  return value;
}

HEDDLE_FUZZ_TEST(thread_scheduling) {
  static const int all = processors(), niceness = nice_value(0);
  assert(processors() == all && nice_value(0) == niceness && sched_getscheduler(0) == SCHED_OTHER);

  std::thread before([] { assert(processors() == all && nice_value(0) == niceness); });
  cpu_set_t one;
  CPU_ZERO(&one);
  const int chosen = last_processor();
  CPU_SET(chosen, &one);
  assert(sched_setaffinity(0, sizeof one, &one) == 0 && processors() == 1 && sched_getcpu() == chosen);
  assert(setpriority(PRIO_PROCESS, 0, niceness + 1) == 0 && nice_value(getpid()) == niceness + 1);

  std::thread after([&] {
    assert(processors() == 1 && nice_value(0) == niceness + 1);
    sched_param parameters = {};
    assert(pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters) == 0 && sched_getscheduler(0) == SCHED_BATCH);
    parameters.sched_priority = 1;
    assert(pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters) == EINVAL);
    int policy = -1;
    std::thread([&] { assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0); }).join();
    assert(policy == SCHED_BATCH && parameters.sched_priority == 0);
  });
  after.join();
  before.join();
  assert(sched_getscheduler(0) == SCHED_OTHER);
  CPU_ZERO(&one);
  assert(sched_setaffinity(0, sizeof one, &one) == -1 && errno == EINVAL);
}
