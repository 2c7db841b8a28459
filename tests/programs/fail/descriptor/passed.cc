// heddle: expect=assertion budget=10000
// An acceptor hands a connection and a pipe to a worker through a socket, and closes its own numbers for them: the only ones are on their way.
// If the worker forgets to close the other end of the pipe, or closes it too early, this is found as with dup().
#include <heddle/heddle.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

#include "send_descriptors.h"

static void receive_both(int via, int (&descriptors)[2]) {
  char c;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)];
  iovec part{&c, 1};
  mmsghdr m{};
  m.msg_hdr.msg_iov = &part;
  m.msg_hdr.msg_iovlen = 1;
  m.msg_hdr.msg_control = control;
  m.msg_hdr.msg_controllen = sizeof control;
  assert(recvmmsg(via, &m, 1, MSG_CMSG_CLOEXEC, nullptr) == 1 && m.msg_len == 1);
  memcpy(descriptors, CMSG_DATA(CMSG_FIRSTHDR(&m.msg_hdr)), sizeof descriptors);
}

HEDDLE_FUZZ_TEST(passed) {
  int via[2], connection[2], log[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, via) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, connection) == 0 && pipe(log) == 0);
  std::thread worker([&] {
    int mine[2];
    receive_both(via[1], mine);
    char request[4];
    assert(recv(mine[0], request, 4, MSG_WAITALL) == 4);
    assert(write(mine[1], "done", 4) == 4);
    assert(send(mine[0], request, 4, MSG_NOSIGNAL) == 4);
    close(mine[0]);
    close(mine[1]);  // the last that writes to the log
  });
  send_both(via[0], {connection[1], log[1]});
  close(connection[1]);
  close(log[1]);
  assert(send(connection[0], "ping", 4, MSG_NOSIGNAL) == 4);
  char answer[8];
  assert(recv(connection[0], answer, 4, 0) == 4 && memcmp(answer, "ping", 4) == 0);
#ifndef FIXED
  char end;
  assert(recv(connection[0], &end, 1, MSG_DONTWAIT) == 0);  // it may not have closed it yet
#endif
  size_t size = 0;
  for (ssize_t n; (n = read(log[0], answer + size, sizeof answer - size)) > 0;) size += static_cast<size_t>(n);
  assert(size == 4 && memcmp(answer, "done", 4) == 0);
  worker.join();
  // A message that is never read is lost with its socket, and the descriptors in it are closed.
  int lost[2];
  assert(pipe(lost) == 0);
  send_both(via[0], {lost[1], connection[0]});
  close(lost[1]);
  close(via[1]);
  assert(read(lost[0], answer, 1) == 0);
}
