// heddle: expect=assertion budget=2000
// What the threads of a child did, its parent learns from a pipe and from the exit code. A process of a process does the same.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int next_ticket;
static volatile sig_atomic_t ended;

static void on_end(int number) { ended += number == SIGCHLD; }

static int ticket_of[2];

static void *take(void *slot) {
#ifdef FIXED
  *(int *)slot = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_SEQ_CST);
#else
  *(int *)slot = __atomic_load_n(&next_ticket, __ATOMIC_SEQ_CST);
  __atomic_store_n(&next_ticket, *(int *)slot + 1, __ATOMIC_SEQ_CST);
#endif
  return NULL;
}

static int tickets_differ(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, take, &ticket_of[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return ticket_of[0] != ticket_of[1];
}

int main(void) {
  int ends[2];
  assert(pipe(ends) == 0);
  signal(SIGCHLD, on_end);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    close(ends[0]);
    assert(getppid() == parent && getpid() != parent);
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      assert(write(ends[1], "g", 1) == 1);
      raise(SIGTERM);
    }
    int status;
    assert(waitpid(-1, &status, WNOHANG) == grandchild && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    const char verdict = tickets_differ() ? 'y' : 'n';
    assert(write(ends[1], &verdict, 1) == 1);
    exit(verdict == 'y' ? 0 : 1);
  }
  close(ends[1]);
  char said[4] = "";
  assert(kill(child, 0) == 0);
  assert(read(ends[0], said, 1) == 1 && read(ends[0], said + 1, 3) == 1 && read(ends[0], said + 2, 1) == 0);
  siginfo_t info;
  assert(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0 && info.si_pid == child && info.si_code == CLD_EXITED);
  assert(said[0] == 'g' && (said[1] == 'y') == (info.si_status == 0));
  int status;
  assert(wait(&status) == child && WIFEXITED(status));
  assert(ended == 1);
  assert(wait(&status) == -1 && errno == ECHILD);
  assert(kill(child, 0) == -1 && errno == ESRCH);
  assert(next_ticket == 0);
  assert(WEXITSTATUS(status) == 0);
  assert(tickets_differ() || next_ticket == 1);
  return 0;
}
