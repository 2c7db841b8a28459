// The calls that are refused on a controlled thread, and what to do instead. docs/reference/supported-calls.md is generated from this list.
#pragma once

namespace heddle::rt {

inline constexpr char kProcess[] = "all controlled threads share one kernel thread. Do it outside the executions (a harness: in LLVMFuzzerInitialize)";
inline constexpr char kIdentity[] =
    "the runtime's parked threads would never answer. Only a call that changes nothing is possible. "
    "Start the program as that user, with its groups (setpriv), or change it in LLVMFuzzerInitialize";
inline constexpr char kQueue[] = "the scheduler cannot see that it blocks. Use a queue with a mutex and a condition variable";
inline constexpr char kAsynchronous[] = "the C library does it in threads of its own, which heddle does not control. Use a thread of the program";
inline constexpr char kNamedPipe[] = "the scheduler cannot see the wait for the other end. Use pipe() or socketpair()";
inline constexpr char kMachine[] =
    "it changes the machine, also for other processes and after the execution, and clocks are virtual here. Leave it out of the test";
inline constexpr char kPriority[] = "heddle does not model mutex priorities. Use another mutex type";

}  // namespace heddle::rt

// CALL(name, advice): any call with up to six word arguments.
#define HEDDLE_REFUSED_CALLS(CALL) \
  CALL(daemon, kProcess)                                                                                \
  CALL(setuid, kIdentity)                                                                               \
  CALL(setgid, kIdentity)                                                                               \
  CALL(seteuid, kIdentity)                                                                              \
  CALL(setegid, kIdentity)                                                                              \
  CALL(setreuid, kIdentity)                                                                             \
  CALL(setregid, kIdentity)                                                                             \
  CALL(setresuid, kIdentity)                                                                            \
  CALL(setresgid, kIdentity)                                                                            \
  CALL(setgroups, kIdentity)                                                                            \
  CALL(initgroups, kIdentity)                                                                           \
  CALL(msgsnd, kQueue)                                                                                  \
  CALL(msgrcv, kQueue)                                                                                  \
  CALL(semop, kQueue)                                                                                   \
  CALL(semtimedop, kQueue)                                                                              \
  CALL(mq_notify, kQueue)                                                                               \
  CALL(getaddrinfo_a, kQueue)                                                                           \
  CALL(aio_read, kAsynchronous)                                                                         \
  CALL(aio_read64, kAsynchronous)                                                                       \
  CALL(aio_write, kAsynchronous)                                                                        \
  CALL(aio_write64, kAsynchronous)                                                                      \
  CALL(aio_fsync, kAsynchronous)                                                                        \
  CALL(aio_fsync64, kAsynchronous)                                                                      \
  CALL(lio_listio, kAsynchronous)                                                                       \
  CALL(lio_listio64, kAsynchronous)                                                                     \
  CALL(mkfifo, kNamedPipe)                                                                              \
  CALL(mkfifoat, kNamedPipe)                                                                            \
  CALL(clock_settime, kMachine)                                                                         \
  CALL(clock_adjtime, kMachine)                                                                         \
  CALL(settimeofday, kMachine)                                                                          \
  CALL(adjtime, kMachine)                                                                               \
  CALL(adjtimex, kMachine)                                                                              \
  CALL(ntp_adjtime, kMachine)                                                                           \
  CALL(sethostname, kMachine)                                                                           \
  CALL(setdomainname, kMachine)                                                                         \
  CALL(reboot, kMachine)                                                                                \
  CALL(pthread_mutex_setprioceiling, kPriority)
