// Switches without a system call where the kernel wants to be asked for each change of the thread pointer: x86-64 whose kernel does not offer FSGSBASE.
// Some virtual machines are like this, and there the call takes microseconds.
//
// The instruction that writes the thread pointer (wrfsbase) may work all the same. But whenever the kernel has run something else in between, it puts
// back the value that it was told last. So the kernel is told an address in the middle of memory that nobody may access. Then the first use of a
// thread-local after such a moment faults, and the handler (base/fault.h) writes the current fiber's thread pointer again. That happens some hundred
// times a second.
//
// It stays on between executions, because telling the kernel costs as much as the rest of a short execution. The kernel must know the truth where
// SIGSEGV may be blocked, as the C library does while it makes a thread or a process, and where a process ends, which may look for leaks.
//
// Not possible: where the instruction does not work, and under a debugger, which would see each of these faults. While the program handles SIGSEGV
// itself, and before heddle's handlers are there, switches ask the kernel.
#pragma once

namespace heddle::fiber {

class ThreadPointerTrap {
 public:
  // Finds out whether this is such a machine. Called on the root. `even_if_offered`: for tests, which shall not depend on the machine.
  void look(bool even_if_offered = false);
  // Off: until an execution begins. On other kernel threads than the root's, without effect.
  void set(bool on) {
    if (__builtin_expect(possible_, 0)) change(on);
  }
  // From now on the program handles such faults itself. So it is off until the next execution.
  void give_up() {
    set(false);
    given_up_ = true;
  }
  // For good: code outside of executions has taken these faults, or has blocked them.
  void forbid() {
    set(false);
    possible_ = false;
  }
  void begin_execution() {
    given_up_ = false;
    set(true);
  }

  bool possible() const { return possible_; }
  bool on() const { return on_; }
  // For tests: what the kernel does when it has run something else.
  void spring();

 private:
  void change(bool on);

  bool possible_ = false, on_ = false, given_up_ = false;
};

extern constinit ThreadPointerTrap g_thread_pointer_trap;
inline ThreadPointerTrap& thread_pointer_trap() { return g_thread_pointer_trap; }

// While one of these lives, the kernel knows the thread pointer. For calls that create threads, and for code that writes the thread pointer of another
// fiber.
class KernelKnows {
 public:
  KernelKnows() : was_on_(thread_pointer_trap().on()) { thread_pointer_trap().set(false); }
  ~KernelKnows() {
    if (was_on_) thread_pointer_trap().set(true);
  }
  KernelKnows(const KernelKnows&) = delete;
  KernelKnows& operator=(const KernelKnows&) = delete;

 private:
  bool was_on_;
};

}  // namespace heddle::fiber
