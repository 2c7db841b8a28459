// heddle: expect=assertion budget=2000
// Other programs, started by fork and exec, vfork and exec, and posix_spawn, beside a thread. One of them reads a file that the thread may still be writing.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char name[] = "heddle_words_XXXXXX";
static volatile sig_atomic_t ended;

static void on_end(int number) { ended += number == SIGCHLD; }

static void *write_words(void *unused) {
  FILE *words = fopen(name, "w");
  fputs("two words\n", words);
  fclose(words);
  return unused;
}

static void upper_case(const char *text, char *out, size_t room) {
  int to[2], from[2];
  assert(pipe(to) == 0 && pipe(from) == 0);
  assert(write(to[1], text, strlen(text)) == (ssize_t)strlen(text));
  close(to[1]);
  const pid_t process = fork();
  if (process == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execlp("tr", "tr", "a-z", "A-Z", (char *)NULL);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  const ssize_t size = read(from[0], out, room - 1);
  assert(size >= 0);
  out[size] = 0;
  close(from[0]);
  int status;
  assert(waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int run(char *const arguments[]) {
  pid_t process;
  int status;
  assert(posix_spawnp(&process, arguments[0], NULL, NULL, arguments, environ) == 0);
  assert(process != getpid() && waitpid(process, &status, 0) == process && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int signal_that_ends(char *command) {
  char *const arguments[] = {"sh", "-c", command, NULL};
  int status;
  const pid_t process = vfork();
  if (process == 0) {
    execv("/bin/sh", arguments);
    _exit(127);
  }
  assert(waitpid(process, &status, 0) == process && WIFSIGNALED(status));
  return WTERMSIG(status);
}

int main(void) {
  pid_t process;
  char *const nothing[] = {"no_such_program", NULL}, *const search[] = {"grep", "-q", "words", name, NULL};
  char text[32];
  pthread_t writer;
  signal(SIGCHLD, on_end);
  close(mkstemp(name));
  pthread_create(&writer, NULL, write_words, NULL);
  upper_case("loud", text, sizeof text);
  assert(strcmp(text, "LOUD") == 0 && ended == 1);
  assert(posix_spawn(&process, "no_such_program", NULL, NULL, nothing, environ) == ENOENT && ended == 1);
  assert(execvp("no_such_program", nothing) == -1 && errno == ENOENT);
  assert(signal_that_ends("kill -9 $$") == SIGKILL && ended == 2);
#ifdef FIXED
  pthread_join(writer, NULL);
#endif
  const int result = run(search);
  assert(ended == 3);
#ifndef FIXED
  pthread_join(writer, NULL);
#endif
  unlink(name);
  assert(result == 0);
  execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
  abort();
}
