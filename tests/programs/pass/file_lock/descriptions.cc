// heddle: expect=pass runs=300
// The semantics of flock in Linux: a lock belongs to the open file description, ends with its last descriptor, and is released before it is converted.
#include <heddle/heddle.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <thread>

namespace {

char path[] = "shared-XXXXXX";

int opened() { return open(path, O_RDWR); }

[[maybe_unused]] bool taken() {
  const int probe = opened();
  const bool free = flock(probe, LOCK_EX | LOCK_NB) == 0;
  assert(free || errno == EWOULDBLOCK);
  close(probe);
  return !free;
}

// Both have it shared and want it for themselves: the first one gets it when the second one has asked.
void two_that_upgrade() {
  auto upgrade = [] {
    const int own = opened();
    [[maybe_unused]] const int shared = flock(own, LOCK_SH), exclusive = flock(own, LOCK_EX);
    assert(shared == 0 && exclusive == 0 && taken());
    close(own);
  };
  std::thread one(upgrade), two(upgrade);
  one.join();
  two.join();
}

void numbers_of_one() {
  const int first = opened(), second = dup(first);
  flock(first, LOCK_EX);
  std::thread other([&] {
    [[maybe_unused]] const int again = flock(second, LOCK_EX);  // it has it
    assert(again == 0);
  });
  other.join();
  close(first);
  assert(taken());
  close(second);
  assert(!taken());
}

void closed_by_others() {
  FILE* const stream = fopen(path, "r+");
  const int own = opened();
  flock(fileno(stream), LOCK_EX);
  std::thread waits([&] {
    [[maybe_unused]] const int got = flock(own, LOCK_SH);
    assert(got == 0);
  });
  fclose(stream);
  waits.join();
  dup2(STDERR_FILENO, own);
  assert(!taken());
  close(own);
  const int by_number = opened();
  syscall(SYS_flock, by_number, LOCK_EX);
  assert(taken());
  close_range(static_cast<unsigned>(by_number), static_cast<unsigned>(by_number), 0);
  assert(!taken());
}

}  // namespace

HEDDLE_FUZZ_TEST(descriptions) {
  close(mkstemp(path));
  two_that_upgrade();
  numbers_of_one();
  closed_by_others();
  unlink(path);
  [[maybe_unused]] const int nothing = flock(-1, LOCK_EX);
  assert(nothing == -1 && errno == EBADF);
}
