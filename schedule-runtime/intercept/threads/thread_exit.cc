// Thread-local destructors and pthread keys of controlled threads. They run when the controlled thread ends, not when its donor does.
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

#include "engine/engine.h"
#include "fiber/thread_exit.h"
#include "intercept/real.h"
#include "restore/restored_modules.h"

using namespace heddle::rt;
namespace fiber = heddle::fiber;

HEDDLE_REAL(pthread_key_create);
HEDDLE_REAL(pthread_key_delete);
HEDDLE_REAL(pthread_setspecific);
HEDDLE_REAL(pthread_getspecific);

HEDDLE_SHIM int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void* dso) {
  if (current_thread() != nullptr) return fiber::register_thread_destructor(destructor, object, dso) ? 0 : -1;
  static const auto real = reinterpret_cast<int (*)(void (*)(void*), void*, void*)>(dlsym(RTLD_NEXT, "__cxa_thread_atexit_impl"));
  return real(destructor, object, dso);
}

HEDDLE_SHIM int __cxa_thread_atexit(void (*destructor)(void*), void* object, void* dso) {
  return __cxa_thread_atexit_impl(destructor, object, dso);
}

// True if the values of the key belong to the current fiber. A key that was created inside libc without a shim is libc's.
static bool of_fibers(pthread_key_t key) { return fiber::is_fiber_key(key) || (current_thread() != nullptr && fiber::is_outer_key(key)); }

static bool outlasts_execution(uintptr_t code) {
  Uncontrolled guard;
  return !is_put_back(code);
}

HEDDLE_SHIM int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  if (current_thread() != nullptr) return fiber::key_create(key, destructor, outlasts_execution(HEDDLE_HERE.pc));
  const int error = real_pthread_key_create(key, destructor);
  if (error == 0) fiber::outer_key_created(*key, destructor);
  return error;
}

HEDDLE_SHIM int pthread_key_delete(pthread_key_t key) noexcept {
  if (of_fibers(key)) return fiber::key_delete(key);
  fiber::outer_key_deleted(key);
  return real_pthread_key_delete(key);
}

HEDDLE_SHIM int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (of_fibers(key)) return fiber::key_set(key, value);
  return real_pthread_setspecific(key, value);
}

HEDDLE_SHIM void* pthread_getspecific(pthread_key_t key) noexcept {
  if (of_fibers(key) && (fiber::is_fiber_key(key) || fiber::has_value(key))) return fiber::key_get(key);
  return real_pthread_getspecific(key);
}

// In glibc, tss_t and pthread_key_t are the same kind of key.
HEDDLE_SHIM int tss_create(tss_t* key, tss_dtor_t destructor) {
  if (current_thread() == nullptr) return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
  return fiber::key_create(key, destructor, outlasts_execution(HEDDLE_HERE.pc)) == 0 ? thrd_success : thrd_error;
}
HEDDLE_SHIM void tss_delete(tss_t key) { pthread_key_delete(key); }
HEDDLE_SHIM void* tss_get(tss_t key) { return pthread_getspecific(key); }
HEDDLE_SHIM int tss_set(tss_t key, void* value) { return pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error; }

// pthread_cleanup_push/pop of plain C. libc would store the list in its own thread descriptor and use it in its own pthread_exit.
#define HEDDLE_CLEANUP_SHIM(name, body)                                                         \
  HEDDLE_SHIM void name(__pthread_unwind_buf_t* buffer) {                                       \
    if (current_thread() != nullptr) {                                                          \
      body(buffer);                                                                             \
      return;                                                                                   \
    }                                                                                           \
    static const auto real = reinterpret_cast<void (*)(__pthread_unwind_buf_t*)>(dlsym(RTLD_NEXT, #name)); \
    real(buffer);                                                                               \
  }

HEDDLE_CLEANUP_SHIM(__pthread_register_cancel, fiber::push_cleanup)
HEDDLE_CLEANUP_SHIM(__pthread_unregister_cancel, fiber::pop_cleanup)

HEDDLE_SHIM void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (current_thread() != nullptr) fiber::next_cleanup(buffer);
  static const auto real =
      reinterpret_cast<void (*)(__pthread_unwind_buf_t*)>(dlsym(RTLD_NEXT, "__pthread_unwind_next"));
  real(buffer);
  __builtin_unreachable();
}
