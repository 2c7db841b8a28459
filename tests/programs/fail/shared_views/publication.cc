// heddle: expect=data-race budget=300 options=report_races=1
// A record is written through one view and read through another; an atomic in the same memory says that it is there. Without release and acquire there, the two race.
#include <heddle/heddle.h>

#include <atomic>
#include <thread>

#include "views.h"

#ifdef FIXED
constexpr auto kPublish = std::memory_order_release, kLook = std::memory_order_acquire;
#else
constexpr auto kPublish = std::memory_order_relaxed, kLook = std::memory_order_relaxed;
#endif

namespace {

struct Record {
  std::atomic<bool> there;
  long text[4];
};

}  // namespace

HEDDLE_FUZZ_TEST(publication) {
  Views<Record> record;
  std::thread writer([&] {
    for (long& word : record.of[0]->text) word = 7;
    record.of[0]->there.store(true, kPublish);
  });
  if (record.of[1]->there.load(kLook)) {
    for ([[maybe_unused]] const long word : record.of[1]->text) assert(word == 7);
  }
  writer.join();
}
