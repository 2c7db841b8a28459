// heddle: expect=assertion budget=1000
// A record is copied twice without an operation in between; the copies may differ.
#include <heddle/heddle.h>

#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

namespace {
struct Record {
  int version;
  char text[20];
};
Record record;
[[maybe_unused]] std::mutex m;

void reader() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  Record first, second;
  memcpy(&first, &record, sizeof first);
  asm volatile("" ::: "memory");
  memcpy(&second, &record, sizeof second);
  assert(memcmp(&first, &second, sizeof first) == 0);
}
void writer() {
#ifdef FIXED
  std::lock_guard lock(m);
#endif
  memset(record.text, 'b', sizeof record.text);
}
}  // namespace

HEDDLE_FUZZ_TEST(copied_twice) {
  memset(&record, 0, sizeof record);
  std::thread one(reader), two(writer);
  one.join();
  two.join();
}
