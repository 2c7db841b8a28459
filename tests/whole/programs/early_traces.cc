// A constructor at namespace scope changes what a process hands on when it becomes another program, and then starts a thread with all signals blocked,
// as libraries for logging do. It must find all of that as it was, whenever it runs.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

static int answers = 0;

class Service {
 public:
  Service() {
    char directory[4096];
    assert(getcwd(directory, sizeof directory) != nullptr && strcmp(directory, "/") != 0 && chdir("/") == 0);
    assert(umask(0) != 0);
    assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    open_alone();
    assert(alarm(1000) == 0);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    assert(sigismember(&before, SIGTERM) == 0 && sigismember(&before, SIGSEGV) == 0);
    thread_ = std::thread([] { ++answers; });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~Service() { thread_.join(); }

 private:
  // As long as it is open, the process is known as one that has begun.
  static void open_alone() {
    struct stat wanted = {}, found = {};
    assert(stat("/dev/full", &wanted) == 0);
    for (int file = 0; file < 100; ++file) assert(fstat(file, &found) != 0 || found.st_rdev != wanted.st_rdev);
    assert(open("/dev/full", O_RDONLY) >= 0);
  }

  std::thread thread_;
};

static Service service;

int main() { return answers > 1; }
