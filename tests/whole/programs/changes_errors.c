// A program that changes its standard error, by way of argv[1], and fails.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void to_nowhere(void) { dup2(open("/dev/null", O_WRONLY), 2); }

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "dup2") == 0) {
    to_nowhere();
  } else if (strcmp(way, "close") == 0) {
    close(2);
  } else if (strcmp(way, "freopen") == 0) {
    if (freopen("/dev/null", "w", stderr) == NULL) return 1;
  } else if (strcmp(way, "fclose") == 0) {
    fclose(stderr);
  } else if (strcmp(way, "child") == 0) {
    if (fork() != 0) return wait(NULL) < 0;
    to_nowhere();
  } else if (strcmp(way, "address") == 0) {
    to_nowhere();
    volatile int* const nowhere = (volatile int*)8;
    *nowhere = 1;
  } else if (strcmp(way, "endless") == 0) {
    to_nowhere();
    for (;;) {
    }
  }
  assert(0);
}
