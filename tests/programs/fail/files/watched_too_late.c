// heddle: expect=unsupported budget=500
// A directory is watched only after the look into it, so the event of a file in between is missed. No thread can end the wait then; another
// process could, so it is refused, and no deadlock. (FIXED: watched first.)
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

static char file[64];

static void* make(void* unused) {
  const int fd = open(file, O_CREAT | O_WRONLY, 0600);
  assert(fd >= 0);
  close(fd);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data;
  (void)size;
  char directory[] = "/tmp/heddle_watched_XXXXXX";
  assert(mkdtemp(directory) != NULL);
  snprintf(file, sizeof file, "%s/ready", directory);
  const int events = inotify_init1(IN_CLOEXEC);
  assert(events >= 0);
  pthread_t maker;
  pthread_create(&maker, NULL, make, NULL);
#ifdef FIXED
  assert(inotify_add_watch(events, directory, IN_CREATE) >= 0);
#endif
  if (access(file, F_OK) != 0) {
#ifndef FIXED
    assert(inotify_add_watch(events, directory, IN_CREATE) >= 0);
#endif
    char event[1024];
    assert(read(events, event, sizeof event) > 0);
  }
  pthread_join(maker, NULL);
  assert(access(file, F_OK) == 0);
  unlink(file);
  rmdir(directory);
  close(events);
  return 0;
}
