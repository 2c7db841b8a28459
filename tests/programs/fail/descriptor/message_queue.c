// heddle: expect=blocked_threads budget=2000
// Two workers look whether a message queue has a message, and then wait for it: the other one may have taken the last.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static mqd_t jobs;
static int done;

static void *work(void *unused) {
  char job[16];
  for (;;) {
#ifdef FIXED
    if (mq_receive(jobs, job, sizeof job, NULL) < 0) return unused;
#else
    struct mq_attr now;
    mq_getattr(jobs, &now);
    if (now.mq_curmsgs == 0) return unused;
    mq_receive(jobs, job, sizeof job, NULL);
#endif
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
  }
}

static void priorities_and_errors(void) {
  char text[16];
  unsigned priority;
  struct mq_attr size = {.mq_maxmsg = 2, .mq_msgsize = sizeof text};
  const mqd_t queue = mq_open("/order", O_RDWR | O_CREAT | O_EXCL, 0600, &size);
  assert(queue >= 0 && mq_open("/order", O_RDWR | O_CREAT | O_EXCL, 0600, &size) == -1 && errno == EEXIST);
  const mqd_t reader = mq_open("/order", O_RDONLY | O_NONBLOCK);
  assert(mq_send(reader, "no", 2, 0) == -1 && errno == EBADF);
  assert(mq_receive(reader, text, sizeof text, NULL) == -1 && errno == EAGAIN);
  assert(mq_send(queue, "late", 4, 1) == 0 && mq_send(queue, "soon", 4, 7) == 0);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  assert(mq_timedsend(queue, "more", 4, 1, &limit) == -1 && errno == ETIMEDOUT);
  struct pollfd ready = {.fd = reader, .events = POLLIN};
  assert(poll(&ready, 1, -1) == 1);
  assert(mq_receive(reader, text, 3, &priority) == -1 && errno == EMSGSIZE);
  assert(mq_receive(reader, text, sizeof text, &priority) == 4 && priority == 7 && memcmp(text, "soon", 4) == 0);
  assert(mq_unlink("/order") == 0 && mq_open("/order", O_RDWR) == -1 && errno == ENOENT);
  assert(mq_receive(queue, text, sizeof text, &priority) == 4 && priority == 1);
  assert(mq_close(queue) == 0 && mq_close(reader) == 0);
}

int main(void) {
  pthread_t workers[2];
  struct mq_attr size = {.mq_maxmsg = 4, .mq_msgsize = 16};
  priorities_and_errors();
  jobs = mq_open("/jobs", O_RDWR | O_CREAT, 0600, &size);
  for (int i = 0; i < 3; ++i) mq_send(jobs, "job", 4, 0);
#ifdef FIXED
  const struct mq_attr at_once = {.mq_flags = O_NONBLOCK};
  mq_setattr(jobs, &at_once, NULL);
#endif
  for (int i = 0; i < 2; ++i) pthread_create(&workers[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(workers[i], NULL);
  assert(done == 3);
  mq_close(jobs);
  mq_unlink("/jobs");
  return 0;
}
