// heddle: expect=broken_pipe budget=10000
// A reader that leaves when it has read enough: the writer's next write is its last.
#include <heddle/heddle.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

HEDDLE_FUZZ_TEST(broken_pipe) {
  int ends[2];
  if (pipe(ends) != 0) return;
#ifdef FIXED
  signal(SIGPIPE, SIG_IGN);
#endif
  std::thread writer([&] {
    for (int i = 0; i < 3; ++i) (void)!write(ends[1], "w", 1);
    close(ends[1]);
  });
  char c;
  (void)!read(ends[0], &c, 1);
  close(ends[0]);
  writer.join();
#ifdef FIXED
  signal(SIGPIPE, SIG_DFL);
#endif
}
