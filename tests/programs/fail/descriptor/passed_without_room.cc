// heddle: expect=assertion budget=10000
// A message carries two descriptors. The kernel closes those for which the receiver has no room: the second one in recvmsg, and both in read.
// If another thread still holds one, the pipe has no end yet.
#include <heddle/heddle.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

#include "send_descriptors.h"

static int receive_one(int via) {
  char c;
  alignas(cmsghdr) char control[CMSG_LEN(sizeof(int))];
  iovec part{&c, 1};
  msghdr m{};
  m.msg_iov = &part;
  m.msg_iovlen = 1;
  m.msg_control = control;
  m.msg_controllen = sizeof control;
  assert(recvmsg(via, &m, 0) == 1 && (m.msg_flags & MSG_CTRUNC) != 0);
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof descriptor);
  return descriptor;
}

static bool is_over(int pipe) {
  char c;
  return read(pipe, &c, 1) == 0;
}

HEDDLE_FUZZ_TEST(passed_without_room) {
  int via[2], first[2], second[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, via) == 0 && pipe2(first, O_NONBLOCK) == 0 && pipe2(second, O_NONBLOCK) == 0);
  send_both(via[0], {first[1], second[1]});
  send_both(via[0], {first[1], second[1]});
  std::thread closer([&] {
    close(first[1]);
    close(second[1]);
  });
#ifdef FIXED
  closer.join();
#endif
  const int received = receive_one(via[1]);
  assert(!is_over(first[0]));
  char c;
  assert(read(via[1], &c, 1) == 1);
  assert(is_over(second[0]));  // the failing program: the other thread may not have closed it yet
  close(received);
  assert(is_over(first[0]));
#ifndef FIXED
  closer.join();
#endif
}
