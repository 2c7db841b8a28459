// A child process waits for what its parent does only later. `first`: the parent does it before, so that the child has not to wait.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct Shared {
  sem_t semaphore;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int is_set;
  atomic_int flag;
} *shared;
static int ends[2];

static void share(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(&shared->semaphore, 1, 0);
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &mutex);
  pthread_condattr_t condition;
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&shared->condition, &condition);
}

static void do_it(pid_t child) {
  (void)!write(ends[1], "x", 1);
  sem_post(&shared->semaphore);
  pthread_mutex_lock(&shared->mutex);
  shared->is_set = 1;
  pthread_cond_signal(&shared->condition);
  pthread_mutex_unlock(&shared->mutex);
  shared->flag = 1;
  if (child != 0) kill(child, SIGUSR1);
}

static void wait_for_it(const char* way) {
  char byte;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  if (strcmp(way, "pipe") == 0) {
    (void)!read(ends[0], &byte, 1);
  } else if (strcmp(way, "pause") == 0) {
    pause();
  } else if (strcmp(way, "sigwait") == 0) {
    int number;
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigwait(&set, &number);
  } else if (strcmp(way, "semaphore") == 0) {
    sem_wait(&shared->semaphore);
  } else if (strcmp(way, "condition") == 0) {
    pthread_mutex_lock(&shared->mutex);
    while (!shared->is_set) pthread_cond_wait(&shared->condition, &shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
  } else if (strcmp(way, "mutex") == 0) {
    pthread_mutex_lock(&shared->mutex);
    pthread_mutex_unlock(&shared->mutex);
  } else if (strcmp(way, "spin") == 0) {
    while (shared->flag == 0) {
    }
  } else if (strcmp(way, "sleep") == 0) {
    while (shared->flag == 0) usleep(1000);
  }
}

int main(int argc, char** argv) {
  if (argc < 2 || pipe(ends) != 0) return 1;
  share();
  const char* const way = argv[1];
  const int first = argc > 2;
  if (first) do_it(0);
  else if (strcmp(way, "mutex") == 0) pthread_mutex_lock(&shared->mutex);
  const pid_t child = fork();
  if (child == 0) {
    wait_for_it(way);
    _exit(0);
  }
  if (strcmp(way, "mutex") == 0 && !first) pthread_mutex_unlock(&shared->mutex);
  if (!first) do_it(child);
  return waitpid(child, NULL, 0) != child;
}
