// heddle: expect=assertion budget=500
// A mutex and what it guards lie in memory that is mapped twice; each thread uses a view of its own. One that locks only to write reads a balance that the
// other one is about to change.
#include <heddle/heddle.h>
#include <pthread.h>

#include <thread>

#include "views.h"

namespace {

struct Account {
  pthread_mutex_t lock;
  int balance;

  void pay_in() {
#ifdef FIXED
    pthread_mutex_lock(&lock);
    const int before = balance;
#else
    pthread_mutex_lock(&lock);
    const int before = balance;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    balance = before + 1;
    pthread_mutex_unlock(&lock);
  }
};

}  // namespace

HEDDLE_FUZZ_TEST(mutex) {
  Views<Account> views;
  pthread_mutex_init(&views.of[0]->lock, nullptr);
  std::thread one([&] { views.of[0]->pay_in(); }), two([&] { views.of[1]->pay_in(); });
  one.join();
  two.join();
  assert(views.of[1]->balance == 2);
  pthread_mutex_destroy(&views.of[1]->lock);
}
