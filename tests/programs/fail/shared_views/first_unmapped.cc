// heddle: expect=deadlock budget=500
// Two locks in memory that is mapped twice. They are taken through the first view, which is then unmapped. They are still held in the second view: a thread
// that takes them there in the other order waits.
#include <heddle/heddle.h>
#include <pthread.h>

#include <thread>

#include "views.h"

namespace {

struct Locks {
  pthread_mutex_t of[2];
};

void use(Locks& locks, int first) {
  pthread_mutex_lock(&locks.of[first]);
  pthread_mutex_lock(&locks.of[1 - first]);
  pthread_mutex_unlock(&locks.of[1 - first]);
  pthread_mutex_unlock(&locks.of[first]);
}

}  // namespace

HEDDLE_FUZZ_TEST(first_unmapped) {
  Views<Locks> views;
  for (pthread_mutex_t& lock : views.of[0]->of) pthread_mutex_init(&lock, nullptr);
  Locks* const second = views.of[1];
  pthread_mutex_lock(&views.of[0]->of[0]);
#ifdef FIXED
  std::thread other([&] { use(*second, 0); });
#else
  std::thread other([&] { use(*second, 1); });
#endif
  views.unmap(0);
  // Something else may lie there now.
  void* const next = mmap(nullptr, Views<Locks>::kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const unrelated = static_cast<Locks*>(next);
  for (pthread_mutex_t& lock : unrelated->of) pthread_mutex_init(&lock, nullptr);
  use(*unrelated, 1);
  munmap(next, Views<Locks>::kSize);
  pthread_mutex_lock(&second->of[1]);
  pthread_mutex_unlock(&second->of[1]);
  pthread_mutex_unlock(&second->of[0]);
  other.join();
}
