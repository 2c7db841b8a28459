// heddle: expect=assertion budget=10000
// Two threads send frames over one stream, header and body in two writes: another's frame may come between.
#include <heddle/heddle.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

namespace {
void send_frame(int fd, char who) {
#ifdef FIXED
  const char frame[3] = {2, who, who};
  (void)!write(fd, frame, sizeof frame);
#else
  const char header = 2, body[2] = {who, who};
  (void)!write(fd, &header, 1);
  (void)!write(fd, body, sizeof body);
#endif
}

void receive_all(int fd, char* to, size_t size) {
  while (size != 0) {
    const ssize_t n = read(fd, to, size);
    if (n <= 0) return;
    to += n;
    size -= static_cast<size_t>(n);
  }
}
}  // namespace

HEDDLE_FUZZ_TEST(socketpair_split) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  std::thread a(send_frame, ends[0], 'a'), b(send_frame, ends[0], 'b');
  for (int i = 0; i < 2; ++i) {
    char frame[3];
    receive_all(ends[1], frame, sizeof frame);
    assert(frame[0] == 2 && frame[1] == frame[2]);
  }
  a.join();
  b.join();
  close(ends[0]);
  close(ends[1]);
}
