// The end of an execution whose body is a whole program: exit() and similar calls end the execution, as they would end the process.
//
// As in a process, the other threads still run during the exit handlers, and there is a choice point after each handler. A thread that uses an object
// that a handler has destroyed is a bug of the program. After the handlers the threads end, wherever they are.
#pragma once

#include <string_view>

#include "engine/engine.h"

namespace heddle::rt {

// There is a main() in this binary, and no harness (LLVMFuzzerTestOneInput) beside it. A constant of the link.
bool program_target();

// What getpid() says in an execution of it, the same in every process.
inline constexpr int kProgramProcess = 4242;
inline constexpr std::string_view kProgramProcessPath = "/proc/4242";

// The body of this execution, which has just begun, is a whole program.
void begin_program();
// Is the calling thread a controlled one of such an execution?
bool in_program();

enum class Ending {
  handlers,        // exit(), or main has returned
  quick_handlers,  // quick_exit()
  at_once,         // _exit(): what stdio has not written is lost
};

// Ends the execution. The status is what it then returns from the engine (last_body_result()). `how` in words, for a report.
[[noreturn]] void exit_program(int status, Ending ending, Place place, const char* how);

// The last thread of a program ends, main with pthread_exit(): the process ends as by exit(0). Returns in other executions.
void last_thread_of_program_ends(const Thread& t);

// Called once, before the handlers' output is flushed: streams that the C library does not know.
void set_stream_flush(void (*flush)());

}  // namespace heddle::rt
