// heddle: expect=pass runs=3000
// What the calls do when a handler has run in their wait.
#include <assert.h>
#include <errno.h>
#include <heddle/heddle.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t items;
static atomic_int handled;
static _Thread_local int handled_here;
static int ends[2], before_the_signal;
static pthread_t main_thread;

static void handle(int number) {
  assert(number == SIGUSR2);
  assert(!pthread_equal(pthread_self(), main_thread));
  assert(before_the_signal == 5);  // it happened before, so it is no race
  ++handled_here;
  ++handled;
}

static void* lock_it(void* unused) {  // goes on waiting
  pthread_mutex_lock(&lock);
  assert(before_the_signal == 5);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* read_it(void* restart) {
  char byte;
  const long n = read(ends[0], &byte, 1);
  if (n < 0) assert(errno == EINTR && handled_here == 1 && restart == NULL);
  else assert(n == 1);
  return NULL;
}

static void* take_it(void* restart) {
  if (sem_wait(&items) != 0) assert(errno == EINTR && handled_here == 1 && restart == NULL);
  return NULL;
}

static void* sleep_it(void* unused) {
  struct timespec left = {9, 9};
  const struct timespec hour = {3600, 0};
  if (nanosleep(&hour, &left) != 0) {
    assert(errno == EINTR && handled_here == 1);
    assert(left.tv_sec <= 3600);
  } else {
    assert(left.tv_sec == 9 && left.tv_nsec == 9);
  }
  return unused;
}

static void* poll_it(void* unused) {
  struct pollfd one = {ends[0], POLLIN, 0};
  const int n = poll(&one, 1, -1);
  if (n < 0) assert(errno == EINTR && handled_here == 1);
  else assert(n == 1);
  return unused;
}

static void one_by_one(void* (*body)(void*), int flags) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
  pthread_t thread;
  sigaction(SIGUSR2, &action, NULL);
  handled = before_the_signal = 0;
  main_thread = pthread_self();
  assert(pipe(ends) == 0);
  sem_init(&items, 0, 0);
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, body, flags != 0 ? &lock : NULL);
  before_the_signal = 5;
  assert(pthread_kill(thread, SIGUSR2) == 0);
  pthread_mutex_unlock(&lock);
  sem_post(&items);
  (void)!write(ends[1], "x", 1);
  pthread_join(thread, NULL);
  assert(handled <= 1);  // 0: the thread had ended before
  sem_destroy(&items);
  close(ends[0]);
  close(ends[1]);
}

HEDDLE_FUZZ_TEST(busy_thread) {
  static void* (*const bodies[])(void*) = {lock_it, read_it, take_it, sleep_it, poll_it};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
    one_by_one(bodies[i], 0);
    one_by_one(bodies[i], SA_RESTART);
  }
}
