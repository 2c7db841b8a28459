// heddle: expect=assertion budget=2000
// Random bytes out of a file: the schedule's, so that the bug is there again in each replay.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <fstream>
#include <set>
#include <thread>

namespace {

using Key = std::array<unsigned char, 16>;

Key by_descriptor() {
  Key key{};
  const int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  assert(file >= 0 && read(file, key.data(), key.size()) == static_cast<ssize_t>(key.size()));
  close(file);
  return key;
}

Key by_stream() {
  Key key{};
  FILE* const file = fopen("/dev/random", "rb");
  assert(file != nullptr && fread(key.data(), 1, key.size(), file) == key.size());
  fclose(file);
  return key;
}

Key by_cpp_stream() {
  Key key{};
  std::ifstream file("/dev/urandom", std::ios::binary);
  assert(file.read(reinterpret_cast<char*>(key.data()), key.size()));
  return key;
}

}  // namespace

HEDDLE_FUZZ_TEST(random_file) {
  struct stat status;
  assert(stat("/dev/urandom", &status) == 0 && S_ISCHR(status.st_mode));
  Key keys[6];
  std::thread other([&] { keys[0] = by_descriptor(), keys[1] = by_stream(), keys[2] = by_cpp_stream(); });
  keys[3] = by_descriptor(), keys[4] = by_stream(), keys[5] = by_cpp_stream();
  other.join();
  assert(std::set<Key>(std::begin(keys), std::end(keys)).size() == 6);
#ifndef FIXED
  assert(keys[0][7] % 32 != 5);
#endif
}
