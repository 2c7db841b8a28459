// A child process ends by abort(), which its parent expects.
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  if (fork() == 0) abort();
  int status;
  wait(&status);
  return !(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
