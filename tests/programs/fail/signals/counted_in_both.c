// heddle: expect=assertion budget=2000
// A thread and the handler that interrupts it count in the same ordinary variable. A signal between the read and the write of the thread is lost.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t requests;

static void count(int number) {
  (void)number;
  requests = requests + 1;
}

static void block(int how) {
#ifdef FIXED
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(how, &set, NULL);
#else
  (void)how;
#endif
}

static void* client(void* server) {
  pthread_kill(*(pthread_t*)server, SIGUSR1);
  return NULL;
}

int main(void) {
  pthread_t server = pthread_self(), other;
  struct sigaction action = {.sa_handler = count};
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&other, NULL, client, &server);
  block(SIG_BLOCK);
  requests = requests + 1;
  block(SIG_UNBLOCK);
  pthread_join(other, NULL);
  assert(requests == 2);
  return 0;
}
