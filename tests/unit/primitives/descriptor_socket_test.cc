// Sockets between controlled threads: pairs, and connections to listeners of the same execution.
#include <errno.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "controlled_run.h"
#include "loopback.h"

namespace heddle::test {
namespace {

TEST(Socket, ASocketPairGoesBothWays) {
  bool wrong = false;
  const auto body = [&] {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
    std::thread other([&] {
      char c = 0;
      wrong = wrong || recv(ends[1], &c, 1, 0) != 1;
      ++c;
      wrong = wrong || send(ends[1], &c, 1, 0) != 1;
    });
    char c = 'a';
    wrong = wrong || write(ends[0], &c, 1) != 1 || read(ends[0], &c, 1) != 1 || c != 'b';
    other.join();
    shutdown(ends[0], SHUT_WR);
    wrong = wrong || read(ends[1], &c, 1) != 0;
    close(ends[0]);
    close(ends[1]);
  };
  EXPECT_EQ(run_seeds(50, body).finished, 50);
  EXPECT_FALSE(wrong);
  // Each way is an object of its own.
  const Result r = run_seed(1, body);
  EXPECT_NE(r.event(Kind::descriptor_write, 0)->object, r.event(Kind::descriptor_read, 0)->object);
  EXPECT_EQ(r.event(Kind::descriptor_write, 0)->object, r.event(Kind::descriptor_read, 1)->object);
}

TEST(Socket, ASocketsOwnTimeLimit) {
  int outcomes[2] = {};
  run_seeds(200, [&] {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) return;
    const timeval hour = {3600, 0};
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof hour);
    std::thread other([&] { (void)!send(ends[1], "x", 1, 0); });
    char c;
    ++outcomes[recv(ends[0], &c, 1, 0) == 1];
    other.join();
  });
  EXPECT_GT(outcomes[0], 0);
  EXPECT_GT(outcomes[1], 100);
}

TEST(Socket, AListenerOfTheSameExecution) {
  bool wrong = false;
  const auto body = [&] {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, "\0heddle-descriptor-test", 23);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    wrong = wrong || bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || listen(listener, 4) != 0;
    std::thread client([&] {
      const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
      wrong = wrong || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0;
      char c = 'q';
      wrong = wrong || write(fd, &c, 1) != 1 || read(fd, &c, 1) != 1 || c != 'r';
      close(fd);
    });
    const int fd = accept(listener, nullptr, nullptr);
    char c = 0;
    wrong = wrong || read(fd, &c, 1) != 1;
    ++c;
    wrong = wrong || write(fd, &c, 1) != 1 || read(fd, &c, 1) != 0;
    client.join();
    close(fd);
    close(listener);
  };
  const Ends ends = run_seeds(100, body);
  EXPECT_EQ(ends.finished, 100);
  EXPECT_FALSE(wrong);
}

TEST(Socket, AListenerWithLittleRoom) {
  int served = 0;
  const Ends ends = run_seeds(50, [&] {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, "\0heddle-descriptor-room", 23);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || listen(listener, 0) != 0) return;
    const auto client = [&] {
      const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
      char c;
      if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) served += read(fd, &c, 1) == 1;
      close(fd);
    };
    std::thread clients[3];
    for (std::thread& t : clients) t = std::thread(client);
    for (int i = 0; i < 3; ++i) {
      const int fd = accept(listener, nullptr, nullptr);
      (void)!write(fd, "s", 1);
      close(fd);
    }
    for (std::thread& t : clients) t.join();
    close(listener);
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_EQ(served, 150);
}

TEST(Socket, Datagrams) {
  bool wrong = false, tried = false;
  const Ends ends = run_seeds(50, [&] {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const int to = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(to, reinterpret_cast<sockaddr*>(&address), size) != 0) return;
    getsockname(to, reinterpret_cast<sockaddr*>(&address), &size);
    tried = true;
    std::thread sender([&] { wrong = wrong || sendto(from, "dg", 2, 0, reinterpret_cast<sockaddr*>(&address), sizeof address) != 2; });
    char c[4];
    wrong = wrong || recv(to, c, sizeof c, 0) != 2;
    sender.join();
    close(to);
    close(from);
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
  if (!tried) GTEST_SKIP() << "no loopback interface";
}

TEST(Socket, AConnectionToItself) {
  bool wrong = false, tried = false;
  const Ends ends = run_seeds(50, [&] {
    sockaddr_in address = {};
    const int listener = listen_on_loopback(address);
    if (listener < 0) return;
    tried = true;
    std::thread client([&] {
      const int fd = socket(AF_INET, SOCK_STREAM, 0);
      wrong = wrong || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0;
      char c = 'q';
      wrong = wrong || send(fd, &c, 1, 0) != 1 || recv(fd, &c, 1, MSG_WAITALL) != 1 || c != 'r';
      close(fd);
    });
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    char c = 0;
    wrong = wrong || recv(fd, &c, 1, 0) != 1;
    ++c;
    wrong = wrong || send(fd, &c, 1, 0) != 1 || recv(fd, &c, 1, 0) != 0;
    client.join();
    close(fd);
    close(listener);
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
  if (!tried) GTEST_SKIP() << "no loopback interface";
}

// The kernel may keep a small piece back until the one before is acknowledged, which takes tens of milliseconds.
TEST(Socket, SmallPiecesAreThereAtOnce) {
  bool wrong = false, tried = false;
  const Ends ends = run_seeds(50, [&] {
    sockaddr_in address = {};
    const int listener = listen_on_loopback(address);
    if (listener < 0) return;
    tried = true;
    std::thread client([&] {
      const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
      wrong = wrong || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0;
      char c = 'q';
      wrong = wrong || send(fd, &c, 1, 0) != 1 || recv(fd, &c, 1, 0) != 1;
      for (int i = 0; i < 3; ++i) wrong = wrong || send(fd, "abc", 3, 0) != 3;
      wrong = wrong || recv(fd, &c, 1, 0) != 1;
      close(fd);
    });
    const int fd = accept(listener, nullptr, nullptr);
    char text[9];
    wrong = wrong || recv(fd, text, 1, 0) != 1 || send(fd, text, 1, 0) != 1;
    wrong = wrong || recv(fd, text, sizeof text, MSG_WAITALL) != sizeof text || send(fd, text, 1, 0) != 1;
    client.join();
    close(fd);
    close(listener);
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
  if (!tried) GTEST_SKIP() << "no loopback interface";
}

}  // namespace
}  // namespace heddle::test
