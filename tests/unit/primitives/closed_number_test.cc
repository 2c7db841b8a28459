// Numbers of descriptors that the execution has closed (primitives/closed_number.h).
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

// main closes and opens again, while another thread closes the same number.
struct Cleanups {
  int opened = 0, failed = 0, closed_the_new_one = 0;
  bool wrong = false;
};

struct Opening {
  int (*prepare)();
  int (*make)(int prepared);
};

Cleanups clean_up_twice(const Opening& opening) {
  Cleanups c;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    int results[2] = {}, old = -1, fresh = -1;
    const Result r = run_seed(seed, [&] {
      const int prepared = opening.prepare();
      old = eventfd(0, 0);
      std::thread other([&] { results[1] = close(old); });
      results[0] = close(old);
      fresh = opening.make(prepared);
      other.join();
      close(fresh);
      close(prepared);
    });
    const Event *open = r.event(Kind::descriptor_open, 0), *mine = r.event(Kind::descriptor_close, 0), *its = r.event(Kind::descriptor_close, 1);
    c.wrong = c.wrong || !r.finished() || mine == nullptr || its == nullptr || open == nullptr || mine->object == 0 || its->object == 0;
    if (c.wrong) break;
    ++c.opened;
    // All of them are on one object, unless the other thread has closed what main opened.
    c.wrong = c.wrong || old != fresh || open->object != mine->object;
    c.failed += its->outcome == Outcome::failure && results[1] == -1;
    c.closed_the_new_one += its->object != open->object;
    c.wrong = c.wrong || (its->object != open->object) != (results[0] == 0 && results[1] == 0);
  }
  return c;
}

int an_eventfd() { return eventfd(0, 0); }

// A listener with a connection that waits. The client's end is left to the end of the execution.
int a_listener() {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  socklen_t size = sizeof address.sun_family;  // the kernel finds a name
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener, name, size) != 0 || listen(listener, 4) != 0) return -1;
  size = sizeof address;
  if (getsockname(listener, name, &size) != 0 || connect(client, name, size) != 0) return -1;
  return listener;
}

TEST(ClosedNumber, OpeningAndLateCloseMeet) {
  const Opening openings[] = {{an_eventfd, [](int) { return an_eventfd(); }},
                              {an_eventfd, [](int) { return socket(AF_UNIX, SOCK_STREAM, 0); }},
                              {an_eventfd, [](int prepared) { return dup(prepared); }},
                              {a_listener, [](int listener) { return accept(listener, nullptr, nullptr); }},
                              {a_listener, [](int listener) { return accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK); }}};
  for (const Opening& opening : openings) {
    const Cleanups c = clean_up_twice(opening);
    EXPECT_FALSE(c.wrong);
    EXPECT_EQ(c.opened, 100);
    EXPECT_GT(c.failed, 0);
    EXPECT_GT(c.closed_the_new_one, 0);
  }
}

// To take the number for a connection is not part of accepting it. Both ways, the connection is the same.
TEST(ClosedNumber, AnAcceptedConnectionKeepsItsFlags) {
  int wrong = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Result r = run_seed(seed, [&] {
      const int listener = a_listener(), old = an_eventfd();
      std::thread other([&] { close(old); });
      other.join();
      std::thread idle([] { usleep(1); });
      const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      char c = 0;
      wrong += fd != old || fcntl(fd, F_GETFD) != FD_CLOEXEC || (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0;
      wrong += read(fd, &c, 1) != -1 || errno != EAGAIN;
      idle.join();
      close(fd);
    });
    wrong += !r.finished() || r.count(Kind::descriptor_open) > 1;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(ClosedNumber, AThreadAloneOpensWithoutAnOperation) {
  const Result r = run_seed(1, [] {
    close(eventfd(0, 0));
    close(eventfd(0, 0));
  });
  EXPECT_TRUE(r.finished());
  EXPECT_EQ(r.count(Kind::descriptor_open), 0);
}

// Another thread may close one first.
TEST(ClosedNumber, BesideOtherThreadsEachOpeningIsAnOperation) {
  int before = 0, after = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    int number = -1, got = -1;
    const Result r = run_seed(seed, [&] {
      number = eventfd(0, 0);
      std::thread other([&] { close(number); });
      got = eventfd(0, 0);
      other.join();
    });
    EXPECT_TRUE(r.finished());
    EXPECT_EQ(r.count(Kind::descriptor_open), 1);
    ++(got == number ? after : before);
  }
  EXPECT_GT(before, 0);
  EXPECT_GT(after, 0);
}

// A use before the opening finds nothing, and one after it finds what was opened.
TEST(ClosedNumber, ALateWriteComesBeforeOrAfterTheOpening) {
  int to_nothing = 0, to_the_new_one = 0;
  bool wrong = false;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    long written = 0;
    int error = 0;
    eventfd_t found = 0;
    const Result r = run_seed(seed, [&] {
      const int old = eventfd(0, EFD_NONBLOCK);
      close(old);
      std::thread late([&] {
        const eventfd_t one = 1;
        written = write(old, &one, sizeof one);
        error = errno;
      });
      const int fresh = eventfd(0, EFD_NONBLOCK);
      late.join();
      eventfd_read(fresh, &found);
      close(fresh);
    });
    const Event *open = r.event(Kind::descriptor_open, 0), *write = r.event(Kind::descriptor_write, 1);
    wrong = wrong || !r.finished() || open == nullptr || write == nullptr;
    if (wrong) break;
    wrong = wrong || (write->object == open->object) != (write->done < open->done) || (found == 1) != (written == 8);
    written < 0 && error == EBADF ? ++to_nothing : ++to_the_new_one;
  }
  EXPECT_FALSE(wrong);
  EXPECT_GT(to_nothing, 0);
  EXPECT_GT(to_the_new_one, 0);
}

}  // namespace
}  // namespace heddle::test
