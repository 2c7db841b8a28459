// heddle: expect=blocked_threads|deadlock budget=10000
// Answers from two servers. The client assumes that the first question is answered first. If both are ready, it reads only the first one.
#include <heddle/heddle.h>
#include <poll.h>
#include <unistd.h>

#include <thread>

HEDDLE_FUZZ_TEST(poll_one_of_two) {
  int first[2], second[2];
  if (pipe(first) != 0 || pipe(second) != 0) return;
  std::thread a([&] { (void)!write(first[1], "a", 1); });
  std::thread b([&] { (void)!write(second[1], "b", 1); });
  char c;
  pollfd p[2] = {{first[0], POLLIN, 0}, {second[0], POLLIN, 0}};
  poll(p, 2, -1);
#ifdef FIXED
  if (p[0].revents != 0) (void)!read(first[0], &c, 1);
  else (void)!read(second[0], &c, 1);
#else
  if (p[1].revents == 0 || p[0].revents != 0) (void)!read(first[0], &c, 1);
  else (void)!read(first[0], &c, 1), (void)!read(first[0], &c, 1);
#endif
  a.join();
  b.join();
  for (int i = 0; i < 2; ++i) {
    close(first[i]);
    close(second[i]);
  }
}
