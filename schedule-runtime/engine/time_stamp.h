// The processor's time stamp counter (rdtsc, rdtscp), which a program may read without a call that heddle could stand in for: Abseil does, for its
// clock. In an execution the kernel makes the instruction fault (PR_SET_TSC), and it finds virtual time, a tick for each nanosecond.
//
// Only where code of the process has such an instruction, for asking the kernel costs two system calls for each execution, which are dear in virtual
// machines. x86-64 only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

class TimeStamp {
 public:
  // Looks for the instruction in all modules. To be called once, before the first execution.
  void initialise();
  // The calling thread runs a program, or no longer does.
  void trap(bool on) {
    if (__builtin_expect(present_, 0)) set(on);
  }
  // The program handles such faults itself from now on, to the end of the execution: they must not come.
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

  bool present_ = false, trapped_ = false, given_up_ = false;
};

// Does the code read the counter? It must also make one number of the two halves nearby, as all compilers do: the two bytes of the instruction alone
// occur by chance, ten times in a megabyte.
bool reads_time_stamp(const unsigned char* code, size_t size);

extern constinit TimeStamp g_time_stamp;
inline TimeStamp& time_stamp() { return g_time_stamp; }

}  // namespace heddle::rt
