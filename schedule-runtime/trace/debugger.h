// Where a debugger can stop an execution, and what it can read there. The names are C names, and the data have a fixed form without pointers to
// types of heddle: so scripts need no debug information of the runtime (scripts/gdb/heddle_gdb.py reads them by symbol).
//
//   heddle_on_execution()   an execution begins
//   heddle_on_operation()   the operation with the asked-for step is done; called on its thread
//   heddle_on_finding()     a finding's report has been printed; the threads are still where they were
//
// Break on any of them. Unless a debugger asks for a step, operations call nothing.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// One controlled thread. A script reads these 160 bytes as little-endian words; the order is part of heddle_debug_version.
struct heddle_debug_thread {
  uint32_t index;           // as in the trace
  uint32_t state;           // HeddleDebugState
  uint64_t saved_registers; // a parked thread's stack pointer: the frame that fiber/context.h describes
  uint64_t pc;              // of its pending or latest operation, a return address; 0: none yet
  uint64_t object;          // address of the operation's object; 0: none
  uint64_t stack_low, stack_high;
  char name[64];            // its lineage, main.0.1; cut if longer
  char operation[48];       // kind of that operation, in the words of a trace
};

enum HeddleDebugState : uint32_t { kDebugRunning, kDebugParked, kDebugNotBegun, kDebugFinished };

struct heddle_debug_position {
  uint64_t execution;       // of this process, from 1
  uint32_t step;            // of the latest operation, as in reports
  uint32_t previous_step;   // of the one before it; 0: none
  uint32_t thread;          // index of the latest operation's thread
  uint32_t threads;         // entries in heddle_debug_threads
};

extern uint32_t heddle_debug_version;
extern uint32_t heddle_debug_stop_step;  // stop after the first operation with this step or a later one. A debugger sets it; initially none
extern heddle_debug_position heddle_debug_now;
extern heddle_debug_thread heddle_debug_threads[];
extern const char* heddle_debug_finding;  // its name, in heddle_on_finding()

// Brings the data above up to date. To be called by a debugger that has stopped anywhere else in an execution, such as at a signal.
void heddle_debug_look();

void heddle_on_execution();
void heddle_on_operation();
void heddle_on_finding();
}

namespace heddle::rt::debugger {

inline constexpr uint32_t kNoStop = 0xFFFFFFFFu;
inline constexpr size_t kMostThreads = 1024;

// The engine tells how to fill the data.
void set_view(void (*look)());
// Calls heddle_on_finding().
void finding(const char* name);

}  // namespace heddle::rt::debugger
