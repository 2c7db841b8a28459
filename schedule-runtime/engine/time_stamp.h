// The processor's time stamp counter (rdtsc, rdtscp) in code that heddle has not compiled; in the target's sources the instruction is a call
// of heddle (heddle/detail/time_stamp_calls.h). In an execution, the kernel makes the instruction fault (PR_SET_TSC), and the handler
// supplies virtual time: one tick for each nanosecond.
//
// Only if code of the process has such an instruction: switching the trap costs two system calls for each execution, and these are slow in
// virtual machines. x86-64 only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

class TimeStamp {
 public:
  // Searches all modules for the instruction. Called once, before the first execution.
  void initialise();
  // The calling thread begins or stops running the program.
  void trap(bool on) {
    if (__builtin_expect(present_, 0)) set(on);
  }
  // From now on the program handles such faults itself. So the trap is off until the end of the execution.
  void give_up() {
    trap(false);
    given_up_ = true;
  }
  void execution_ended() {
    trap(false);
    given_up_ = false;
  }

 private:
  void set(bool on);

  bool present_ = false, tried_ = false, trapped_ = false, given_up_ = false;
};

// True if the code reads the counter. It must also combine the two halves nearby, as all compilers do. The two bytes of the instruction
// alone occur by chance, ten times in a megabyte.
bool reads_time_stamp(const unsigned char* code, size_t size);

extern constinit TimeStamp g_time_stamp;
inline TimeStamp& time_stamp() { return g_time_stamp; }

}  // namespace heddle::rt
