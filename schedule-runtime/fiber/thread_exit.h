// What runs when a thread ends: destructors of its thread-local objects, then those of its
// pthread keys; and before them the cleanups of pthread_exit. The tables; the shims that fill them
// are in intercept/.
#pragma once

#include <pthread.h>

#include "fiber/fiber.h"

namespace heddle::fiber {

// As __cxa_thread_atexit, for the current fiber. False when there is no memory.
bool register_thread_destructor(void (*destructor)(void*), void* object, void* dso);
// Whether any fiber has one registered whose `dso` is `wanted`.
using DsoTest = bool (*)(const void* dso, void* argument);
bool has_thread_destructor(DsoTest wanted, void* argument);
// Last registered first; those that destructors register run as well.
void run_thread_destructors();

// Keys. Those that controlled threads make have numbers above all of libc's. Outer keys, made outside of executions (by constructors, once
// by libstdc++), are libc's; what a controlled thread sets them to is its fiber's all the same: libc would keep it for the donor, which never
// ends and serves other threads later. Results are as those of pthread_key_* (0 or an error number).
bool is_fiber_key(pthread_key_t key);
// `lasting`: made by code whose variables keep their values over executions, which will use it again in the next ones.
int key_create(pthread_key_t* key, void (*destructor)(void*), bool lasting = false);
int key_delete(pthread_key_t key);  // an outer key is back in the next execution
int key_set(pthread_key_t key, const void* value);
void* key_get(pthread_key_t key);
// What libc has been asked for, not for a controlled thread.
void outer_key_created(pthread_key_t key, void (*destructor)(void*));
void outer_key_deleted(pthread_key_t key);
bool is_outer_key(pthread_key_t key);
// The current fiber has set it. If not, a sanitizer may have, for the donor.
bool has_value(pthread_key_t key);
void run_key_destructors();
// Between executions, when the program's state is put back: forgets the keys that controlled threads have made, but for lasting ones.
void forget_keys();

// pthread_cleanup_push/pop of plain C: the bodies of libc's __pthread_register_cancel,
// __pthread_unregister_cancel and __pthread_unwind_next, for the current fiber.
void push_cleanup(__pthread_unwind_buf_t* cleanup);
void pop_cleanup(__pthread_unwind_buf_t* cleanup);
[[noreturn]] void next_cleanup(__pthread_unwind_buf_t* cleanup);

// The destructors of thread-locals and of keys, in the order of a real thread's end.
void run_thread_exit();

// Without running anything: the fiber was abandoned, or is over.
void forget_thread_exit(Fiber* fiber);

// Every object and value that waits for its destructor.
using ValueCallback = void (*)(void* value, void* argument);
void visit_thread_exit(const Fiber* fiber, ValueCallback callback, void* argument);

}  // namespace heddle::fiber
