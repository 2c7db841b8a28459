// Structures that system calls and the C library fill or read for the program. What is read before an operation that releases is not known to the race
// detector behind it: there the call fails.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <iconv.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "library_access_lab.h"

namespace heddle::test {
namespace {

template <typename T>
T* as(char* at) {
  return reinterpret_cast<T*>(at);
}
template <typename T>
std::string all_of(char how, size_t count = 1) {
  return std::string(sizeof(T) * count, how);
}

TEST(LibrarySystem, Files) {
  const std::string status = "|" + all_of<struct stat>('w');
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(fstat(0, as<struct stat>(to)), 0); }), status);
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(fstat(-1, as<struct stat>(to)), -1); }), "|");
  EXPECT_EQ(accesses("/", "", [] { EXPECT_EQ(stat(from, as<struct stat>(to)), 0); }), "rr" + status);
  EXPECT_EQ(accesses("/", "", [] { EXPECT_EQ(lstat(from, as<struct stat>(to)), 0); }), "rr" + status);
  EXPECT_EQ(accesses("/", "", [] { EXPECT_EQ(fstatat(AT_FDCWD, from, as<struct stat>(to), 0), 0); }), "rr" + status);
  EXPECT_EQ(accesses("/none", "", [] { EXPECT_EQ(stat(from, as<struct stat>(to)), -1); }), "rrrrrr|");
  EXPECT_EQ(accesses("", "", [] {
              EXPECT_EQ(chdir("/"), 0);
              EXPECT_EQ(getcwd(to, 9), to);
            }), "|ww");
  EXPECT_EQ(accesses("/proc/self/cwd", "", [] {
              EXPECT_EQ(chdir("/"), 0);
              EXPECT_EQ(readlink(from, to, 9), 1);
            }), "rrrrrrrrrrrrrrr|w");
}

TEST(LibrarySystem, TheSystem) {
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(getrlimit(RLIMIT_CORE, as<rlimit>(to)), 0); }), "|" + all_of<rlimit>('w'));
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(getrusage(RUSAGE_SELF, as<rusage>(to)), 0); }), "|" + all_of<rusage>('w'));
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(clock_getres(CLOCK_REALTIME, as<timespec>(to)), 0); }), "|" + all_of<timespec>('w'));
  EXPECT_EQ(accesses("", "", [] { *as<timespec>(to) = {0, 1}, nanosleep(as<timespec>(to), nullptr); }), "|" + all_of<timespec>('r'));
}

TEST(LibrarySystem, Ends) {
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(pipe(as<int>(to)), 0); }), "|wwwwwwww");
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, as<int>(to)), 0); }), "|wwwwwwww");
}

TEST(LibrarySystem, ListsOfBuffers) {
  char one[2] = {'a', 'b'}, other[2] = {};
  int ends[2];
  const auto parts = [&](char* at, char* buffer) { *as<iovec>(at) = {buffer, 2}; return as<iovec>(at); };
  EXPECT_EQ(accesses("", "", [&] {
              EXPECT_EQ(pipe(ends), 0);
              EXPECT_EQ(writev(ends[1], parts(from, one), 1), 2);
              EXPECT_EQ(readv(ends[0], parts(to, other), 1), 2);
            }), "|" + all_of<iovec>('r'));
  EXPECT_EQ(other[1], 'b');
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(writev(-1, parts(from, one), 1), -1); }), all_of<iovec>('r') + "|");
}

TEST(LibrarySystem, Addresses) {
  static socklen_t size;
  sockaddr_un name = {AF_UNIX, ""};
  EXPECT_EQ(accesses("", "", [&] {
              const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
              memcpy(from, &name, 2);
              EXPECT_EQ(bind(fd, as<sockaddr>(from), 2), 0);  // a name of its own
              size = sizeof name;
              EXPECT_EQ(getsockname(fd, as<sockaddr>(to), &size), 0);
              EXPECT_GT(size, 2u);
            }), "rr|" + std::string(size, 'w'));
  EXPECT_EQ(accesses("", "", [&] {
              msghdr* const message = as<msghdr>(to);
              *message = {};
              message->msg_iov = as<iovec>(from);
              message->msg_iovlen = 1;
              *message->msg_iov = {&size, sizeof size};
              EXPECT_EQ(sendmsg(-1, message, 0), -1);
            }), all_of<iovec>('r') + "|" + all_of<msghdr>('r'));
  EXPECT_EQ(accesses("127.0.0.1", "", [&] { EXPECT_EQ(inet_pton(AF_INET, from, to), 1); }), "rrrrrrrrrr|wwww");
  *as<int>(from) = 0;
  EXPECT_EQ(accesses("", "", [&] {
              size = 4;
              EXPECT_EQ(getsockopt(socket(AF_UNIX, SOCK_DGRAM, 0), SOL_SOCKET, SO_TYPE, to, &size), 0);
            }), "|wwww");
}

TEST(LibrarySystem, WhatIsWaitedFor) {
  EXPECT_EQ(accesses("", "", [] {
              *as<pollfd>(to) = {0, POLLIN, 0};
              EXPECT_GE(poll(as<pollfd>(to), 1, 0), 0);
            }), "|rrrrrrbb");
  EXPECT_EQ(accesses("", "", [] {
              int ends[2];
              EXPECT_EQ(pipe(ends), 0);
              const int epoll = epoll_create1(0);
              epoll_event event = {EPOLLOUT, {}};
              EXPECT_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[1], &event), 0);
              EXPECT_EQ(epoll_wait(epoll, as<epoll_event>(to), 3, 0), 1);
            }), "|" + all_of<epoll_event>('w'));
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(epoll_ctl(-1, EPOLL_CTL_ADD, 0, as<epoll_event>(from)), -1); }), all_of<epoll_event>('r') + "|");
  EXPECT_EQ(accesses("", "", [] {
              int ends[2];
              EXPECT_EQ(pipe(ends), 0);
              FD_ZERO(as<fd_set>(to));
              FD_SET(ends[1], as<fd_set>(to));
              EXPECT_EQ(select(ends[1] + 1, nullptr, as<fd_set>(to), nullptr, nullptr), 1);
            }), "|bbbbbbbb");
  EXPECT_EQ(accesses("", "", [] {
              const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
              const itimerspec value = {{0, 0}, {1, 0}};
              EXPECT_EQ(timerfd_settime(timer, 0, &value, as<itimerspec>(to)), 0);
            }), "|" + all_of<itimerspec>('w'));
  EXPECT_EQ(accesses("", "", [] { EXPECT_EQ(timerfd_settime(-1, 0, as<itimerspec>(from), nullptr), -1); }), all_of<itimerspec>('r') + "|");
}

TEST(LibrarySystem, Patterns) {
  static regex_t expression;
  EXPECT_EQ(accesses("a(b)", "", [] { EXPECT_EQ(regcomp(&expression, from, REG_EXTENDED), 0); }), "rrrrr|");
  EXPECT_EQ(accesses("xab", "", [] { EXPECT_EQ(regexec(&expression, from, 2, as<regmatch_t>(to), 0), 0); }), "rrrr|" + all_of<regmatch_t>('w', 2));
  EXPECT_EQ(accesses("xyz", "", [] { EXPECT_EQ(regexec(&expression, from, 2, as<regmatch_t>(to), 0), REG_NOMATCH); }), "rrrr|");
  regfree(&expression);
}

TEST(LibrarySystem, Conversions) {
  iconv_t const latin = iconv_open("UTF-8", "ISO-8859-1");
  EXPECT_EQ(accesses("\xE4x", "", [&] {
              char *in = from, *out = to;
              size_t left = 2, room = 9;
              EXPECT_EQ(iconv(latin, &in, &left, &out, &room), 0u);
            }), "rr|www");
  iconv_close(latin);
}

TEST(LibrarySystem, PartsOfNumbers) {
  volatile double number = 12.5;
  EXPECT_EQ(accesses("", "", [&] { number = frexp(number, as<int>(to)); }), "|wwww");
  EXPECT_EQ(accesses("", "", [&] { number = modf(number, as<double>(to)); }), "|wwwwwwww");
  EXPECT_EQ(accesses("12x", "", [&] { EXPECT_EQ(strtol(from, as<char*>(to), 10), 12); }), "rrr|wwwwwwww");
}

void* give(void* argument) { return argument; }

TEST(LibrarySystem, ThreadsAndSignals) {
  pthread_t thread;
  EXPECT_EQ(accesses("", "", [&] {
              EXPECT_EQ(pthread_create(&thread, nullptr, give, from), 0);
              EXPECT_EQ(pthread_join(thread, as<void*>(to)), 0);
              EXPECT_EQ(*as<void*>(to), from);
            }), "|wwwwwwww");
  sem_t semaphore;
  EXPECT_EQ(accesses("", "", [&] {
              EXPECT_EQ(sem_init(&semaphore, 0, 3), 0);
              EXPECT_EQ(sem_getvalue(&semaphore, as<int>(to)), 0);
            }), "|wwww");
  EXPECT_EQ(accesses("", "", [&] { sigemptyset(as<sigset_t>(to)); }), "|" + all_of<sigset_t>('w'));
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(sigaddset(as<sigset_t>(to), SIGINT), 0); }), "|" + all_of<sigset_t>('b'));
}

TEST(LibrarySystem, ManyMessages) {
  char one = 'a', other = 0;
  iovec part = {&one, 1}, room = {&other, 1};
  EXPECT_EQ(accesses("", "", [&] {
              int ends[2];
              EXPECT_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
              mmsghdr message = {};
              message.msg_hdr.msg_iov = &part;
              message.msg_hdr.msg_iovlen = 1;
              EXPECT_EQ(sendmmsg(ends[0], &message, 1, 0), 1);
              *as<mmsghdr>(to) = {};
              as<mmsghdr>(to)->msg_hdr.msg_iov = &room;
              as<mmsghdr>(to)->msg_hdr.msg_iovlen = 1;
              EXPECT_EQ(recvmmsg(ends[1], as<mmsghdr>(to), 1, 0, nullptr), 1);
            }).substr(0, 61), "|rrrrrrrrbbbbrrrrrrrrrrrrrrrrrrrrrrrrrrrrbbbbbbbbbbbbrrrrwwww");
  EXPECT_EQ(other, 'a');
}

int by_letter(const void* a, const void* b) { return *static_cast<const char*>(a) - *static_cast<const char*>(b); }

TEST(LibrarySystem, Trees) {
  *as<void*>(to) = nullptr;
  EXPECT_EQ(accesses("a", "", [] { memset(to, 0, 8); EXPECT_NE(tsearch(from, as<void*>(to), by_letter), nullptr); }), "|bbbbbbbb");
}

}  // namespace
}  // namespace heddle::test
