// heddle: expect=pass runs=2000 options=report_races=1
// misuse: expect=assertion|deadlock budget=10000 seeds=20
// moodycamel::BlockingReaderWriterQueue, for one producer and one consumer: everything arrives, in order. Misuse: two producers.
#include <heddle/heddle.h>
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(readerwriterqueue) {
  moodycamel::BlockingReaderWriterQueue<int> queue(2);
  std::thread producer([&] {
    queue.enqueue(1);
    queue.enqueue(2);
  });
#ifdef MISUSE
  std::thread other([&] { queue.enqueue(3); });
#else
  producer.join();
  producer = std::thread([&] { queue.enqueue(3); });
#endif
  int sum = 0, last = 0;
  for (int i = 0; i < 3; ++i) {
    int value;
    queue.wait_dequeue(value);
    assert(value > last || value == 2);
    last = value;
    sum += value;
  }
  assert(sum == 6);
  producer.join();
#ifdef MISUSE
  other.join();
#endif
}
