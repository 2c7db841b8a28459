// A throw, so that reports can say where an exception came from that ends the program elsewhere.
//
// The program's own calls come by the linker's --wrap, in every kind of target. The definition is for throws inside of libstdc++'s shared library, for
// example by vector::at. It is weak, because ASan's runtime and libc++abi's archive have their own. With ASan, the memory of the exception tells where
// the library throws, since ASan has no function of its own for that. So it does for std::make_exception_ptr, which throws nothing.
#include <cstddef>
#include <typeinfo>

#include "base/own_code.h"
#include "engine/engine.h"
#include "intercept/real.h"
#include "trace/own_failure.h"

using namespace heddle::rt;

using Throw = void(void*, std::type_info*, void (*)(void*));
extern "C" __attribute__((weak)) Throw __real___cxa_throw;  // null: linked without --wrap, as in heddle's own tests
static constinit Next<Throw> next_throw{"__cxa_throw"};

static void note(uintptr_t pc, const void* exception) {
  if (current_thread() != nullptr && !of_heddle(pc - 1)) own_failure_sink().throws(pc, exception);
}

using Allocate = void*(size_t);
static constinit Next<Allocate> next_allocate{"__cxa_allocate_exception"};

HEDDLE_SHIM __attribute__((weak)) void* __cxa_allocate_exception(size_t size) {
  void* const exception = next_allocate(size);
  const uintptr_t pc = HEDDLE_HERE.pc;
  if (current_thread() != nullptr && !of_heddle(pc - 1)) own_failure_sink().makes(pc, exception);
  return exception;
}

HEDDLE_SHIM __attribute__((weak, noreturn)) void __cxa_throw(void* exception, std::type_info* type, void (*destroy)(void*)) {
  note(HEDDLE_HERE.pc, exception);
  next_throw(exception, type, destroy);
  __builtin_unreachable();
}

HEDDLE_SHIM __attribute__((noreturn)) void __wrap___cxa_throw(void* exception, std::type_info* type, void (*destroy)(void*)) {
  note(HEDDLE_HERE.pc, exception);
  if (&__real___cxa_throw != nullptr) __real___cxa_throw(exception, type, destroy);
  next_throw(exception, type, destroy);
  __builtin_unreachable();
}
