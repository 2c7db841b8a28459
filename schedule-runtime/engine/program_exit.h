// The end of an execution whose body is a whole program: exit() and similar calls end the execution, as they would end the process.
//
// As in a process, the other threads still run during the exit handlers, and there is a choice point after each handler. A thread that uses an object
// that a handler has destroyed is a bug of the program. After the handlers the threads end, wherever they are.
#pragma once

#include <string_view>

#include "engine/engine.h"

namespace heddle::rt {

// The binary has a main() and no harness (LLVMFuzzerTestOneInput). Fixed at link time.
bool program_target();

// The results of getpid() and getppid() in such an execution. The same in every process of heddle; a child process of the program has
// its own.
struct ProgramProcess {
  int number = 4242, parent = 4241;
};
const ProgramProcess& program_process();
// This process is a child of the one that the program started in.
bool in_child_process();
// This process is now a child of the one that it was.
void become_program_process(int number);

// The execution that has just begun has a whole program as its body.
void begin_program();
// True if the calling thread is a controlled thread of such an execution.
bool in_program();

enum class Ending {
  handlers,        // exit(), or main has returned
  quick_handlers,  // quick_exit()
  at_once,         // _exit(): unwritten stdio buffers are lost
};

// How the program has ended: as waitpid() would tell.
int program_wait_status();

// Ends the execution. `status` becomes the engine's result (last_body_result()). `how` is a phrase for the report.
[[noreturn]] void exit_program(int status, Ending ending, Place place, const char* how);

// The same by a signal, whose default action ends the process.
[[noreturn]] void end_program_by_signal(int number, Place place, const char* how);

// The last thread of a program ends (main with pthread_exit()). That ends the process like exit(0). Returns in other executions.
void last_thread_of_program_ends(const Thread& t);

// Called once, before the handlers' output is flushed. For streams that the C library does not know.
void set_stream_flush(void (*flush)());

}  // namespace heddle::rt
