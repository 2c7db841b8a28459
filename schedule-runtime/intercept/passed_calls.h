// What heddle did not control, for the account (HEDDLE_OPTIONS=account=1): calls that its shims passed on to the C library during an execution,
// and threads that were started outside of executions.
#pragma once

#include <cstdint>

namespace heddle::rt {

// One for each shim; lives in it.
struct PassedCall {
  const char* name;
  uint64_t controlled = 0;  // by a controlled thread, after the shim had looked at the call
  uint64_t foreign = 0;     // by a thread that heddle does not control
  PassedCall* next = nullptr;
  bool listed = false;
};

extern constinit bool counting_passed_calls;
void count_passed_call(PassedCall& call);
// In the order of their first count.
const PassedCall* passed_calls();

// Threads that the program started where nothing is controlled: before the first execution (constructors, LLVMFuzzerInitialize), or
// from a foreign thread. The engine's own are not among them. `pc`: where the shim was called from.
void note_foreign_thread(uintptr_t pc);
// Between the program's initialisation and the first execution only the engine starts threads.
void engine_starts_threads(bool yes);
// Where the first of them were created, at most kNamedForeignThreads: return addresses, the program's own where one was on the stack. `count` is of all.
inline constexpr uint32_t kNamedForeignThreads = 16;
const uintptr_t* foreign_threads(uint32_t& count);

}  // namespace heddle::rt
