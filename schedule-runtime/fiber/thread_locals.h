// The thread-local variables of donors: fresh for every fiber.
//
// A donor's static thread-local block is copied before its first run and restored after each: the
// parts of the executable, of the program's own libraries and of libstdc++. Not libc's part
// (malloc's caches), and not the variables of sanitizers, libFuzzer and heddle: they are linked
// into the executable and describe the donor, not the fiber.
#pragma once

#include "fiber/donor.h"

namespace heddle::fiber::thread_locals {

// On the root, once: which ranges are put back, and where libFuzzer keeps its per-thread flag.
void survey();

// On the donor, before it parks. False (and no restoring) when there is no memory.
bool take_snapshot(Fiber* fiber);

// From any fiber.
void restore(Fiber* fiber);
// Before a run: errno, and the engine's per-thread flags as the root has them.
void begin(Fiber* fiber);
// On the fiber, first thing in a run: the global locale, and the thread-locals of libraries that dlopen has loaded.
void enter();

// Calls back for each range that restore() puts back.
using RangeCallback = void (*)(void* begin, size_t size, void* argument);
void for_each_range(const Fiber* fiber, RangeCallback callback, void* argument);

// The C library and the runtimes of compilers: their thread-locals describe the donor.
bool is_system_library(const char* path);
// Whether a thread-local with this mangled name belongs to a runtime and is left alone.
bool belongs_to_a_runtime(const char* mangled_name);

}  // namespace heddle::fiber::thread_locals
