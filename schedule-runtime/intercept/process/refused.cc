// Calls that would stop all threads, leave the execution, or give a controlled thread a wrong answer. In an execution they are refused, with one
// line that says what to do instead. Elsewhere they are passed on (libFuzzer itself forks and runs commands).
//
// Only the public names are refused: calls inside libc (the fork in popen) do not come here. Calls that are only sometimes a
// problem (poll, read) are in descriptors/io.cc and descriptors/wait.cc.
#include <stdarg.h>
#include <unistd.h>

#include "intercept/refuse.h"
#include "intercept/word_call.h"

using namespace heddle::rt;

namespace {

constexpr const char kProcess[] = "all controlled threads share one kernel thread. Do it outside the executions (a harness: in LLVMFuzzerInitialize)";
constexpr const char kSignal[] = "all controlled threads share one kernel thread. Wait on a condition variable or a semaphore";
constexpr const char kIdentity[] = "the runtime's parked threads would never answer. Change it in LLVMFuzzerInitialize";
constexpr const char kQueue[] = "the scheduler cannot see that it blocks. Use a queue with a mutex and a condition variable";
constexpr const char kSignalFile[] = "signals stay inside the execution and would not arrive there. Use sigwait or sigtimedwait";
constexpr const char kAsynchronous[] = "the C library does it in threads of its own, which heddle does not control. Use a thread of the program";
constexpr const char kNamedPipe[] = "the scheduler cannot see the wait for the other end. Use pipe() or socketpair()";
constexpr const char kSemaphore[] = "use sem_init, a semaphore without a name";
constexpr const char kPriority[] = "heddle does not model mutex priorities. Use another mutex type";

}  // namespace

#define HEDDLE_REFUSED(name, advice) \
  HEDDLE_WORD_SHIM(name, if (current_thread() != nullptr) refuse(#name, HEDDLE_HERE, advice))

HEDDLE_REFUSED(fork, kProcess)
HEDDLE_REFUSED(_Fork, kProcess)
HEDDLE_REFUSED(execv, kProcess)
HEDDLE_REFUSED(execve, kProcess)
HEDDLE_REFUSED(execvp, kProcess)
HEDDLE_REFUSED(execvpe, kProcess)
HEDDLE_REFUSED(fexecve, kProcess)
HEDDLE_REFUSED(posix_spawn, kProcess)
HEDDLE_REFUSED(posix_spawnp, kProcess)
HEDDLE_REFUSED(system, kProcess)
HEDDLE_REFUSED(popen, kProcess)
HEDDLE_REFUSED(daemon, kProcess)
HEDDLE_REFUSED(wait, kProcess)
HEDDLE_REFUSED(waitpid, kProcess)
HEDDLE_REFUSED(waitid, kProcess)
HEDDLE_REFUSED(wait3, kProcess)
HEDDLE_REFUSED(wait4, kProcess)

HEDDLE_REFUSED(pthread_sigqueue, kSignal)
HEDDLE_REFUSED(tgkill, kSignal)
HEDDLE_REFUSED(signalfd, kSignalFile)

HEDDLE_REFUSED(setuid, kIdentity)
HEDDLE_REFUSED(setgid, kIdentity)
HEDDLE_REFUSED(seteuid, kIdentity)
HEDDLE_REFUSED(setegid, kIdentity)
HEDDLE_REFUSED(setreuid, kIdentity)
HEDDLE_REFUSED(setregid, kIdentity)
HEDDLE_REFUSED(setresuid, kIdentity)
HEDDLE_REFUSED(setresgid, kIdentity)
HEDDLE_REFUSED(setgroups, kIdentity)
HEDDLE_REFUSED(initgroups, kIdentity)

HEDDLE_REFUSED(msgsnd, kQueue)
HEDDLE_REFUSED(msgrcv, kQueue)
HEDDLE_REFUSED(semop, kQueue)
HEDDLE_REFUSED(semtimedop, kQueue)
HEDDLE_REFUSED(mq_open, kQueue)
HEDDLE_REFUSED(mq_send, kQueue)
HEDDLE_REFUSED(mq_receive, kQueue)
HEDDLE_REFUSED(mq_timedsend, kQueue)
HEDDLE_REFUSED(mq_timedreceive, kQueue)
HEDDLE_REFUSED(getaddrinfo_a, kQueue)

HEDDLE_REFUSED(aio_read, kAsynchronous)
HEDDLE_REFUSED(aio_read64, kAsynchronous)
HEDDLE_REFUSED(aio_write, kAsynchronous)
HEDDLE_REFUSED(aio_write64, kAsynchronous)
HEDDLE_REFUSED(aio_fsync, kAsynchronous)
HEDDLE_REFUSED(aio_fsync64, kAsynchronous)
HEDDLE_REFUSED(lio_listio, kAsynchronous)
HEDDLE_REFUSED(lio_listio64, kAsynchronous)

HEDDLE_REFUSED(mkfifo, kNamedPipe)
HEDDLE_REFUSED(mkfifoat, kNamedPipe)

HEDDLE_REFUSED(sem_open, kSemaphore)
HEDDLE_REFUSED(pthread_mutex_setprioceiling, kPriority)

// vfork's child runs on its parent's stack: only a jump may lead there, so that no frame of ours is left to be returned to.
extern "C" __attribute__((weak)) int heddle_asan_vfork() asm("___interceptor_vfork");
HEDDLE_SHIM int heddle_refused_vfork() asm("vfork");
int heddle_refused_vfork() {
  if (current_thread() != nullptr) refuse("vfork", HEDDLE_HERE, kProcess);
  static constinit int (*real)() = nullptr;
  if (real == nullptr) {
    real = &heddle_asan_vfork != nullptr ? &heddle_asan_vfork : reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "vfork"));
  }
  [[clang::musttail]] return real();
}

// The forms with a list of arguments, ended by a null pointer; execle has the environment behind it.
#define HEDDLE_REFUSED_LIST(name, call)                                                       \
  HEDDLE_SHIM int name(const char* path, const char* first, ...) noexcept {                   \
    if (current_thread() != nullptr) refuse(#name, HEDDLE_HERE, kProcess);                    \
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

HEDDLE_REFUSED_LIST(execl, execv(path, const_cast<char* const*>(arguments)))
HEDDLE_REFUSED_LIST(execlp, execvp(path, const_cast<char* const*>(arguments)))
HEDDLE_REFUSED_LIST(execle, execve(path, const_cast<char* const*>(arguments), va_arg(list, char* const*)))
