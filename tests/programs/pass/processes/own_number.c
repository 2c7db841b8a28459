// heddle: expect=pass runs=100
// The numbers of the process and of its threads are good for calls that take one.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void *work(void *unused) {
  cpu_set_t set;
  assert(sched_getaffinity(gettid(), sizeof set, &set) == 0);
  assert(sched_setaffinity((pid_t)syscall(SYS_gettid), sizeof set, &set) == 0);
  assert(syscall(SYS_sched_getaffinity, gettid(), sizeof set, &set) > 0);
  assert(getpriority(PRIO_PROCESS, (id_t)gettid()) == getpriority(PRIO_PROCESS, 0));
  return unused;
}

static void check_peer(void) {
  int ends[2];
  struct ucred peer, me = {getpid(), getuid(), getgid()};
  socklen_t size = sizeof peer;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(getsockopt(ends[0], SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == getpid());

  const int on = 1;
  assert(setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0);
  char byte = 'x';
  struct iovec part = {&byte, 1};
  union {
    char room[CMSG_SPACE(sizeof me)];
    struct cmsghdr aligned;
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_CREDENTIALS;
  head->cmsg_len = CMSG_LEN(sizeof me);
  memcpy(CMSG_DATA(head), &me, sizeof me);
  assert(sendmsg(ends[0], &message, 0) == 1);
  memcpy(&peer, CMSG_DATA(head), sizeof peer);
  assert(peer.pid == me.pid);
  memset(&control, 0, sizeof control);
  assert(recvmsg(ends[1], &message, 0) == 1);
  head = CMSG_FIRSTHDR(&message);
  assert(head != NULL && head->cmsg_type == SCM_CREDENTIALS);
  memcpy(&peer, CMSG_DATA(head), sizeof peer);
  assert(peer.pid == me.pid);
}

int main(void) {
  assert(syscall(SYS_getpid) == getpid() && syscall(SYS_getppid) == getppid() && syscall(SYS_gettid) == getpid());
  assert(getpgid(getpid()) == getpgrp() && getsid(getpid()) == getsid(0));
  assert(sched_getscheduler(getpid()) == sched_getscheduler(0));
  struct rlimit limit;
  assert(prlimit(getpid(), RLIMIT_NOFILE, NULL, &limit) == 0);
  assert(getpriority(PRIO_PROCESS, (id_t)getpid()) == getpriority(PRIO_PROCESS, 0));
  assert(sched_getscheduler(getpid() + 12345678) == -1);
  check_peer();
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
