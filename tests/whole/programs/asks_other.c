// Another program copies five bytes from one pipe to another. asks_other WHEN PROGRAM [ARGUMENT...]: main writes them before it starts the program, or
// after. With "copies" as the only argument, it is such a program itself. With "runs COMMAND", a shell runs the command.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int copy(void) {
  char bytes[5];
  return read(0, bytes, sizeof bytes) == sizeof bytes && write(1, bytes, sizeof bytes) == sizeof bytes ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "copies") == 0) return copy();
  if (argc == 3 && strcmp(argv[1], "runs") == 0) return system(argv[2]) != 0;
  if (argc < 3) return 2;
  const int before = strcmp(argv[1], "before") == 0;
  int question[2], answer[2], status;
  char bytes[5];
  assert(pipe(question) == 0 && pipe(answer) == 0);
  if (before) assert(write(question[1], "hello", sizeof bytes) == sizeof bytes);
  const pid_t child = fork();
  if (child == 0) {
    dup2(question[0], 0);
    dup2(answer[1], 1);
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  if (!before) assert(write(question[1], "hello", sizeof bytes) == sizeof bytes);
  assert(read(answer[0], bytes, sizeof bytes) == sizeof bytes && memcmp(bytes, "hello", sizeof bytes) == 0);
  assert(waitpid(child, &status, 0) == child && status == 0);
  return 0;
}
