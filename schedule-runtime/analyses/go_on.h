// What follows a failure of the program's own: an assertion, a crash, a sanitizer's report. The process dies of it. But with exit_on_finding=0, and after
// a finding that is known, only the execution ends there, where that is possible.
#pragma once

#include <cstdint>

namespace heddle::rt {

// Of the present execution; forgotten when the next one begins.
//
// False: its failure has been told already. What fails while it is told is not a new failure.
bool begin_own_failure();
bool own_failure_told();
// Its report, with a header and a summary, is on stderr.
void note_own_failure_printed();
bool own_failure_printed();
void forget_own_failure();

// report() says what it has made of the failure.
enum class After : uint8_t {
  dies,     // as the program would by itself
  goes_on,  // the user wants to go on
  known,    // the same, and there is nothing more to say about the failure
};
void set_after_own_failure(After after);
bool after_known_failure();
bool goes_on_after_own_failure();

// Whether the failure interrupts a function of the C library: that may hold a lock, which would be held without end.
bool interrupts_libc(uintptr_t pc);

// Ends the execution, and does not return if the process goes on: with the next execution, or as one of many that had their own. `pc`: where the
// failing call returns to, or the instruction that failed. If the process cannot go on, says why in one line, and returns.
void go_on_after(uintptr_t pc);
// The same where it can only go on in another process.
void go_on_elsewhere(const char* why);

}  // namespace heddle::rt
