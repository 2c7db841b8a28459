// heddle: expect=data_race budget=200 options=report_races=1
// A std::ostringstream that one thread ends a line in without the lock that the other holds. (FIXED: with the lock.)
#include <heddle/heddle.h>

#include <mutex>
#include <sstream>
#include <thread>

struct Journal {
  std::ostringstream text;
  std::mutex lock;
};

HEDDLE_FUZZ_TEST(text_race) {
  Journal journal;
  std::thread writer([&] {
    const std::lock_guard guard(journal.lock);
    journal.text << "begin";
  });
  {
#ifdef FIXED
    const std::lock_guard guard(journal.lock);
#endif
    journal.text << std::endl;
  }
  writer.join();
}
