// What heddle did not control, for the account (HEDDLE_OPTIONS=account=1): calls that its shims passed to the C library during an
// execution, and threads that were started outside of executions.
#pragma once

#include <cstdint>

namespace heddle::rt {

// One for each shim, stored in the shim.
struct PassedCall {
  const char* name;
  uint64_t controlled = 0;  // by a controlled thread, after the shim had examined the call
  uint64_t foreign = 0;     // by a thread that heddle does not control
  PassedCall* next = nullptr;
  bool listed = false;
};

extern constinit bool counting_passed_calls;
void count_passed_call(PassedCall& call);
// In the order in which they were first counted.
const PassedCall* passed_calls();

// Threads that the program started outside of control: before the first execution (constructors, LLVMFuzzerInitialize), or on a foreign
// thread. The fuzzing engine's threads are not included. `pc` is where the shim was called.
void note_foreign_thread(uintptr_t pc);
// Between the program's initialisation and the first execution, only the fuzzing engine starts threads.
void engine_starts_threads(bool yes);
// Return addresses where the first of them were created, at most kNamedForeignThreads. They are in the program's code if it was on the
// stack. `count` is the number of all.
inline constexpr uint32_t kNamedForeignThreads = 16;
const uintptr_t* foreign_threads(uint32_t& count);

}  // namespace heddle::rt
