#include "fiber/donor.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/afl.h"
#include "base/check.h"
#include "base/raw_syscall.h"
#include "fiber/context.h"
#include "fiber/donor_stack.h"
#include "fiber/thread_locals.h"
#include "fiber/thread_pointer_trap.h"

// heddle's own pthread_create hides the sanitizer's and libc's. The sanitizer's must be called, because it must see a donor begin to know
// its stack. The sanitizer then calls libc's.
using ThreadCreation = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
extern "C" {
int ___interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)
    __attribute__((weak));
int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)
    __attribute__((weak));
}

namespace heddle::fiber {

namespace {

constinit ThreadCreation create_thread = nullptr;

// The distance between the parked frame and the base frame of its fibers. Larger than any red zone.
constexpr uintptr_t kGap = 512;
constexpr size_t kKernelSigsetSize = 8;
constexpr size_t kSmallestStack = 1 << 20, kDefaultStack = 8 << 20;

// A raw system call: libc would not block the signals that it uses itself, but no signal may reach a donor.
uint64_t block_all_signals() {
  uint64_t all = ~0ull, before = 0;
  rt::raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, rt::word(&all), rt::word(&before),
                  kKernelSigsetSize);
  return before;
}

// AFL++ stops and continues its target between two runs, which wakes each of its threads. So under AFL++ a donor's kernel thread ends after
// it has parked. Its stack and its thread-local block, which fibers use, remain. For libc the thread is still alive, because the kernel is
// told to report the end to no one.
bool leaves_the_kernel() {
  if (!rt::afl_linked()) return false;
  constexpr size_t kRobustListHeadSize = 24;
  rt::raw_syscall(SYS_set_tid_address, 0);
  rt::raw_syscall(SYS_set_robust_list, 0, kRobustListHeadSize);
  return true;
}

void* donate(void* argument) {
  block_all_signals();
  // The name shown by `ps` and debuggers.
  rt::raw_syscall(SYS_prctl, PR_SET_NAME, rt::word("heddle-donor"));
  auto* fiber = static_cast<Fiber*>(argument);
  fiber->handle = pthread_self();
  fiber->kernel_thread = rt::raw_syscall(SYS_gettid);
  fiber->thread_pointer = context::thread_pointer();
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(fiber->handle, &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
  }
  fiber->stack_low = low;
  fiber->stack_high = static_cast<char*>(low) + size;
  rt::check(low != nullptr && thread_locals::take_snapshot(fiber), "no memory for a new thread");
  heddle_fiber_park(&fiber->parked, &fiber->stack_pointer, leaves_the_kernel());
}

}  // namespace

size_t usual_stack() {
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return kDefaultStack;
  const bool sane = limit.rlim_cur >= kSmallestStack && limit.rlim_cur <= kLargestStack;
  return sane ? limit.rlim_cur & ~size_t{4095} : kDefaultStack;
}

void find_thread_creation() {
  if (create_thread != nullptr) return;
  if (___interceptor_pthread_create != nullptr) {
    create_thread = ___interceptor_pthread_create;
  } else if (__interceptor_pthread_create != nullptr) {
    create_thread = __interceptor_pthread_create;
  } else {
    create_thread = reinterpret_cast<ThreadCreation>(dlsym(RTLD_NEXT, "pthread_create"));
  }
}

bool make_donor(Fiber* fiber, size_t stack) {
  pthread_attr_t attributes;
  if (create_thread == nullptr || pthread_attr_init(&attributes) != 0) return false;
  // The donor's own part of the stack is not the program's.
  constexpr size_t kOwn = 1 << 16;
  const size_t usual = usual_stack();
  const size_t size = stack > usual ? (stack + kOwn + 4095) & ~size_t{4095} : usual;
  if (void* const low = donor_stack(fiber->number, size)) pthread_attr_setstack(&attributes, low, size);
  else pthread_attr_setstacksize(&attributes, size);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // The new thread inherits the mask. So no signal reaches it before it has blocked signals itself.
  const KernelKnows known;
  uint64_t mask = block_all_signals();
  pthread_t handle;
  const int error = create_thread(&handle, &attributes, &donate, fiber);
  rt::raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, rt::word(&mask), 0, kKernelSigsetSize);
  pthread_attr_destroy(&attributes);
  if (error != 0) return false;
  while (__atomic_load_n(&fiber->parked, __ATOMIC_ACQUIRE) == 0) {
    rt::raw_syscall(SYS_futex, rt::word(&fiber->parked), FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0);
  }
  const auto parked_at = reinterpret_cast<uintptr_t>(fiber->stack_pointer);
  fiber->base = reinterpret_cast<void*>((parked_at - kGap) & ~uintptr_t{63});
  fiber->stack_pointer = fiber->base;
  return true;
}

}  // namespace heddle::fiber
