// system(). The command of a whole program runs to its end in one step, as one operation on files: no other thread runs meanwhile. heddle does not
// control what the command does.
#include <stdlib.h>

#include "engine/program_exit.h"
#include "engine/time_stamp.h"
#include "fiber/thread_pointer_trap.h"
#include "intercept/descriptors/own_path.h"
#include "intercept/refuse.h"

using namespace heddle::rt;

HEDDLE_REAL_OR_ASAN(int, system, (const char*));
HEDDLE_SHIM int system(const char* command) {
  const Place here = HEDDLE_HERE;
  const bool runs = in_program();
  if (current_thread() != nullptr && !runs) {
    refuse("system", here, "all controlled threads share one kernel thread. Do it outside the executions, in LLVMFuzzerInitialize");
  }
  if (runs && command != nullptr) {
    path_read(reinterpret_cast<Word>(command), here);
    file_call(heddle::Kind::file_write, here);
  }
  heddle::fiber::thread_pointer_trap().set(false);
  // The command would inherit it.
  if (runs) time_stamp().trap(false);
  const int answer = real_system(command);
  if (runs) time_stamp().trap(true);
  return answer;
}
