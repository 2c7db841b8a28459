// heddle: expect=assertion options=memory=rc11 budget=4000
// A look at a semaphore's value takes nothing, and orders nothing: the message can be missed. (FIXED: the semaphore is taken.)
#include <heddle/heddle.h>
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> message;

bool arrived(sem_t* semaphore) {
#ifdef FIXED
  return sem_trywait(semaphore) == 0;
#else
  int value;
  sem_getvalue(semaphore, &value);
  return value == 1;
#endif
}

HEDDLE_FUZZ_TEST(semaphore_value) {
  message = 0;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  std::thread writer([&semaphore] {
    message.store(1, std::memory_order_relaxed);
    sem_post(&semaphore);
  });
  if (arrived(&semaphore)) assert(message.load(std::memory_order_relaxed) == 1);
  writer.join();
  sem_destroy(&semaphore);
}
