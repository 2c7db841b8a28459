// heddle: expect=assertion budget=2000
// OpenSSH CVE-2006-5051 and CVE-2024-6387: the handler of SIGALRM, when LoginGraceTime is over, logs and so allocates. If
// the main program is inside of its allocator at that moment, the lists of free chunks break.
#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <pthread.h>
#include <unistd.h>

struct chunk { struct chunk *next; size_t size; char text[48]; };
static struct chunk chunks[6], *free_list, *log_line;
static volatile sig_atomic_t timed_out;

static void heap_init(void) {
  free_list = NULL;
  for (int i = 0; i < 6; ++i) {
    chunks[i].next = free_list;
    free_list = &chunks[i];
  }
}
static struct chunk *allocate(void) {
  struct chunk *c = free_list;
  if (c == NULL) return NULL;
  free_list = c->next;
  c->next = NULL;
  return c;
}
static void release(struct chunk *c) {
  c->next = free_list;
  free_list = c;
}

static void do_log(const char *what) {
  if (log_line == NULL) log_line = allocate();  // as syslog, which keeps what it has set up
  if (log_line != NULL) snprintf(log_line->text, sizeof log_line->text, "sshd: %s", what);
}

static void grace_alarm_handler(int number) {
  (void)number;
#ifndef FIXED
  do_log("Timeout before authentication");
#endif
  timed_out = 1;
}

static void *client(void *argument) {
  const int fd = (int)(long)argument;
  const char *lines[] = {"SSH-2.0-client", "user root", "key ssh-ed25519"};
  for (int i = 0; i < 3; ++i) {
    char line[48] = {0};
    strcpy(line, lines[i]);
    (void)!write(fd, line, sizeof line);
    const struct timespec t = {0, 4000000};
    nanosleep(&t, NULL);
  }
  close(fd);
  return NULL;
}

int main(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
  heap_init();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = grace_alarm_handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  pthread_t other;
  pthread_create(&other, NULL, client, (void *)(long)pair[1]);
  const struct itimerval grace = {.it_value = {0, 8000}};
  setitimer(ITIMER_REAL, &grace, NULL);
  struct chunk *kept[3];
  int count = 0;
  while (count < 3) {
    char line[48];
    if (read(pair[0], line, sizeof line) != sizeof line) break;
    struct chunk *c = allocate();
    assert(c != NULL);
    memcpy(c->text, line, sizeof line);
    kept[count++] = c;
  }
#ifdef FIXED
  if (timed_out) do_log("Timeout before authentication");
#endif
  pthread_join(other, NULL);
  const struct itimerval never = {0};
  setitimer(ITIMER_REAL, &never, NULL);
  for (int i = 0; i < count; ++i) release(kept[i]);
  if (log_line != NULL) release(log_line);
  int free_chunks = 0;
  for (struct chunk *c = free_list; c != NULL; c = c->next) assert(++free_chunks <= 6);
  assert(free_chunks == 6);
  close(pair[0]);
  return 0;
}
