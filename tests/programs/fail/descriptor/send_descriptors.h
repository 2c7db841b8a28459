// A message over a socket that carries two descriptors.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <cassert>
#include <cstring>

static void send_both(int via, const int (&descriptors)[2]) {
  char c = 'x';
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
  iovec part{&c, 1};
  msghdr m{};
  m.msg_iov = &part;
  m.msg_iovlen = 1;
  m.msg_control = control;
  m.msg_controllen = sizeof control;
  cmsghdr* h = CMSG_FIRSTHDR(&m);
  h->cmsg_level = SOL_SOCKET;
  h->cmsg_type = SCM_RIGHTS;
  h->cmsg_len = CMSG_LEN(sizeof descriptors);
  memcpy(CMSG_DATA(h), descriptors, sizeof descriptors);
  assert(sendmsg(via, &m, 0) == 1);
}
