// A child process reads what its parent has not written yet.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte = 0;
  if (pipe(ends) != 0) return 1;
  if (fork() == 0) _exit(read(ends[0], &byte, 1) != 1);
  return write(ends[1], &byte, 1) != 1 || wait(NULL) < 0;
}
