// Streams that threads share, and the lock of a stream.
#include <gtest/gtest.h>
#include <stdio.h>

#include <string>
#include <thread>

#include "controlled_run.h"

namespace heddle::test {
namespace {

int stream_operations(const Result& run) { return run.count(Kind::file_read) + run.count(Kind::file_write); }

TEST(Stream, OfOneThreadIsNoChoicePoint) {
  const Result run = run_seed(1, [] {
    std::thread([] {
      FILE* const own = tmpfile();
      for (int i = 0; i < 100; ++i) fprintf(own, "%d\n", i);
      rewind(own);
      char line[16];
      while (fgets(line, sizeof line, own) != nullptr) {}
      fclose(own);
    }).join();
  });
  EXPECT_TRUE(run.finished());
  EXPECT_GT(stream_operations(run), 0);
  EXPECT_LT(stream_operations(run), 10);
}

TEST(Stream, StandardOutputIsNoChoicePoint) {
  const Result run = run_seed(1, [] {
    std::thread other([] { fputs("", stdout); });
    printf("%s", "");
    fflush(stdout);
    other.join();
  });
  EXPECT_EQ(stream_operations(run), 0);
}

// Each call is whole, and both orders of the two second ones occur.
TEST(Stream, CallsOfTwoThreadsInterleave) {
  int torn = 0, runs = 0;
  run_seeds(100, [&] {
    FILE* const shared = tmpfile();
    const auto puts_two = [shared](const char* one) {
      fputs(one, shared);
      fputs(one, shared);
    };
    std::thread other(puts_two, "ab");
    puts_two("cd");
    other.join();
    char text[9] = "";
    rewind(shared);
    ++runs;
    const size_t got = fread(text, 1, 8, shared);
    torn += got == 8 && std::string(text, 8) != "ababcdcd" && std::string(text, 8) != "cdcdabab";
    fclose(shared);
  });
  EXPECT_EQ(runs, 100);
  EXPECT_GT(torn, 10);
}

// A stream's lock, over calls; the stream is a standard one or not.
void expect_whole_records(FILE* (*stream)()) {
  bool wrong = false;
  int inside = 0;
  const Ends ends = run_seeds(100, [&] {
    FILE* const file = stream();
    const auto record = [&] {
      flockfile(file);
      flockfile(file);
      wrong = wrong || inside++ != 0;
      fputs("", file);
      wrong = wrong || --inside != 0;
      funlockfile(file);
      funlockfile(file);
    };
    std::thread other(record), without([&] { fputs("", file); });
    record();
    other.join();
    without.join();
    if (file != stdout) fclose(file);
  });
  EXPECT_EQ(ends.finished, 100);
  EXPECT_TRUE(ends.findings.empty());
  EXPECT_FALSE(wrong);
}
TEST(Stream, LockIsKeptOverCalls) { expect_whole_records(tmpfile); }
TEST(Stream, LockOfStandardOutput) {
  expect_whole_records([] { return stdout; });
}

TEST(Stream, BothOutcomesOfTryLock) {
  int taken = 0, refused = 0;
  const Ends ends = run_seeds(100, [&] {
    FILE* const file = tmpfile();
    std::thread other([&] {
      flockfile(file);
      funlockfile(file);
    });
    if (ftrylockfile(file) == 0) {
      ++taken;
      funlockfile(file);
    } else {
      ++refused;
    }
    other.join();
    fclose(file);
  });
  EXPECT_EQ(ends.finished, 100);
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused, 0);
}

TEST(Stream, CallsThatWaitForEachOther) {
  const Ends ends = run_seeds(100, [] {
    FILE* const files[2] = {tmpfile(), tmpfile()};
    const auto copies = [&](int from) {
      flockfile(files[from]);
      fputc('.', files[1 - from]);
      funlockfile(files[from]);
    };
    std::thread other(copies, 0);
    copies(1);
    other.join();
  });
  EXPECT_GT(ends.stuck, 0);
  EXPECT_GT(ends.finished, 0);
}

TEST(Stream, UnlockedByAnother) {
  const Ends ends = run_seeds(20, [] {
    FILE* const file = tmpfile();
    flockfile(file);
    std::thread([&] { funlockfile(file); }).join();
    funlockfile(file);
    funlockfile(file);
    fclose(file);
  });
  EXPECT_EQ(ends.findings.at(rt::FindingType::unlock_not_owner), 20);
  EXPECT_EQ(ends.findings.at(rt::FindingType::unlock_not_locked), 20);
}

}  // namespace
}  // namespace heddle::test
