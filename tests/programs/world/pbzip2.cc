// heddle: expect=pass runs=300 options="args='-k -f -q -p2 -b1 zeros'"
// misuse: expect=destroy_waited|destroy_held|use_after_destroy|heap-use-after-free|double-free|crash|SEGV budget=10000 seeds=20 options="args='-k -f -q -p2 -b1 zeros'"
// pbzip2, the whole program: it compresses a file of three blocks with two threads, and each execution is its main(). Misuse: its joins are left out,
// as in the version whose threads still used the queue when main() freed it.
//
// This file is linked with it, and makes its input.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace {

__attribute__((constructor)) void make_input() {
  const int file = open("zeros", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (ftruncate(file, 250'000) != 0) _exit(1);
  close(file);
}

}  // namespace

extern "C" int forgotten_join(pthread_t, void**) { return 0; }
