// Two threads of a child process take two locks in opposite orders. The locks are in memory that its parent has mapped, too, but only the child's
// threads hold them: the parent could end nothing.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t* locks;

static void* other(void* unused) {
  pthread_mutex_lock(&locks[1]);
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_unlock(&locks[0]);
  pthread_mutex_unlock(&locks[1]);
  return unused;
}

int main(void) {
  locks = mmap(NULL, 2 * sizeof *locks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&locks[0], &attributes);
  pthread_mutex_init(&locks[1], &attributes);
  if (fork() == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&locks[0]);
    pthread_mutex_lock(&locks[1]);
    pthread_mutex_unlock(&locks[1]);
    pthread_mutex_unlock(&locks[0]);
    pthread_join(thread, NULL);
    _exit(0);
  }
  return wait(NULL) < 0;
}
