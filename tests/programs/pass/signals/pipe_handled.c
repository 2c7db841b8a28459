// heddle: expect=pass runs=300
// A handler of SIGPIPE runs once for each write to a pipe or socket whose readers are gone. A write of no bytes is no error.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int handled;
static void handle(int number) { handled += number == SIGPIPE; }

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  int ends[2];
  handled = 0;
  assert(pipe(ends) == 0);
  close(ends[0]);
  assert(write(ends[1], "", 0) == 0);
  signal(SIGPIPE, handle);
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  assert(handled == 1);
  close(ends[1]);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  close(ends[0]);
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  assert(handled == 2);
  close(ends[1]);
  assert(pipe(ends) == 0);
  close(ends[0]);
  FILE* const stream = fdopen(ends[1], "w");
  fputs("x", stream);
  assert(fflush(stream) == EOF && ferror(stream) && handled == 3);
  fclose(stream);
  return 0;
}
