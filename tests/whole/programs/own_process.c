// The files of the process by its number.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *look(void *unused) {
  char name[64], line[64] = "";
  snprintf(name, sizeof name, "/proc/%d/status", (int)getpid());
  FILE *file = fopen(name, "r");
  assert(file && fgets(line, sizeof line, file) && strncmp(line, "Name:", 5) == 0);
  fclose(file);
  snprintf(name, sizeof name, "/proc/%d", (int)getpid());
  assert(access(name, R_OK) == 0);
  const int directory = open(name, O_RDONLY | O_DIRECTORY);
  assert(directory >= 0);
  close(directory);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  look(NULL);
  pthread_join(thread, NULL);
  return 0;
}
