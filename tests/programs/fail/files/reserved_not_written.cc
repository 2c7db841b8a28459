// heddle: expect=assertion budget=2000
// A journal's end is moved under the lock, and the record is written afterwards: a thread that reads up to the new end meanwhile finds a hole.
#include <heddle/heddle.h>

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct Journal {
  std::mutex m;
  int file = -1;
  off_t end = 0;

  void append(char record) {
    std::unique_lock lock(m);
    const off_t at = end++;
#ifndef FIXED
    lock.unlock();
#endif
    [[maybe_unused]] const ssize_t written = pwrite(file, &record, 1, at);
  }

  void check() {
    std::lock_guard lock(m);
    for (off_t at = 0; at < end; ++at) {
      char record = 0;
      [[maybe_unused]] const ssize_t got = pread(file, &record, 1, at);
      assert(record == 'r');
    }
  }
};

}  // namespace

HEDDLE_FUZZ_TEST(reserved_not_written) {
  char path[] = "journal-XXXXXX";
  Journal journal;
  journal.file = mkstemp(path);
  unlink(path);
  std::thread writer([&] { journal.append('r'); });
  journal.check();
  writer.join();
  journal.check();
  close(journal.file);
}
