// heddle: expect=assertion budget=200
// A worker takes jobs from a queue of messages. The order to stop has a higher priority than a job, and overtakes it.
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stddef.h>

static int done;

static void* work(void* unused) {
  const mqd_t jobs = mq_open("/jobs", O_RDONLY);
  char message[16];
  while (mq_receive(jobs, message, sizeof message, NULL) > 0 && message[0] != 's') ++done;
  mq_close(jobs);
  return unused;
}

int main(void) {
  struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
  const mqd_t jobs = mq_open("/jobs", O_CREAT | O_WRONLY, 0600, &attributes);
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  for (int i = 0; i < 2; ++i) mq_send(jobs, "job", 3, 1);
#ifdef FIXED
  mq_send(jobs, "stop", 4, 0);
#else
  mq_send(jobs, "stop", 4, 2);
#endif
  pthread_join(worker, NULL);
  assert(done == 2);
  mq_close(jobs);
  mq_unlink("/jobs");
  return 0;
}
