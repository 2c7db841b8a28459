// heddle: expect=assertion budget=500 options=report_races=1
// Each account is some bytes of a file. Threads lock these bytes with their own descriptions (F_OFD_SETLKW). A thread that moves money from the first to the
// second account releases both when only the first is finished.
#include <heddle/heddle.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <thread>

namespace {

constexpr off_t kAccount = 8;

void set(int file, short type, int account, int accounts) {
  struct flock bytes = {};
  bytes.l_type = type;
  bytes.l_whence = SEEK_SET;
  bytes.l_start = account * kAccount;
  bytes.l_len = accounts * kAccount;
  [[maybe_unused]] const int result = fcntl(file, F_OFD_SETLKW, &bytes);
  assert(result == 0);
}

long get(int file, int account) {
  long money = 0;
  [[maybe_unused]] const ssize_t n = pread(file, &money, sizeof money, account * kAccount);
  return money;
}

void put(int file, int account, long money) { [[maybe_unused]] const ssize_t n = pwrite(file, &money, sizeof money, account * kAccount); }

}  // namespace

HEDDLE_FUZZ_TEST(bytes_released_early) {
  char path[] = "accounts-XXXXXX";
  const int file = mkstemp(path);
  put(file, 0, 100);
  put(file, 1, 100);
  std::thread moves([&] {
    const int own = open(path, O_RDWR);
    set(own, F_WRLCK, 0, 2);
    put(own, 0, get(own, 0) - 1);
#ifdef FIXED
    set(own, F_UNLCK, 0, 1);
#else
    set(own, F_UNLCK, 0, 2);
#endif
    put(own, 1, get(own, 1) + 1);
    close(own);
  });
  std::thread pays_in([&] {
    const int own = open(path, O_RDWR);
    set(own, F_WRLCK, 1, 1);
    put(own, 1, get(own, 1) + 10);
    set(own, F_UNLCK, 1, 1);
    close(own);
  });
  moves.join();
  pays_in.join();
  [[maybe_unused]] const long money = get(file, 1);
  close(file);
  unlink(path);
  assert(money == 111);
}
