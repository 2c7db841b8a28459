// What runs when a thread ends: the clean-ups of pthread_exit, then the destructors of thread-local objects, then those of pthread keys.
// This file has the tables; the shims that fill them are in intercept/.
#pragma once

#include <pthread.h>

#include "fiber/fiber.h"

namespace heddle::fiber {

// Like __cxa_thread_atexit, for the current fiber. False if there is no memory.
bool register_thread_destructor(void (*destructor)(void*), void* object, void* dso);
// Whether any fiber has registered a destructor whose `dso` is `wanted`.
using DsoTest = bool (*)(const void* dso, void* argument);
bool has_thread_destructor(DsoTest wanted, void* argument);
// Runs them, the last registered first, including those that destructors register.
void run_thread_destructors();

// Keys. Keys of controlled threads have numbers above all of libc's. Outer keys were created outside of executions (by constructors, or
// once by libstdc++) and are libc's. But the value that a controlled thread sets belongs to its fiber: libc would keep it for the donor,
// which never ends and later serves other threads. Results are those of pthread_key_* (0 or an error number).
bool is_fiber_key(pthread_key_t key);
// `lasting`: created by code whose variables keep their values between executions. That code will use the key in later executions.
int key_create(pthread_key_t* key, void (*destructor)(void*), bool lasting = false);
int key_delete(pthread_key_t key);  // an outer key is valid again in the next execution
int key_set(pthread_key_t key, const void* value);
void* key_get(pthread_key_t key);
// An outer key was created or deleted through libc, outside of controlled threads.
void outer_key_created(pthread_key_t key, void (*destructor)(void*));
void outer_key_deleted(pthread_key_t key);
bool is_outer_key(pthread_key_t key);
// True if the current fiber has set it. If not, a sanitizer may have set it for the donor.
bool has_value(pthread_key_t key);
void run_key_destructors();
// Called between executions, when the program's state is restored. Forgets the keys of controlled threads, except lasting ones.
void forget_keys();

// pthread_cleanup_push/pop of plain C: replacements for libc's __pthread_register_cancel, __pthread_unregister_cancel and
// __pthread_unwind_next, for the current fiber.
void push_cleanup(__pthread_unwind_buf_t* cleanup);
void pop_cleanup(__pthread_unwind_buf_t* cleanup);
[[noreturn]] void next_cleanup(__pthread_unwind_buf_t* cleanup);

// Runs the destructors of thread-locals and of keys, in the order of a real thread's end.
void run_thread_exit();

// Drops them without running any: the fiber was abandoned, or is over.
void forget_thread_exit(Fiber* fiber);

// Calls back for every object and value whose destructor has not run.
using ValueCallback = void (*)(void* value, void* argument);
void visit_thread_exit(const Fiber* fiber, ValueCallback callback, void* argument);

}  // namespace heddle::fiber
