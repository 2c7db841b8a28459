// swapcontext and setcontext. (getcontext returns twice, and makecontext only prepares: libc alone handles both.)
//
// The shims jump to the real functions, which save the position of the call. Another thread may be the one that returns there.
#include <ucontext.h>

#include "intercept/descriptors/file_call.h"
#include "primitives/stack_switch.h"

using namespace heddle::rt;

namespace {

using Swap = int(ucontext_t*, const ucontext_t*);
using Set = int(const ucontext_t*);

template <typename Function>
Function* next(const char* name, Function* asan) {
  return asan != nullptr ? asan : reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// The first registers represent everything in a context.
void context_accessed(const ucontext_t* context, bool write, Place place) {
  constexpr size_t kEnough = 64;
  if (asked_by_program(place)) library_accesses(&context->uc_mcontext, HEDDLE_BYTES(kEnough), write, place);
}

// `save`: null if nothing is saved. (If the shim made the Place itself, it would be alive at the jump.)
void switches(const ucontext_t* save, const ucontext_t* go_on, void* pc, void* frame) {
  const Place place = {reinterpret_cast<uintptr_t>(pc), reinterpret_cast<uintptr_t>(frame)};
  if (in_company()) primitives::stack_switch(save != nullptr ? save : go_on, save != nullptr, place);
  if (save != nullptr) context_accessed(save, true, place);
  context_accessed(go_on, false, place);
}

}  // namespace

extern "C" __attribute__((weak)) Swap ___interceptor_swapcontext;

HEDDLE_SHIM int heddle_swapcontext(ucontext_t* save, const ucontext_t* go_on) asm("swapcontext");
int heddle_swapcontext(ucontext_t* save, const ucontext_t* go_on) {
  static constinit Swap* real = nullptr;
  if (real == nullptr) real = next("swapcontext", &___interceptor_swapcontext);
  switches(save, go_on, __builtin_return_address(0), __builtin_frame_address(0));
  [[clang::musttail]] return real(save, go_on);
}

HEDDLE_SHIM int heddle_setcontext(const ucontext_t* go_on) asm("setcontext");
int heddle_setcontext(const ucontext_t* go_on) {
  static constinit Set* real = nullptr;
  if (real == nullptr) real = next<Set>("setcontext", nullptr);
  switches(nullptr, go_on, __builtin_return_address(0), __builtin_frame_address(0));
  [[clang::musttail]] return real(go_on);
}
