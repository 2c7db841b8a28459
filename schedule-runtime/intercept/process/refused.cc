// Calls that would stop all threads, leave the execution, or give a controlled thread a wrong result. In an execution they are refused,
// with one line that says what to do instead. Outside they are passed on (libFuzzer itself forks and runs commands).
//
// Only the public names are refused: calls inside libc (the fork in popen) do not come here. Calls that are only sometimes a problem (poll,
// read) are in descriptors/io.cc and descriptors/wait.cc.
#include <stdarg.h>
#include <unistd.h>

#include <string_view>

#include "fiber/thread_pointer_trap.h"
#include "intercept/process/refused_calls.h"
#include "intercept/process/same_identity.h"
#include "intercept/process/test_frameworks.h"
#include "intercept/refuse.h"
#include "intercept/word_call.h"

using namespace heddle::rt;

namespace {

const char* advice_for(std::string_view name, const char* advice) {
  return name == "vfork" ? advice_for_fork(advice) : advice;
}

}  // namespace

#define HEDDLE_REFUSED(name, advice) \
  HEDDLE_WORD_SHIM(name, {                                                                                       \
    if (current_thread() != nullptr && keeps_identity(#name, a, b, c)) return 0;                                 \
    if (current_thread() != nullptr) refuse(#name, HEDDLE_HERE, advice_for(#name, advice));                      \
    heddle::fiber::thread_pointer_trap().set(false); /* some make a process */                                   \
  })

// vfork's child runs on its parent's stack. So only a jump may lead there: a frame of heddle would be returned from twice.
#define HEDDLE_REFUSED_JUMP(name, advice)                                                                                 \
  extern "C" __attribute__((weak)) int heddle_asan_##name() asm("___interceptor_" #name);                                 \
  HEDDLE_SHIM int heddle_refused_##name() asm(#name);                                                                     \
  int heddle_refused_##name() {                                                                                           \
    if (current_thread() != nullptr) refuse(#name, HEDDLE_HERE, advice_for(#name, advice));                              \
    heddle::fiber::thread_pointer_trap().set(false);                                                                      \
    static constinit int (*real)() = nullptr;                                                                             \
    if (real == nullptr) {                                                                                                \
      real = &heddle_asan_##name != nullptr ? &heddle_asan_##name : reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, #name)); \
    }                                                                                                                     \
    [[clang::musttail]] return real();                                                                                                 \
  }

// The forms with a list of arguments that a null pointer ends. In execle, the environment follows the null pointer.
#define HEDDLE_REFUSED_LIST(name, advice, call)                                               \
  HEDDLE_SHIM int name(const char* path, const char* first, ...) noexcept {                   \
    if (current_thread() != nullptr) refuse(#name, HEDDLE_HERE, advice);                      \
    va_list list;                                                                             \
    va_start(list, first);                                                                    \
    size_t count = 1;                                                                         \
    if (first != nullptr) {                                                                   \
      do ++count;                                                                             \
      while (va_arg(list, const char*) != nullptr);                                           \
    }                                                                                         \
    va_end(list);                                                                             \
    const char** arguments = static_cast<const char**>(__builtin_alloca(count * sizeof(char*))); \
    va_start(list, first);                                                                    \
    arguments[0] = first;                                                                     \
    for (size_t i = 1; i < count; ++i) arguments[i] = va_arg(list, const char*);              \
    const int result = call;                                                                  \
    va_end(list);                                                                             \
    return result;                                                                            \
  }

HEDDLE_REFUSED_CALLS(HEDDLE_REFUSED, HEDDLE_REFUSED_LIST, HEDDLE_REFUSED_JUMP)
