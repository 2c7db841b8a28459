// How much TCP connections take, and what arrives when, is counted by heddle.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "controlled_run.h"
#include "loopback.h"
#include "primitives/tcp_flow.h"

namespace heddle::test {
namespace {

constexpr size_t kRoom = rt::primitives::kTcpRoom;

// Both ends in one thread: the kernel completes a connection before it is accepted.
struct Connection {
  int listener = -1, client = -1, server = -1;

  Connection() {
    sockaddr_in address = {};
    listener = listen_on_loopback(address);
    if (listener < 0) return;
    client = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) server = accept(listener, nullptr, nullptr);
  }
  ~Connection() {
    for (const int fd : {client, server, listener}) close(fd);
  }
  bool works() const { return server >= 0; }
};

std::unique_ptr<char[]> zeros(size_t size) { return std::make_unique<char[]>(size); }

bool ready(int fd, short events) {
  pollfd p = {fd, events, 0};
  return poll(&p, 1, 0) == 1;
}

// Until nothing more is taken.
size_t fill(int fd, const char* bytes, size_t each) {
  size_t all = 0;
  for (;;) {
    const ssize_t n = send(fd, bytes, each, MSG_DONTWAIT);
    if (n <= 0) return n < 0 && errno == EAGAIN ? all : 0;
    all += static_cast<size_t>(n);
  }
}

TEST(TcpFlow, AConnectionTakesAlwaysAsMuch) {
  const auto bytes = zeros(2 * kRoom), other = zeros(2 * kRoom);
  for (const size_t each : {size_t{1'000}, size_t{50'000}, kRoom, 2 * kRoom}) {
    bool tried = false;
    size_t taken = 0;
    ssize_t got = 0, more = 0, again = 0;
    bool at_first = false, when_full = true, afterwards = false;
    run_seed(1, [&] {
      const Connection c;
      if (!(tried = c.works())) return;
      at_first = ready(c.client, POLLOUT);
      taken = fill(c.client, bytes.get(), each);
      when_full = ready(c.client, POLLOUT);
      got = recv(c.server, other.get(), 5, 0);
      afterwards = ready(c.client, POLLOUT);
      more = recv(c.server, other.get(), 2 * kRoom, 0);
      again = static_cast<ssize_t>(fill(c.client, bytes.get(), each));
    });
    if (!tried) GTEST_SKIP() << "no loopback interface";
    EXPECT_EQ(taken, kRoom) << each;
    EXPECT_EQ(got, 5);
    EXPECT_EQ(more, static_cast<ssize_t>(kRoom) - 5) << each;
    EXPECT_EQ(again, static_cast<ssize_t>(kRoom)) << each;
    EXPECT_TRUE(at_first);
    EXPECT_FALSE(when_full);
    EXPECT_TRUE(afterwards);
  }
}

TEST(TcpFlow, SmallBuffersAtBothEndsHoldLess) {
  const auto bytes = zeros(kRoom);
  for (const bool later : {false, true}) {
    bool tried = false;
    int told = 0;
    size_t with_one = 0, with_both = 0;
    run_seed(1, [&] {
      const int size = 10'000;
      const Connection c;
      if (!(tried = c.works())) return;
      setsockopt(c.client, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
      if (later) with_one = fill(c.client, bytes.get(), 50'000);
      setsockopt(c.server, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
      socklen_t length = sizeof told;
      getsockopt(c.server, SOL_SOCKET, SO_RCVBUF, &told, &length);
      if (later) (void)!recv(c.server, bytes.get(), kRoom, 0);
      with_both = fill(c.client, bytes.get(), 7'000);
    });
    if (!tried) GTEST_SKIP() << "no loopback interface";
    EXPECT_EQ(told, 20'000);
    if (later) EXPECT_EQ(with_one, kRoom);
    EXPECT_EQ(with_both, 20'000u) << later;
  }
}

TEST(TcpFlow, AnEpollAgrees) {
  const auto bytes = zeros(kRoom);
  for (const uint32_t edge : {uint32_t{0}, uint32_t{EPOLLET}}) {
    bool tried = false;
    int at_first = 0, when_full = 1, afterwards = 0;
    run_seed(1, [&] {
      const Connection c;
      if (!(tried = c.works())) return;
      const int epoll = epoll_create1(0);
      epoll_event e = {EPOLLOUT | edge, {}};
      epoll_ctl(epoll, EPOLL_CTL_ADD, c.client, &e);
      at_first = epoll_wait(epoll, &e, 1, 0);
      fill(c.client, bytes.get(), 100'000);
      when_full = epoll_wait(epoll, &e, 1, 0);
      (void)!recv(c.server, bytes.get(), 1, 0);
      afterwards = epoll_wait(epoll, &e, 1, 0);
      close(epoll);
    });
    if (!tried) GTEST_SKIP() << "no loopback interface";
    EXPECT_EQ(at_first, 1);
    EXPECT_EQ(when_full, 0) << edge;
    EXPECT_EQ(afterwards, 1) << edge;
  }
}

TEST(TcpFlow, AWriterWaitsForTheReaderAndNotForOneThatIsGone) {
  const auto bytes = zeros(5 * kRoom), other = zeros(5 * kRoom);
  bool tried = false;
  ssize_t sent = 0, got = 0, refused = 0;
  const Ends ends = run_seeds(10, [&] {
    sent = got = 0;
    const Connection c;
    if (!(tried = c.works())) return;
    std::thread reader([&] {
      while (got < static_cast<ssize_t>(5 * kRoom)) {
        const ssize_t n = recv(c.server, other.get(), 300'000, 0);
        if (n <= 0) break;
        got += n;
      }
    });
    sent = send(c.client, bytes.get(), 5 * kRoom, 0);
    reader.join();
    const int full = dup(c.server);
    fill(c.client, bytes.get(), kRoom);
    close(full);
    close(c.server);
    send(c.client, bytes.get(), 1, MSG_NOSIGNAL);
    refused = send(c.client, bytes.get(), 1, MSG_NOSIGNAL);
  });
  if (!tried) GTEST_SKIP() << "no loopback interface";
  EXPECT_EQ(ends.finished, 10);
  EXPECT_EQ(sent, static_cast<ssize_t>(5 * kRoom));
  EXPECT_EQ(got, sent);
  EXPECT_EQ(refused, -1);
}

// The body is made for several seeds, and with each of them its executions are the same. `tried`: there was a connection.
template <typename F>
void expect_alike(const bool& tried, F body) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Result one = run_seed(seed, body);
    if (!tried) GTEST_SKIP() << "no loopback interface, or no temporary file";
    EXPECT_TRUE(one.finished());
    for (int again = 0; again < 3; ++again) {
      const Result two = run_seed(seed, body);
      ASSERT_EQ(one.events.size(), two.events.size()) << seed;
      for (size_t i = 0; i < one.events.size(); ++i) EXPECT_EQ(one.events[i].value, two.events[i].value) << seed << " " << i;
    }
  }
}

TEST(TcpFlow, LargeTransfersAreAlike) {
  const auto bytes = zeros(1 << 22), other = zeros(1 << 22);
  bool tried = false;
  expect_alike(tried, [&] {
    const Connection c;
    if (!(tried = c.works())) return;
    std::thread writer([&] {
      for (int i = 0; i < 3; ++i) (void)!send(c.client, bytes.get(), 1 << 22, 0);
      shutdown(c.client, SHUT_WR);
    });
    while (recv(c.server, other.get(), 1 << 22, 0) > 0) {
    }
    writer.join();
  });
}

// A file is longer than the connection's room: its sender waits, as it does in write.
TEST(TcpFlow, LargeFilesAreSentAlike) {
  const auto other = zeros(1 << 22);
  bool tried = false;
  ssize_t sent = 0, got = 0;
  off_t from = 0;
  expect_alike(tried, [&] {
    const Connection c;
    FILE* const file = tmpfile();
    if (!(tried = c.works() && file != nullptr && ftruncate(fileno(file), 3 << 20) == 0)) return;
    std::thread writer([&] {
      from = 5;
      sent = sendfile(c.client, fileno(file), &from, 1 << 22);
      shutdown(c.client, SHUT_WR);
    });
    ssize_t n = got = 0;
    while ((n = recv(c.server, other.get(), 1 << 22, 0)) > 0) got += n;
    writer.join();
    fclose(file);
  });
  EXPECT_EQ(sent, (3 << 20) - 5);
  EXPECT_EQ(got, sent);
  EXPECT_EQ(from, 3 << 20);
}

// The kernel moves the bytes, and says how many there are.
TEST(TcpFlow, IsNotCountedWhenTheKernelMovesTheBytes) {
  bool tried = false;
  ssize_t sent = 0, got = 0;
  char text[64];
  const Ends ends = run_seeds(5, [&] {
    const Connection c;
    int pipe_ends[2];
    if (!(tried = c.works() && pipe(pipe_ends) == 0)) return;
    (void)!write(pipe_ends[1], "from a pipe", 11);
    (void)!send(c.client, "first ", 6, 0);
    sent = splice(pipe_ends[0], nullptr, c.client, nullptr, 11, 0);
    got = recv(c.server, text, sizeof text, MSG_WAITALL | MSG_DONTWAIT);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
  });
  if (!tried) GTEST_SKIP() << "no loopback interface";
  EXPECT_EQ(ends.finished, 5);
  EXPECT_EQ(sent, 11);
  EXPECT_EQ(got, 17);
}

}  // namespace
}  // namespace heddle::test
