// Names of controlled threads. The kernel's name belongs to its own thread, which runs all controlled threads.
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

#include "engine/engine.h"
#include "intercept/real.h"

using namespace heddle::rt;

HEDDLE_REAL(pthread_setname_np);
HEDDLE_REAL(pthread_getname_np);
HEDDLE_REAL(prctl);

namespace {

constexpr size_t kSize = sizeof Thread::name;

// Until a thread gets a name, it has its creator's. The first thread has the program's.
const char* name_of(const Thread& t, char (&programs)[kSize]) {
  if (t.name[0] != 0) return t.name;
  real_pthread_getname_np(pthread_self(), programs, kSize);
  return programs;
}

// By hand: strnlen is one of heddle's shims, which would treat a thread's record as memory of the program.
void copy_name(char* to, const char* from) {
  size_t i = 0;
  for (; i < kSize - 1 && from[i] != 0; ++i) to[i] = from[i];
  to[i] = 0;
}

}  // namespace

HEDDLE_SHIM int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  if (current_thread() == nullptr) return real_pthread_setname_np(thread, name);
  Thread* const t = engine().thread_of(thread);
  if (t == nullptr) return ESRCH;
  if (strlen(name) >= kSize) return ERANGE;
  copy_name(t->name, name);
  return 0;
}

HEDDLE_SHIM int pthread_getname_np(pthread_t thread, char* name, size_t size) noexcept {
  if (current_thread() == nullptr) return real_pthread_getname_np(thread, name, size);
  const Thread* const t = engine().thread_of(thread);
  if (t == nullptr) return ESRCH;
  if (size < kSize) return ERANGE;
  char programs[kSize];
  copy_name(name, name_of(*t, programs));
  return 0;
}

HEDDLE_SHIM int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  const unsigned long first = va_arg(list, unsigned long), second = va_arg(list, unsigned long), third = va_arg(list, unsigned long),
                      fourth = va_arg(list, unsigned long);
  va_end(list);
  Thread* const t = current_thread();
  if (t != nullptr && option == PR_SET_NAME) {  // what is longer is cut
    copy_name(t->name, reinterpret_cast<const char*>(first));
    return 0;
  }
  if (t != nullptr && option == PR_GET_NAME) {
    char programs[kSize];
    copy_name(reinterpret_cast<char*>(first), name_of(*t, programs));
    return 0;
  }
  return real_prctl(option, first, second, third, fourth);
}
