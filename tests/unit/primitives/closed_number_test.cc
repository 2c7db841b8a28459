// Numbers of descriptors that the execution has closed (primitives/closed_number.h).
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
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

Cleanups clean_up_twice(int (*make)(int spare)) {
  Cleanups c;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    int results[2] = {}, old = -1, fresh = -1;
    const Result r = run_seed(seed, [&] {
      const int spare = eventfd(0, 0);
      old = eventfd(0, 0);
      std::thread other([&] { results[1] = close(old); });
      results[0] = close(old);
      fresh = make(spare);
      other.join();
      close(fresh);
      close(spare);
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

TEST(ClosedNumber, OpeningAndLateCloseMeet) {
  for (const auto make : {+[](int) { return eventfd(0, 0); }, +[](int) { return socket(AF_UNIX, SOCK_STREAM, 0); }, +[](int spare) { return dup(spare); }}) {
    const Cleanups c = clean_up_twice(make);
    EXPECT_FALSE(c.wrong);
    EXPECT_EQ(c.opened, 100);
    EXPECT_GT(c.failed, 0);
    EXPECT_GT(c.closed_the_new_one, 0);
  }
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
