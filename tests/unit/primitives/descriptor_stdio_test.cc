// stdio on pipes between controlled threads, and calls that libc or the kernel does by itself.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

TEST(Stdio, LinesComeAsTheyAreWritten) {
  bool wrong = false;
  const Ends ends = run_seeds(100, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    std::thread writer([&] {
      FILE* out = fdopen(ends[1], "w");
      fprintf(out, "%d and", 17);
      fflush(out);
      fputs(" more\nsecond\n", out);
      fclose(out);
    });
    FILE* in = fdopen(ends[0], "r");
    char line[64] = "";
    wrong = wrong || fgets(line, sizeof line, in) == nullptr || strcmp(line, "17 and more\n") != 0;
    char* second = nullptr;
    size_t room = 0;
    wrong = wrong || getline(&second, &room, in) != 7 || strcmp(second, "second\n") != 0;
    wrong = wrong || getline(&second, &room, in) != -1 || fgetc(in) != EOF || ferror(in);
    free(second);
    writer.join();
    fclose(in);
  });
  EXPECT_EQ(ends.finished, 100);
  EXPECT_FALSE(wrong);
}

TEST(Stdio, MoreThanAPipeHolds) {
  bool wrong = false;
  constexpr size_t kSize = 200'000;
  const Ends ends = run_seeds(5, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    std::thread writer([&] {
      const std::string data(kSize, 'z');
      FILE* out = fdopen(ends[1], "w");
      wrong = wrong || fwrite(data.data(), 1, data.size(), out) != kSize;
      fclose(out);
    });
    FILE* in = fdopen(ends[0], "r");
    std::string got(kSize + 1, 0);
    wrong = wrong || fread(got.data(), 1, got.size(), in) != kSize;
    got.pop_back();
    wrong = wrong || got != std::string(kSize, 'z');
    writer.join();
    fclose(in);
  });
  EXPECT_EQ(ends.finished, 5);
  EXPECT_FALSE(wrong);
}

TEST(Stdio, AScanWaitsForTheFirstByte) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    std::thread writer([&] { (void)!write(ends[1], "42 ", 3); });
    FILE* in = fdopen(ends[0], "r");
    int n = 0;
    wrong = wrong || fscanf(in, "%d", &n) != 1 || n != 42;
    writer.join();
    fclose(in);
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

TEST(Stdio, NobodyWritesIsADeadlock) {
  const Ends ends = run_seeds(10, [] {
    int ends[2];
    if (pipe(ends) != 0) return;
    char line[8];
    (void)!fgets(line, sizeof line, fdopen(ends[0], "r"));
  });
  EXPECT_EQ(ends.stuck, 10);
}

TEST(ByNumber, SyscallIsTheSame) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    int ends[2];
    if (syscall(SYS_pipe2, ends, 0) != 0) return;
    std::thread writer([&] { syscall(SYS_write, ends[1], "x", 1); });
    char c = 0;
    wrong = wrong || syscall(SYS_read, ends[0], &c, 1) != 1 || c != 'x';
    writer.join();
    wrong = wrong || syscall(SYS_close, ends[0]) != 0;
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

// A descriptor that goes through a socket is the same one as before.
TEST(Passed, DescriptorsKeepTheirModel) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    int pair[2], ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || pipe(ends) != 0) return;
    std::thread sender([&] {
      char byte = 'f';
      iovec part = {&byte, 1};
      alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
      msghdr message = {};
      message.msg_iov = &part;
      message.msg_iovlen = 1;
      message.msg_control = room;
      message.msg_controllen = sizeof room;
      cmsghdr* c = CMSG_FIRSTHDR(&message);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(sizeof(int));
      memcpy(CMSG_DATA(c), &ends[0], sizeof(int));
      wrong = wrong || sendmsg(pair[0], &message, 0) != 1;
      (void)!write(ends[1], "y", 1);
    });
    char byte;
    iovec part = {&byte, 1};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    wrong = wrong || recvmsg(pair[1], &message, 0) != 1;
    int fd = -1;
    if (cmsghdr* c = CMSG_FIRSTHDR(&message)) memcpy(&fd, CMSG_DATA(c), sizeof fd);
    wrong = wrong || read(fd, &byte, 1) != 1 || byte != 'y';
    sender.join();
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

TEST(StdioDeathTest, WhatWouldWaitInTheKernel) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_seed(1, [] {
                int from[2], to[2];
                if (pipe(from) != 0 || pipe(to) != 0) return;
                splice(from[0], nullptr, to[1], nullptr, 1, 0);
              }),
              testing::ExitedWithCode(99), "splice is not supported");
  static int outside[2];
  EXPECT_EXIT(
      {
        if (pipe(outside) != 0) abort();
        static FILE* file = fdopen(outside[0], "r");
        run_seed(1, [] { (void)fgetc(file); });
      },
      testing::ExitedWithCode(99), "getc is not supported");
}

}  // namespace
}  // namespace heddle::test
