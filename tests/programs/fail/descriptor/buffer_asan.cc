// heddle: expect=heap-buffer-overflow budget=10000 asan
// A message that says how long it is, and a reader that believes it.
#include <heddle/heddle.h>
#include <unistd.h>

#include <thread>
#include <vector>

HEDDLE_FUZZ_TEST(buffer_asan) {
  int ends[2];
  if (pipe(ends) != 0) return;
  std::thread writer([&] { (void)!write(ends[1], "\x08" "12345678", 9); });
  unsigned char size = 0;
  (void)!read(ends[0], &size, 1);
#ifdef FIXED
  std::vector<char> message(size);
#else
  std::vector<char> message(size / 2);
#endif
  (void)!read(ends[0], message.data(), size);
  writer.join();
  close(ends[0]);
  close(ends[1]);
}
