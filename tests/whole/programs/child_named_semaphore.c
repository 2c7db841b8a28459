// A child process waits for a named semaphore, which its parent posts only later. It has inherited the semaphore, or opens it.
#include <fcntl.h>
#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static const char kName[] = "/heddle-child-named-semaphore";
  sem_t* semaphore = sem_open(kName, O_CREAT | O_EXCL, 0600, 0);
  const pid_t child = fork();
  if (child == 0) {
    if (argc > 1 && strcmp(argv[1], "opens") == 0) semaphore = sem_open(kName, 0);
    _exit(sem_wait(semaphore));
  }
  sem_post(semaphore);
  waitpid(child, NULL, 0);
  sem_unlink(kName);
  return 0;
}
