// heddle: expect=pass runs=1500 options=report_races=1
// misuse: expect=assertion budget=10000 seeds=20
// moodycamel::ConcurrentQueue: two producers with a token each, and two consumers that stop when nothing can come any more. Nothing is lost,
// and each producer's elements come in its order. try_dequeue promises only that the queue is probably empty: under memory=rc11 both consumers can
// leave an element, and main takes it. Misuse: a consumer that finds nothing looks only afterwards whether the producers are done.
//
// Without a token the queue finds a thread's place in it by hashing an address: then findings replay, but not operation by operation.
#include <concurrentqueue/concurrentqueue.h>
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

HEDDLE_FUZZ_TEST(concurrentqueue) {
  moodycamel::ConcurrentQueue<int> queue;
  std::atomic<int> producing = 2, taken = 0;
  auto produce = [&](int from) {
    moodycamel::ProducerToken token(queue);
    for (int i = 0; i < 3; ++i) queue.enqueue(token, from + i);
    --producing;
  };
  std::thread p(produce, 0), q(produce, 100);
  auto consume = [&] {
    int last[2] = {-1, -1};
    for (;;) {
#ifndef MISUSE
      const bool done = producing == 0;
#endif
      int value;
      if (queue.try_dequeue(value)) {
        assert(value % 100 > last[value / 100] && "elements of one producer overtook each other");
        last[value / 100] = value % 100;
        ++taken;
        continue;
      }
#ifdef MISUSE
      const bool done = producing == 0;
#endif
      if (done) return;
      std::this_thread::yield();
    }
  };
  std::thread a(consume), b(consume);
  p.join();
  q.join();
  a.join();
  b.join();
#ifndef MISUSE
  for (int value; queue.try_dequeue(value);) ++taken;
#endif
  assert(taken == 6 && "elements lost or doubled");
}
