// Functions of libstdc++'s shared library that end in a pthread call. The position of that call is in the library and the same for every
// use. So these shims store the user's position and then call the library.
#include <dlfcn.h>

#include <condition_variable>
#include <thread>

#include "intercept/outer_place.h"
#include "intercept/real.h"

using namespace heddle::rt;

#define HEDDLE_NOTED(result, mangled, parameters, arguments)                                     \
  HEDDLE_SHIM result mangled parameters {                                                        \
    static const auto real = reinterpret_cast<result(*) parameters>(dlsym(RTLD_NEXT, #mangled)); \
    const Place here = HEDDLE_HERE;                                                              \
    const OuterPlace place(here.pc, here.frame);                                                 \
    return real arguments;                                                                       \
  }

// The mangled name is written by hand, because a definition under the C++ name would need private parts of the library.
HEDDLE_NOTED(void, _ZNSt6thread4joinEv, (std::thread * self), (self))
HEDDLE_NOTED(void, _ZNSt6thread6detachEv, (std::thread * self), (self))
// The state's unique_ptr is passed by invisible reference.
HEDDLE_NOTED(void, _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE,
             (std::thread * self, void* state, void (*depend)()), (self, state, depend))
HEDDLE_NOTED(void, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE,
             (std::condition_variable * self, std::unique_lock<std::mutex>* lock), (self, lock))
HEDDLE_NOTED(void, _ZNSt18condition_variable10notify_oneEv, (std::condition_variable * self), (self))
HEDDLE_NOTED(void, _ZNSt18condition_variable10notify_allEv, (std::condition_variable * self), (self))
// A time point is one 64-bit number, returned in a register.
HEDDLE_NOTED(int64_t, _ZNSt6chrono3_V212steady_clock3nowEv, (), ())
HEDDLE_NOTED(int64_t, _ZNSt6chrono3_V212system_clock3nowEv, (), ())
