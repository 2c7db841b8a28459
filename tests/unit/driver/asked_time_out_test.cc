// Waiting for the report of an execution that takes too long.
#include "harness/driver/asked_time_out.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::driver {
namespace {

constexpr Patience kPatience = {.answer = 5, .report = 40};

ExecutionEnd* shared_end = nullptr;

void report_at_leisure() {
  usleep(1'500'000);  // three times as long as is waited for an answer
  shared_end->outcome = Outcome::finding;
}
void report_without_end() { pause(); }
void die_reporting() { raise(SIGKILL); }

void answer_at_leisure(int) { answer_time_out(*shared_end, report_at_leisure); }
void answer_without_end(int) { answer_time_out(*shared_end, report_without_end); }
void die_answering(int) { answer_time_out(*shared_end, die_reporting); }

struct Asked {
  bool was_there;
  Outcome outcome;
  bool reports;
  double seconds;
};

// The handler is that of an execution's process for SIGALRM. The process is a child of someone who waits for it, as under the fork server.
Asked ask(void (*handler)(int)) {
  shared_end = static_cast<ExecutionEnd*>(mmap(nullptr, sizeof(ExecutionEnd), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int ready[2];
  EXPECT_EQ(pipe(ready), 0);
  const pid_t server = fork();
  if (server == 0) {
    const pid_t execution = fork();
    if (execution == 0) {
      signal(SIGALRM, handler);
      const pid_t self = getpid();
      if (write(ready[1], &self, sizeof self) != sizeof self) _exit(1);
      for (;;) pause();
    }
    waitpid(execution, nullptr, 0);
    _exit(0);
  }
  pid_t execution = 0;
  EXPECT_EQ(read(ready[0], &execution, sizeof execution), static_cast<ssize_t>(sizeof execution));
  timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  Asked asked{};
  asked.was_there = ask_for_time_out(execution, *shared_end, kPatience);
  clock_gettime(CLOCK_MONOTONIC, &end);
  asked.outcome = shared_end->outcome;
  asked.reports = shared_end->reports;
  asked.seconds = static_cast<double>(end.tv_sec - begin.tv_sec) + static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e9;
  kill(execution, SIGKILL);
  waitpid(server, nullptr, 0);
  return asked;
}

TEST(AskedTimeOut, AReportMayTakeLongerThanItsBegin) {
  const Asked asked = ask(answer_at_leisure);
  EXPECT_TRUE(asked.was_there);
  EXPECT_EQ(asked.outcome, Outcome::finding);
}

TEST(AskedTimeOut, WhoDoesNotAnswerIsNotWaitedForLong) {
  const Asked asked = ask(SIG_IGN);
  EXPECT_TRUE(asked.was_there);
  EXPECT_EQ(asked.outcome, Outcome::unfinished);
  EXPECT_FALSE(asked.reports);
  EXPECT_LT(asked.seconds, 3);
}

TEST(AskedTimeOut, AReportMayNotTakeForever) {
  const Asked asked = ask(answer_without_end);
  EXPECT_EQ(asked.outcome, Outcome::unfinished);
  EXPECT_TRUE(asked.reports);
}

TEST(AskedTimeOut, AProcessThatDiesInItsReportIsNotWaitedFor) {
  const Asked asked = ask(die_answering);
  EXPECT_EQ(asked.outcome, Outcome::unfinished);
  EXPECT_LT(asked.seconds, 3);
}

}  // namespace
}  // namespace heddle::driver
