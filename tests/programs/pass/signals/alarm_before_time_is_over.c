// heddle: expect=pass runs=2000
// Main would go on by itself after a minute. The alarm that ends the program before that is no watchdog of a blocked program.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sem_t work;

static void give_up(int number) {
  (void)number;
  _exit(1);
}

static void* wait_for_work(void* unused) {
  sem_wait(&work);
  return unused;
}

int main(void) {
  pthread_t worker;
  sem_init(&work, 0, 0);
  signal(SIGALRM, give_up);
  if (pthread_create(&worker, NULL, wait_for_work, NULL) != 0) return 1;
  alarm(1);
  const struct timespec minute = {60, 0};
  nanosleep(&minute, NULL);
  sem_post(&work);
  pthread_join(worker, NULL);
  return 0;
}
