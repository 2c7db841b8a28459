// How a process ends after a report, so that every engine saves the input (docs/design/engines.md#how-a-finding-is-saved).
#pragma once

namespace heddle::rt {

// False: another thread of the process is reporting already.
bool acquire_crash_state();

// libFuzzer: its own death callback, which writes the artifact, then exit code 77. Any other engine, or none: SIGABRT with its
// default action.
[[noreturn]] void die();
// The engine is about to save the input: by die(), or in its own handler of a fatal signal. It allocates, and a crash may have left the
// allocator locked: so it has a time limit, whose end comes as SIGALRM; a short one if it is probably so.
void begin_saving(bool allocator_may_be_locked = false);
bool saving();
// It is not about to: the process goes on.
void give_up_saving();

// The harness saves the run so far: called by die(), and when a report is about what the target then dies of by itself.
void set_death_hook(void (*hook)());
void run_death_hook();

// What the harness does when the engine itself fails to save the input. It must not allocate.
void set_rescue(void (*rescue)());
void rescue();

// In a process that is not the engine's: what it does instead of dying in the engine's way. It does not return.
void set_last_act(void (*act)());
bool has_last_act();

// Whether libFuzzer's death callback is in this process.
bool libfuzzer_linked();
// It saves the input, and returns. Without libFuzzer nothing happens.
void call_libfuzzer();

}  // namespace heddle::rt
