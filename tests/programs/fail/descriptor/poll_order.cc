// heddle: expect=assertion budget=10000
// Data on one pipe, the order to stop on another: a loop that looks at the order first drops what was sent before it.
#include <heddle/heddle.h>
#include <poll.h>
#include <unistd.h>

#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(poll_order) {
  int data[2], stop[2];
  if (pipe(data) != 0 || pipe(stop) != 0) return;
  std::thread sender([&] {
    for (int i = 0; i < 2; ++i) (void)!write(data[1], "d", 1);
    close(data[1]);
    (void)!write(stop[1], "s", 1);
  });
  int got = 0;
  for (bool stopped = false, ended = false; !stopped && !ended;) {
    pollfd p[2] = {{data[0], POLLIN, 0}, {stop[0], POLLIN, 0}};
    poll(p, 2, -1);
    char c;
#ifdef FIXED
    if (p[0].revents != 0) {
      const ssize_t n = read(data[0], &c, 1);
      got += n == 1;
      ended = n == 0;
    }
#else
    stopped = p[1].revents != 0;
    if (!stopped && p[0].revents != 0) {
      const ssize_t n = read(data[0], &c, 1);
      got += n == 1;
      ended = n == 0;
    }
#endif
  }
  assert(got == 2);
  sender.join();
  close(data[0]);
  close(stop[0]);
  close(stop[1]);
}
