// What ASan knows of its threads. Only its own functions change it. They are in no header, but their names and layouts are the same in clang 14, 16,
// 19 and 22, except where said.
// Where they are missing, as with ASan as a shared library, the report says what it knows of the pool's thread.
#include "base/asan.h"
#include "fiber/sanitizers.h"

namespace heddle::fiber::sanitizers {

// Passed by value to one of the functions.
struct StackTrace {
  const uintptr_t* calls;
  uint32_t count, tag;
};

}  // namespace heddle::fiber::sanitizers

extern "C" {
__attribute__((weak)) unsigned sanitizer_keep_stack(heddle::fiber::sanitizers::StackTrace) __asm__("_ZN11__sanitizer13StackDepotPutENS_10StackTraceE");
__attribute__((weak)) void* asan_thread_registry() __asm__("_ZN6__asan18asanThreadRegistryEv");
__attribute__((weak)) void* asan_thread_by_stack(uintptr_t) __asm__("_ZN6__asan24FindThreadByStackAddressEm");
__attribute__((weak)) void* sanitizer_find_thread(void* registry, unsigned long long kernel_thread) __asm__("_ZN11__sanitizer14ThreadRegistry29FindThreadContextByOsIDLockedEy");
__attribute__((weak)) void sanitizer_set_thread_name(void* thread, const char*) __asm__("_ZN11__sanitizer17ThreadContextBase7SetNameEPKc");
__attribute__((weak)) void sanitizer_set_created(void* thread, unsigned long user, unsigned long long unique, bool detached, unsigned creator, void*)
    __asm__("_ZN11__sanitizer17ThreadContextBase10SetCreatedEmybjPv");
__attribute__((weak)) void sanitizer_set_created_at(void* thread, unsigned long user, unsigned long long unique, bool detached, unsigned creator, unsigned stack, void*)
    __asm__("_ZN11__sanitizer17ThreadContextBase10SetCreatedEmybjjPv");  // from clang 20 on
__attribute__((weak)) void sanitizer_set_started(void* thread, unsigned long long kernel_thread, int type, void*)
    __asm__("_ZN11__sanitizer17ThreadContextBase10SetStartedEyNS_10ThreadTypeEPv");
}

namespace heddle::fiber::sanitizers {
namespace {

// The beginning of ThreadContextBase.
struct ThreadContext {
  void* functions;
  uint32_t number;
  uint64_t unique;
};

struct Creation {
  void* thread;
  StackTrace* stack;
};

ThreadContext* context_of(const Fiber* fiber) {
  void* const registry = rt::by_address(&asan_thread_registry)();
  return static_cast<ThreadContext*>(rt::by_address(&sanitizer_find_thread)(registry, static_cast<unsigned long long>(fiber->kernel_thread)));
}

}  // namespace

void describe_thread(const Fiber* fiber, const char* name, const Fiber* creator, const uintptr_t* calls, uint32_t count) {
  if (&asan_thread_registry == nullptr || &sanitizer_find_thread == nullptr || &sanitizer_set_thread_name == nullptr) return;
  ThreadContext* const context = context_of(fiber);
  if (context == nullptr) return;
  rt::by_address(&sanitizer_set_thread_name)(context, name);
  if (&sanitizer_set_started == nullptr || &asan_thread_by_stack == nullptr) return;
  void* const thread = rt::by_address(&asan_thread_by_stack)(reinterpret_cast<uintptr_t>(fiber->base));
  if (thread == nullptr) return;
  const ThreadContext* const by = creator != nullptr ? context_of(creator) : nullptr;
  StackTrace stack = {calls, count, 0};
  Creation creation = {thread, &stack};
  const uint32_t creator_number = by != nullptr ? by->number : 0;
  if (&sanitizer_set_created != nullptr) rt::by_address(&sanitizer_set_created)(context, 0, context->unique, true, creator_number, &creation);
  else if (&sanitizer_set_created_at != nullptr && &sanitizer_keep_stack != nullptr)
    rt::by_address(&sanitizer_set_created_at)(context, 0, context->unique, true, creator_number, rt::by_address(&sanitizer_keep_stack)(stack), thread);
  else return;
  rt::by_address(&sanitizer_set_started)(context, static_cast<unsigned long long>(fiber->kernel_thread), 0, nullptr);
}

}  // namespace heddle::fiber::sanitizers
