// What it matters to that a thread closes a file (primitives/file_number.h).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "controlled_run.h"
#include "trace/file_event.h"

namespace heddle::test {
namespace {

int open_file() { return open("/dev/zero", O_RDWR); }

void read_a_byte(int file) {
  char byte;
  [[maybe_unused]] const ssize_t n = read(file, &byte, 1);
}

// How many closes are on no object, and on that of the files.
struct Closes {
  int on_none = 0, on_files = 0, on_others = 0;
};

void count_closes(const Result& r, Closes& closes) {
  uint32_t files = 0;
  for (const Event& e : r.events) {
    if (e.kind == Kind::file_read) files = e.object;
  }
  for (const Event& e : r.events) {
    if (!rt::closes_file(e)) continue;
    ++(e.object == 0 ? closes.on_none : e.object == files ? closes.on_files : closes.on_others);
  }
}

Closes count_closes(const std::function<void()>& body) {
  Closes closes;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Result r = run_seed(seed, body);
    EXPECT_TRUE(r.finished());
    count_closes(r, closes);
  }
  EXPECT_EQ(closes.on_others, 0);
  return closes;
}

// Beside main, which waits.
Closes count_closes_of_thread(const std::function<void()>& body) {
  return count_closes([&] { std::thread(body).join(); });
}

TEST(FileNumber, ItIsClosedOnNoObjectIfOneThreadHasUsedIt) {
  const auto uses_own = [] {
    const int own = open_file();
    read_a_byte(own);
    close(own);
  };
  const Closes closes = count_closes([&] {
    std::thread one(uses_own), other(uses_own);
    one.join();
    other.join();
  });
  EXPECT_EQ(closes.on_none, 80);
  EXPECT_EQ(closes.on_files, 0);
}

void look_at(int file) {
  struct stat found;
  fstat(file, &found);
}

void close_it(int file) { close(file); }

TEST(FileNumber, ItIsClosedOnTheFilesIfAnotherThreadUsesItBeforeOrAfter) {
  for (void (*const use)(int) : {read_a_byte, look_at, close_it}) {
    const Closes closes = count_closes([&] {
      const int shared = open_file();
      std::thread one([&] {
        read_a_byte(shared);
        close(shared);
      });
      std::thread other([&] { use(shared); });
      one.join();
      other.join();
    });
    EXPECT_EQ(closes.on_none, 0);
    EXPECT_EQ(closes.on_files, use == close_it ? 80 : 40);
  }
}

TEST(FileNumber, ItIsClosedOnTheFilesIfTheThreadUsesItLate) {
  for (void (*const use)(int) : {read_a_byte, look_at, close_it}) {
    const Closes closes = count_closes_of_thread([&] {
      const int own = open_file();
      read_a_byte(own);
      close(own);
      use(own);
    });
    EXPECT_EQ(closes.on_none, 0);
    EXPECT_EQ(closes.on_files, use == close_it ? 80 : 40);
  }
}

TEST(FileNumber, ItIsClosedOnTheFilesIfTheThreadGetsItAgain) {
  const Closes closes = count_closes_of_thread([] {
    close(open_file());
    read_a_byte(open_file());
  });
  EXPECT_EQ(closes.on_none, 0);
  EXPECT_EQ(closes.on_files, 40);
}

// Another thread has the number, so no use of it is late.
TEST(FileNumber, ItIsClosedOnNoObjectIfAnotherThreadGetsIt) {
  const Closes closes = count_closes([] {
    std::thread([] { close(open_file()); }).join();
    std::thread([] { read_a_byte(open_file()); }).join();
  });
  EXPECT_EQ(closes.on_none, 40);
  EXPECT_EQ(closes.on_files, 0);
}

// In each execution, no number has been closed yet.
TEST(FileNumber, ClosedNumbersAreThoseOfOneExecution) {
  for (int i = 0; i < 3; ++i) {
    const Result r = run_seed(1, [] {
      const int kept = open_file();
      std::thread([&] {
        const int made = dup(kept);
        close(made);
      }).join();
      close(kept);
    });
    const Event* const opening = r.event(Kind::descriptor_open, 1);
    ASSERT_NE(opening, nullptr);
    EXPECT_EQ(opening->object, 0u);
  }
}

}  // namespace
}  // namespace heddle::test
