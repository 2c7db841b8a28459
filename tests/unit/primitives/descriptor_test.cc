// Pipes, socket pairs and eventfds between controlled threads.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "controlled_run.h"
#include "races/race_detector.h"

namespace heddle::test {
namespace {

using rt::FindingType;

int open_descriptors() {
  int n = 0;
  for (int i = 0; i < 1024; ++i) n += fcntl(i, F_GETFD) >= 0;
  return n;
}

TEST(Descriptor, AReadWaitsForTheWrite) {
  bool wrong = false;
  int waited = 0;
  for (int seed = 1; seed <= 100; ++seed) {
    const Result r = run_seed(static_cast<uint64_t>(seed), [&] {
      int ends[2];
      wrong = wrong || pipe(ends) != 0;
      bool written = false;
      std::thread writer([&] {
        written = true;
        wrong = wrong || write(ends[1], "x", 1) != 1;
      });
      char c = 0;
      wrong = wrong || read(ends[0], &c, 1) != 1 || c != 'x' || !written;
      writer.join();
      close(ends[0]);
      close(ends[1]);
    });
    wrong = wrong || !r.finished() || !r.findings.empty();
    const Event* read = r.event(Kind::descriptor_read, 0);
    const Event* write = r.event(Kind::descriptor_write, 1);
    wrong = wrong || read == nullptr || write == nullptr || read->object != write->object || read->object == 0;
    if (read != nullptr) waited += (read->flags & kEventContended) != 0;
  }
  EXPECT_FALSE(wrong);
  EXPECT_GT(waited, 0);
  EXPECT_LT(waited, 100);
}

TEST(Descriptor, NobodyWritesIsADeadlock) {
  const Ends ends = run_seeds(20, [] {
    int ends[2];
    if (pipe(ends) != 0) return;
    char c;
    (void)!read(ends[0], &c, 1);
  });
  EXPECT_EQ(ends.stuck, 20);
}

TEST(Descriptor, TheEndOfAPipe) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    std::thread writer([&] {
      (void)!write(ends[1], "ab", 2);
      close(ends[1]);
    });
    char c[8];
    size_t n = 0;
    for (ssize_t got; (got = read(ends[0], c + n, sizeof c - n)) > 0;) n += static_cast<size_t>(got);
    wrong = wrong || n != 2;
    writer.join();
    close(ends[0]);
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

// More than a pipe holds: the writer goes on in parts as the reader makes room.
TEST(Descriptor, ABigWriteMakesProgressInParts) {
  bool wrong = false;
  constexpr size_t kSize = 300'000;
  const auto body = [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    std::thread writer([&] {
      const std::string data(kSize, 'y');
      wrong = wrong || write(ends[1], data.data(), data.size()) != static_cast<ssize_t>(kSize);
    });
    std::string got;
    char part[10'000];
    while (got.size() < kSize) {
      const ssize_t n = read(ends[0], part, sizeof part);
      if (n <= 0) break;
      got.append(part, static_cast<size_t>(n));
    }
    wrong = wrong || got != std::string(kSize, 'y');
    writer.join();
    close(ends[0]);
    close(ends[1]);
  };
  EXPECT_EQ(run_seeds(10, body).finished, 10);
  EXPECT_FALSE(wrong);
  EXPECT_GT(run_seed(1, body).count(Kind::descriptor_write), 4);
}

TEST(Descriptor, AFullPipeWithoutReaderIsADeadlock) {
  const Ends ends = run_seeds(5, [] {
    int ends[2];
    if (pipe(ends) != 0) return;
    const std::string data(200'000, 'y');
    (void)!write(ends[1], data.data(), data.size());
  });
  EXPECT_EQ(ends.stuck, 5);
}

TEST(Descriptor, WhatDoesNotBlockSaysSo) {
  int outcomes[2] = {};
  bool wrong = false;
  run_seeds(200, [&] {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) return;
    std::thread writer([&] { (void)!write(ends[1], "x", 1); });
    char c;
    const ssize_t n = read(ends[0], &c, 1);
    wrong = wrong || (n != 1 && (n != -1 || errno != EAGAIN));
    ++outcomes[n == 1];
    writer.join();
    close(ends[0]);
    close(ends[1]);
  });
  EXPECT_FALSE(wrong);
  EXPECT_GT(outcomes[0], 10);
  EXPECT_GT(outcomes[1], 10);
}

TEST(Descriptor, APollingLoopLetsOthersRun) {
  const Ends ends = run_seeds(50, [] {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) return;
    std::thread writer([&] { (void)!write(ends[1], "x", 1); });
    char c;
    while (read(ends[0], &c, 1) != 1) {
    }
    writer.join();
  });
  EXPECT_EQ(ends.finished, 50);
}

// A schedule that prefers an outcome of the try waits for it.
TEST(Descriptor, TheTrysOutcomeIsAPreference) {
  ssize_t n = 0;
  const auto body = [&] {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) return;
    std::thread writer([&] { (void)!write(ends[1], "x", 1); });
    char c;
    n = read(ends[0], &c, 1);
    writer.join();
  };
  const Result first = run_seed(1, body);
  const Event* read = first.event(Kind::descriptor_read, 0);
  ASSERT_NE(read, nullptr);
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Schedule s;
    s.seed = seed;
    s.selects.push_back({0, read->site, 0, 0, Kind::descriptor_read, {}});
    const Result r = run(s, body);
    EXPECT_EQ(n, 1);
    EXPECT_NE(r.event(Kind::descriptor_read, 0)->flags & kEventPreferred, 0);
  }
}

// A try that the schedule makes wait finds its descriptor closed, or another one's, at its turn.
TEST(Descriptor, ATryWhoseNumberIsGone) {
  const auto body = [] {
    int ends[2];
    if (pipe2(ends, O_NONBLOCK) != 0) return;
    std::thread closer([&] {
      close(ends[0]);
      eventfd(1, 0);
    });
    uint64_t n;
    (void)!read(ends[0], &n, sizeof n);
    closer.join();
  };
  SiteId site = 0;
  for (uint64_t seed = 1; site == 0; ++seed) {
    const Result r = run_seed(seed, body);
    if (const Event* e = r.event(Kind::descriptor_read, 0)) site = e->site;
  }
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Schedule s;
    s.seed = seed;
    s.selects.push_back({0, site, 0, 0, Kind::descriptor_read, {}});
    EXPECT_TRUE(run(s, body).finished());
  }
}

// As in the kernel: a thread that waits inside the call stays there. A thread that comes later finds nothing, or the new owner of the number.
TEST(Descriptor, ClosedUnderAReader) {
  int bad = 0;
  const Ends ends = run_seeds(200, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    std::thread reader([&] {
      char c;
      if (read(ends[0], &c, 1) == -1 && errno == EBADF) ++bad;
    });
    close(ends[0]);
    reader.join();
  });
  EXPECT_EQ(ends.all(), 200);
  EXPECT_GT(bad, 0);
  EXPECT_EQ(ends.finished, bad);
  EXPECT_EQ(ends.stuck, 200 - bad);
}

TEST(Descriptor, APipeKeepsItsReaderWhileHeIsInside) {
  bool wrong = false;
  const Ends ends = run_seeds(200, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    signal(SIGPIPE, SIG_IGN);
    std::thread reader([&] {
      char c = 0;
      const ssize_t n = read(ends[0], &c, 1);
      wrong = wrong || (n != -1 && c != 'x');
    });
    close(ends[0]);
    const ssize_t n = write(ends[1], "x", 1);
    wrong = wrong || (n != 1 && errno != EPIPE);
    reader.join();
    close(ends[1]);
    signal(SIGPIPE, SIG_DFL);
  });
  EXPECT_EQ(ends.finished, 200);
  EXPECT_FALSE(wrong);
}

TEST(Descriptor, ABrokenPipeIsAFinding) {
  const Result r = run_seed(1, [] {
    int ends[2];
    if (pipe(ends) != 0) return;
    close(ends[0]);
    (void)!write(ends[1], "x", 1);
  });
  EXPECT_TRUE(r.found(FindingType::broken_pipe));
}

TEST(Descriptor, EventfdsCount) {
  bool wrong = false;
  const Ends ends = run_seeds(50, [&] {
    const int fd = eventfd(0, EFD_SEMAPHORE);
    std::thread poster([&] {
      eventfd_write(fd, 2);
    });
    eventfd_t n = 0;
    wrong = wrong || eventfd_read(fd, &n) != 0 || n != 1;
    wrong = wrong || read(fd, &n, sizeof n) != sizeof n || n != 1;
    poster.join();
    close(fd);
  });
  EXPECT_EQ(ends.finished, 50);
  EXPECT_FALSE(wrong);
}

// What is put in the place of a standard descriptor stays there.
TEST(Descriptor, StandardDescriptorsAreNotClosed) {
  const int saved = dup(STDIN_FILENO);
  run_seed(1, [] { dup2(eventfd(0, 0), STDIN_FILENO); });
  EXPECT_GE(fcntl(STDIN_FILENO, F_GETFD), 0);
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK, 0);
  if (saved >= 0) {
    dup2(saved, STDIN_FILENO);
    close(saved);
  }
}

// Over the loopback interface; where there is none, nothing is tried.
// An outside descriptor that only the execution's threads use: a reader waits there as long as another thread may write.
TEST(Descriptor, ADup2OfNothingLeavesItsTarget) {
  int error = 0;
  ssize_t read_bytes = 0;
  const Result r = run_seed(1, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    const int closed = dup(ends[0]);
    close(closed);
    error = dup2(closed, ends[0]) == -1 ? errno : 0;
    char byte = 'x';
    if (write(ends[1], &byte, 1) == 1) read_bytes = read(ends[0], &byte, 1);
  });
  EXPECT_TRUE(r.finished());
  EXPECT_EQ(error, EBADF);
  EXPECT_EQ(read_bytes, 1);
}

TEST(Descriptor, OneOfOutsideIsWaitedForWhileOthersCanGoOn) {
  bool wrong = false;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Ends runs = run_seeds(50, [&] {
    std::thread writer([&] { wrong = wrong || write(ends[1], "o", 1) != 1; });
    char c = 0;
    wrong = wrong || read(ends[0], &c, 1) != 1 || c != 'o';
    writer.join();
  });
  EXPECT_EQ(runs.finished, 50);
  EXPECT_FALSE(wrong);
  close(ends[0]);
  close(ends[1]);
}

TEST(Descriptor, TheSameNumbersInEveryExecutionAndNoGrowth) {
  std::set<int> numbers;
  const auto leak = [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    numbers.insert(ends[0] * 1000 + dup(ends[1]));
    std::thread([fd = ends[0]] {
      char c;
      (void)!read(fd, &c, 1);  // never returns
    }).detach();
    eventfd(0, 0);
  };
  run_seed(1, leak);
  const int before = open_descriptors();
  run_seeds(2000, leak);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(numbers.size(), 1u);
}

TEST(Descriptor, BlockingIsWhatTheProgramAskedFor) {
  int flags[3] = {-1, -1, -1};
  run_seed(1, [&] {
    int ends[2];
    if (pipe(ends) != 0) return;
    flags[0] = fcntl(ends[0], F_GETFL) & O_NONBLOCK;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    flags[1] = fcntl(ends[0], F_GETFL) & O_NONBLOCK;
    fcntl(ends[0], F_SETFL, 0);
    flags[2] = fcntl(ends[0], F_GETFL) & O_NONBLOCK;
  });
  EXPECT_EQ(flags[0], 0);
  EXPECT_EQ(flags[1], O_NONBLOCK);
  EXPECT_EQ(flags[2], 0);
}

TEST(Descriptor, ARaceOnTheBuffer) {
  const auto races = [](bool waits) {
    static char buffer[4];
    int n = 0;
    for (uint64_t seed = 1; seed <= 50; ++seed) {
      run_seed(seed, [&] {
        int ends[2], done[2];
        if (pipe(ends) != 0 || pipe(done) != 0) return;
        std::thread reader([&] {
          (void)!read(ends[0], buffer, sizeof buffer);
          (void)!write(done[1], "x", 1);
        });
        (void)!write(ends[1], "abcd", 4);
        char c;
        if (waits) (void)!read(done[0], &c, 1);
        (void)!write(ends[1], buffer, sizeof buffer);
        reader.join();
      });
      uint32_t count = 0;
      rt::race_detector_pairs(count);
      n += count != 0;
    }
    return n;
  };
  EXPECT_GT(races(false), 0);
  EXPECT_EQ(races(true), 0);
}

}  // namespace
}  // namespace heddle::test
