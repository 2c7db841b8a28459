// Fibers on donated pthreads.
//
// A donor is a real pthread. It publishes its thread pointer and its stack, and then parks in a futex permanently. A fiber runs on the
// donor's stack, with the donor's thread pointer, but on the kernel thread of the fuzzing engine (the root). So a fiber has its own
// thread-locals, errno, pthread_self(), malloc caches, C++ exceptions and ASan stack bounds. A switch costs only a function call. See
// docs/design/runtime-laws.md#fibers.
//
// Everything here runs on the fuzzing engine's kernel thread. One Fiber object is one donor. It lives as long as the process, and serves
// one fiber after the other.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "base/address_layout.h"

namespace heddle::fiber {

struct Fiber;

using Entry = void (*)(void* argument);

// Called on the fuzzing engine's own thread, before the first execution (under AFL++: after the fork). Makes the calling thread root().
// Idempotent.
void initialise();

// Creates this many donors in advance. A process that was forked by the kernel alone can use them, too, because a fiber needs only a
// donor's stack and thread-local block, not its kernel thread. (After the C library's fork(), libc reuses the memory of the parent's
// threads.)
void provide_donors(size_t count);

Fiber* root();
Fiber* current();

// A donor whose next run will be entry(argument), with fresh thread-locals. Always the free donor with the lowest number, so that the n-th
// thread of every execution gets the same stack. As for a real thread, the floating-point control words are the caller's. nullptr if the
// system allows no more threads. When the entry returns, the fiber continues in the finish handler. `stack` is the number of bytes that the
// thread must have; 0 for the usual size.
Fiber* acquire(Entry entry, void* argument, size_t stack = 0);

void switch_to(Fiber* to);
[[noreturn]] void exit_to(Fiber* to);

// Returns it to the pool. The fiber is finished, was never started, or is abandoned during its run. It is never the current one.
void release(Fiber* fiber);

// Called on the fiber, at its base frame, when its entry has returned or was unwound. It must end with exit_to(). Default:
// run_thread_exit() (thread_exit.h), then exit_to(root()).
using Finish = void (*)(Fiber* fiber);
void set_finish(Finish finish);

// For pthread_exit: unwinds the current fiber to its base frame and runs the C++ clean-ups on the way, as glibc does. Then continues as if
// the entry had returned.
[[noreturn]] void unwind_current_to_base();

pthread_t handle(const Fiber* fiber);
void* stack_low(const Fiber* fiber);
void* stack_high(const Fiber* fiber);
// Where the frames of the entry begin. Frames above, of the C library and the sanitizers, differ between builds.
void* stack_base(const Fiber* fiber);
// The fiber whose stack contains this address. nullptr: no fiber's, or the stack is not in the common range.
Fiber* with_stack(uintptr_t address);
// False: certainly not.
inline bool may_be_stack(uintptr_t address) { return address - rt::address_layout().stacks < rt::address_layout().stacks_size; }
bool finished(const Fiber* fiber);
// Number in the pool; the root is 0.
size_t number(const Fiber* fiber);

// One pointer for the use of the engine.
void set_tag(Fiber* fiber, void* tag);
void* tag(const Fiber* fiber);

// Where a suspended fiber would continue. For stacks in reports.
struct Position {
  void* program_counter;
  void* frame_pointer;
  void* stack_pointer;
};
Position position(const Fiber* fiber);
// The frame in which a suspended fiber's registers are saved (context.h).
const void* saved_registers(const Fiber* fiber);

// The number of all donors ever made, and of those that serve a fiber now.
size_t donor_count();
size_t live_count();

// For a fiber that never began. Its stack is still empty, so the argument that the program passed to it must not count as leaked.
void ignore_leak(const void* object);

// Memory that is reachable only from the words in [begin, begin + size) must not count as leaked: heddle is about to overwrite these words.
void ignore_leaks_behind(const void* begin, size_t size);
// The same for the current fiber's thread-locals and keys. In a real process, those of the first thread live to the end.
void ignore_leaks_of_thread_locals();

// Called before a leak check in the middle of an execution (an exit() inside the target). What live fibers hold must not count as leaked.
void ignore_leaks_of_live_fibers();

}  // namespace heddle::fiber
