// Fibers on donated pthreads.
//
// A donor is a real pthread that published its thread pointer and its stack, and then parked in a
// futex for good. A fiber runs on the donor's stack with the donor's thread pointer, but on the
// kernel thread of the engine (the root). So it has its own thread-locals, errno, pthread_self(),
// malloc caches, C++ exceptions and ASan stack bounds, and a switch costs only a function call. See
// docs/design/runtime-laws.md#fibers.
//
// Everything here runs on the engine's kernel thread. One Fiber object is one donor: it lives as
// long as the process, and serves one fiber after the other.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace heddle::fiber {

struct Fiber;

// Where stacks lie (donor_stack.h).
inline constexpr uintptr_t kStacksBegin = 0x6a0000000000, kStacksSize = uintptr_t{1} << 42;

using Entry = void (*)(void* argument);

// Once, on the engine's own thread, before the first execution (under AFL++: after the fork).
// Adopts the calling thread as root(). Idempotent.
void initialise();

// So many donors are there before they are asked for. A process that the kernel alone has forked (no fork() of the C library, which takes
// back what is a dead thread's for it) has them, too: a fiber needs a donor's stack and thread-local block, not its kernel thread.
void provide_donors(size_t count);

Fiber* root();
Fiber* current();

// A donor whose next run will be entry(argument), with fresh thread-locals. Always the free donor
// with the lowest number, so that the n-th thread of every execution gets the same stack. The
// floating-point control words are the caller's, as with a real thread. nullptr when the system
// gives no more threads. When the entry returns, the fiber goes on in the finish handler.
// `stack`: the bytes that the thread must have; 0 for the usual size.
Fiber* acquire(Entry entry, void* argument, size_t stack = 0);

void switch_to(Fiber* to);
[[noreturn]] void exit_to(Fiber* to);

// Back to the pool: a fiber that is finished, was never started, or is abandoned in the middle of
// its run. Never the current one.
void release(Fiber* fiber);

// Called on the fiber, at its base frame, when its entry has returned or was unwound; it must end
// in exit_to(). Without one: run_thread_exit() (thread_exit.h), then exit_to(root()).
using Finish = void (*)(Fiber* fiber);
void set_finish(Finish finish);

// For pthread_exit: unwinds the current fiber to its base frame, running the C++ cleanups on the
// way as glibc does, then goes on as if the entry had returned.
[[noreturn]] void unwind_current_to_base();

pthread_t handle(const Fiber* fiber);
void* stack_low(const Fiber* fiber);
void* stack_high(const Fiber* fiber);
// Where the frames of what it runs begin. What lies above, the C library's and the sanitizers', differs from build to build.
void* stack_base(const Fiber* fiber);
// The fiber that has this address on its stack; nullptr: none has, or its stack found no room among the others.
Fiber* with_stack(uintptr_t address);
// False: certainly not.
inline bool may_be_stack(uintptr_t address) { return address - kStacksBegin < kStacksSize; }
bool finished(const Fiber* fiber);
// Position in the pool; the root is 0.
size_t number(const Fiber* fiber);

// A slot for the engine.
void set_tag(Fiber* fiber, void* tag);
void* tag(const Fiber* fiber);

// Where a fiber that does not run right now would go on: for stacks in reports.
struct Position {
  void* program_counter;
  void* frame_pointer;
  void* stack_pointer;
};
Position position(const Fiber* fiber);

// All donors ever made, and those that serve a fiber right now.
size_t donor_count();
size_t live_count();

// A fiber that never began had nothing on its stack yet: what its program was to give it is not leaked.
void ignore_leak(const void* object);

// What only the words in [begin, begin + size) lead to is not leaked: they are about to be overwritten by us.
void ignore_leaks_behind(const void* begin, size_t size);
// Nor what the current fiber's thread-locals and keys do: in a real process the first thread's last as long as that.
void ignore_leaks_of_thread_locals();

// To be called before a leak check that happens in the middle of an execution (an exit() inside
// the target): what live fibers hold is not leaked.
void ignore_leaks_of_live_fibers();

}  // namespace heddle::fiber
