// heddle: expect=blocked_threads budget=2000
// A process is forked while another thread writes to the log. The child has the log's lock, but not the thread that would unlock it.
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void write_log(void) {
  pthread_mutex_lock(&log_lock);
  ++lines;
  pthread_mutex_unlock(&log_lock);
}

#ifdef FIXED
static void before(void) { pthread_mutex_lock(&log_lock); }
static void after(void) { pthread_mutex_unlock(&log_lock); }
#endif

static void *serve(void *unused) {
  for (int i = 0; i < 3; ++i) write_log();
  return unused;
}

int main(void) {
  pthread_t server;
#ifdef FIXED
  pthread_atfork(before, after, after);
#endif
  pthread_create(&server, NULL, serve, NULL);
  const pid_t process = fork();
  if (process == 0) {
    write_log();
    _exit(0);
  }
  int status;
  if (waitpid(process, &status, 0) != process || status != 0) abort();
  pthread_join(server, NULL);
  if (lines != 3) abort();
  return 0;
}
