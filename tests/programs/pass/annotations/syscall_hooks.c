// heddle: expect=pass runs=200
// Announces system calls to the sanitizer, as libuv does: nothing is missing at link time, and nothing is said.
#include <pthread.h>
#include <sanitizer/linux_syscall_hooks.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* announce(void* unused) {
  __sanitizer_syscall_pre_getpid();
  const long result = syscall(SYS_getpid);
  __sanitizer_syscall_post_getpid(result);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  pthread_t thread;
  pthread_create(&thread, NULL, &announce, NULL);
  announce(NULL);
  pthread_join(thread, NULL);
  return 0;
}
