// heddle: expect=data_race budget=200 options=report_races=1
// A buffer is cut to size while it is read. That it stays where it is is luck, and no happens-before.
#include <heddle/heddle.h>

#include <cstdlib>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(realloc_in_place) {
  auto* buffer = static_cast<char*>(malloc(1000));
  buffer[0] = 'a';
  [[maybe_unused]] std::mutex m;
  char seen = 0;
  std::thread reader([&] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    seen = buffer[0];
  });
  {
#ifdef FIXED
    std::lock_guard lock(m);
    buffer = static_cast<char*>(realloc(buffer, 900));
#else
    char* const cut = static_cast<char*>(realloc(buffer, 900));
    if (cut != buffer) __builtin_trap();  // then this test would show something else
#endif
  }
  reader.join();
  if (seen != 'a') __builtin_trap();
  free(buffer);
}
