// heddle: expect=unsupported budget=10000
// Parent and child would hold the lock of the file together.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  char name[] = "heddle_lock_XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  if (flock(file, LOCK_EX) != 0) abort();
#ifdef FIXED
  flock(file, LOCK_UN);
#endif
  const pid_t process = fork();
  if (process == 0) _exit(0);
  if (waitpid(process, NULL, 0) != process) abort();
  close(file);
  return 0;
}
