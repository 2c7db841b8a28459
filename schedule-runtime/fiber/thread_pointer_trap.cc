#include "fiber/thread_pointer_trap.h"

#include "fiber/context.h"

namespace heddle::fiber {

constinit ThreadPointerTrap g_thread_pointer_trap;

}  // namespace heddle::fiber

#if defined(__x86_64__)

#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "base/fault.h"
#include "base/process_exit.h"
#include "base/raw_syscall.h"
#include "fiber/donor.h"

namespace heddle::fiber {
namespace {

constexpr unsigned long kFsgsbase = 1 << 1;  // HWCAP2_FSGSBASE
constexpr uintptr_t kSetFs = 0x1002;         // ARCH_SET_FS
// Larger than twice any thread-local block: thread-locals lie on both sides of the thread pointer.
constexpr size_t kReach = size_t{1} << 26;

constinit uintptr_t g_forbidden = 0;
constinit bool g_instruction_works = true;

// From the first line to the last, the thread pointer is not what it should be. So no function of the C library is called here, and nothing that
// could use a thread-local.

void tell_kernel(uintptr_t value) { rt::raw_syscall(SYS_arch_prctl, kSetFs, value); }
void write(uintptr_t value) { asm volatile("wrfsbase %0" ::"r"(value) : "memory"); }
uintptr_t read() {
  uintptr_t value;
  asm volatile("rdfsbase %0" : "=r"(value));
  return value;
}

[[gnu::noinline]] void tell_kernel_otherwise(uintptr_t own) {
  tell_kernel(g_forbidden + kReach / 2);
  write(own);
}

// True if after a sleep the thread pointer is what the kernel was told, or still what was written.
[[gnu::noinline]] bool kernel_is_as_expected() {
  const uintptr_t own = context::thread_pointer();
  const uint64_t all = ~0ull;
  uint64_t before = 0;
  const timespec short_time = {0, 20'000};
  rt::raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, rt::word(&all), rt::word(&before), sizeof all);
  tell_kernel_otherwise(own);
  rt::raw_syscall(SYS_nanosleep, rt::word(&short_time));
  const uintptr_t now = read();
  tell_kernel(own);
  rt::raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, rt::word(&before), 0, sizeof all);
  return now == own || now == g_forbidden + kReach / 2;
}

// wrfsbase of a 64-bit register has five bytes, as rdfsbase has.
void skip_instruction(int, siginfo_t*, void* context) {
  g_instruction_works = false;
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] += 5;
}

bool instruction_works() {
  struct sigaction skip = {}, before = {};
  skip.sa_sigaction = skip_instruction;
  skip.sa_flags = SA_SIGINFO;
  if (sigaction(SIGILL, &skip, &before) != 0) return false;
  const uintptr_t own = context::thread_pointer();
  if (read() != own) g_instruction_works = false;
  if (g_instruction_works) write(own);
  sigaction(SIGILL, &before, nullptr);
  return g_instruction_works;
}

bool debugged() {
  const long file = rt::raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), rt::word("/proc/self/status"), O_RDONLY);
  if (file < 0) return false;
  char text[4096];
  const long size = rt::raw_syscall(SYS_read, static_cast<uintptr_t>(file), rt::word(text), sizeof text - 1);
  rt::raw_syscall(SYS_close, static_cast<uintptr_t>(file));
  if (size <= 0) return false;
  text[size] = 0;
  const char* const tracer = strstr(text, "TracerPid:\t");
  return tracer != nullptr && tracer[strlen("TracerPid:\t")] != '0';
}

bool mend(int signal, const siginfo_t* info, void*) {
  if (signal != SIGSEGV || reinterpret_cast<uintptr_t>(info->si_addr) - g_forbidden >= kReach || !thread_pointer_trap().on()) return false;
  write(current()->thread_pointer);
  return true;
}

}  // namespace

void ThreadPointerTrap::look(bool even_if_offered) {
  if ((getauxval(AT_HWCAP2) & kFsgsbase) != 0 && !even_if_offered) {
    heddle_fiber_use_wrfsbase = 1;
    return;
  }
  if (g_forbidden != 0 || debugged() || !instruction_works()) return;
  const long memory = rt::raw_syscall(SYS_mmap, 0, kReach, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, ~0ul, 0);
  if (memory < 0 && memory > -4096) return;
  g_forbidden = static_cast<uintptr_t>(memory);
  possible_ = kernel_is_as_expected() && rt::add_fault_mender(mend);
  // LeakSanitizer's own handler was registered earlier, so it comes later. It makes a thread that has this thread's pointer.
  // (Without an argument, it is not taken for a destructor of the program's.)
  if (possible_) __cxa_atexit([](void*) { thread_pointer_trap().set(false); }, nullptr, &__dso_handle);
}

void ThreadPointerTrap::change(bool on) {
  if (on == on_ || !rt::g_faults_are_mended || (on && given_up_)) return;
  const uintptr_t own = context::thread_pointer();
  if (own != current()->thread_pointer) return;
  if (on) {
    on_ = true;
    heddle_fiber_use_wrfsbase = 1;
    tell_kernel_otherwise(own);
  } else {
    tell_kernel(own);
    heddle_fiber_use_wrfsbase = 0;
    on_ = false;
  }
}

void ThreadPointerTrap::spring() {
  if (on_) write(g_forbidden + kReach / 2);
}

}  // namespace heddle::fiber

#else

namespace heddle::fiber {

void ThreadPointerTrap::look(bool) {}
void ThreadPointerTrap::change(bool) {}
void ThreadPointerTrap::spring() {}

}  // namespace heddle::fiber

#endif
