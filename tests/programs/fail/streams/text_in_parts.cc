// heddle: expect=assertion budget=500
// Two threads write to one std::ostringstream; what is written by two operators does not stay together. (FIXED: under a lock.)
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::ostringstream text;
std::mutex lock;

void say(int number) {
#ifdef FIXED
  const std::lock_guard guard(lock);
#endif
  text << number << ' ';
}

HEDDLE_FUZZ_TEST(text_in_parts) {
  std::thread one(say, 11), other(say, 22);
  one.join();
  other.join();
  const std::string said = text.str();
  assert(said == "11 22 " || said == "22 11 ");
}
