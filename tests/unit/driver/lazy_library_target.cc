// A library's key has no values of an earlier execution, whether the library makes it once (keep_libraries=1) or in each execution. The program's
// own key is created again each time, with the same number.
#include <heddle/heddle.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <thread>

extern "C" int lazy_exchange(void* value, void** before);

HEDDLE_KEEP static pthread_key_t first_number = 0;
HEDDLE_KEEP static int executions = 0;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  return std::atexit([] {
    if (const pid_t child = fork(); child == 0) _exit(0);
    else waitpid(child, nullptr, 0);
  });
}

HEDDLE_FUZZ_TEST(lazy_library) {
  const auto use = [] {
    int own = 0;
    void* before = &own;
    assert(lazy_exchange(&own, &before) == 0 && before == nullptr);
    assert(lazy_exchange(nullptr, &before) == 0 && before == &own);
  };
  use();
  std::thread other(use);
  other.join();
  pthread_key_t key;
  assert(pthread_key_create(&key, nullptr) == 0);
  if (executions++ == 0) first_number = key;
  assert(key == first_number);
}
