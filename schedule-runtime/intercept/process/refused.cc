// Calls that would stop all threads, leave the execution, or give a controlled thread a wrong result. In an execution they are refused,
// with one line that says what to do instead. Outside they are passed on (libFuzzer itself forks and runs commands).
//
// Only the public names are refused: calls inside libc (the fork in popen) do not come here. Calls that are only sometimes a problem (poll,
// read) are in descriptors/io.cc and descriptors/wait.cc.
#include <unistd.h>

#include "fiber/thread_pointer_trap.h"
#include "intercept/process/refused_calls.h"
#include "intercept/process/same_identity.h"
#include "intercept/refuse.h"
#include "intercept/word_call.h"

using namespace heddle::rt;

#define HEDDLE_REFUSED(name, advice) \
  HEDDLE_WORD_SHIM(name, {                                                            \
    if (current_thread() != nullptr && keeps_identity(#name, a, b, c)) return 0;      \
    if (current_thread() != nullptr) refuse(#name, HEDDLE_HERE, advice);              \
    heddle::fiber::thread_pointer_trap().set(false); /* daemon() makes a process */   \
  })

HEDDLE_REFUSED_CALLS(HEDDLE_REFUSED)
