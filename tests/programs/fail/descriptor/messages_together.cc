// heddle: expect=assertion budget=1000
// A stream has no messages: one read finds both, and the reader looks at the first only.
#include <heddle/heddle.h>

#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <thread>

struct Message {
  int kind, amount;
};

HEDDLE_FUZZ_TEST(messages_together) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  std::thread client([&] {
    for (int i = 1; i <= 2; ++i) {
      const Message m = {1, i};
      if (write(ends[1], &m, sizeof m) != sizeof m) return;
    }
    shutdown(ends[1], SHUT_WR);
  });
  Message found[8];
  int sum = 0;
  for (ssize_t n; (n = read(ends[0], found, sizeof found)) > 0;) {
#ifdef FIXED
    for (size_t i = 0; i < static_cast<size_t>(n) / sizeof(Message); ++i) sum += found[i].amount;
#else
    sum += found[0].amount;
#endif
  }
  client.join();
  assert(sum == 3);
  close(ends[0]);
  close(ends[1]);
}
