// A program that takes commands by the line. It fails where a job that is about to end is killed: after two words, in one order of two threads.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

struct Job {
  std::mutex mutex;
  bool running = false;
  bool killed = false;
};

void work(Job& job) {
  bool mine;
  {
    std::lock_guard lock(job.mutex);
    mine = !job.killed;
  }
  std::lock_guard lock(job.mutex);
  if (mine && job.killed) std::abort();
  job.running = false;
}

void kill(Job& job) {
  std::lock_guard lock(job.mutex);
  if (job.running) job.killed = true;
}

}  // namespace

int main() {
  char line[32];
  Job job;
  std::thread worker;
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    line[std::strcspn(line, "\n")] = 0;
    if (std::strcmp(line, "spawn") == 0 && !worker.joinable()) {
      job.running = true;
      worker = std::thread([&] { work(job); });
    } else if (std::strcmp(line, "kill") == 0 && worker.joinable()) {
      kill(job);
    } else if (std::strcmp(line, "wait") == 0 && worker.joinable()) {
      worker.join();
    }
  }
  if (worker.joinable()) worker.join();
  return 0;
}
