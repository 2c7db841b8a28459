// How a program ends, by its first argument. What it prints on standard output is the same in each execution.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

struct Global {
  ~Global() { std::puts("global"); }
} global;

void first_registered() { std::puts("first"); }
void last_registered() { std::puts("last"); }

struct Local {
  ~Local() { std::puts("thread-local"); }
};

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "return";
  std::atexit(first_registered);
  static struct Static {
    ~Static() { std::puts("static"); }
  } function_static;
  std::atexit(last_registered);
  at_quick_exit([] {
    std::puts("quick");
    std::fflush(stdout);
  });
  thread_local Local local;
  (void)local, (void)function_static;
  std::printf("%s: ", how.c_str());
  if (how == "exit") std::exit(5);
  if (how == "thread") {
    std::thread([] { std::exit(6); }).join();
  }
  if (how == "quick") std::quick_exit(7);
  if (how == "at_once") {
    std::fflush(stdout);
    std::printf("lost");
    _exit(8);
  }
  if (how == "pthread_exit") {
    std::thread([] { std::puts("the other one"); }).detach();
    pthread_exit(nullptr);
  }
  if (how == "abort") std::abort();
  if (how == "terminate") {
    std::puts("");
    std::fflush(stdout);
    kill(getpid(), 15);
  }
  return how == "return" ? 9 : 0;
}
