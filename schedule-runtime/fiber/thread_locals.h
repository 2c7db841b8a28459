// The thread-local variables of donors. Each fiber starts with fresh ones.
//
// A donor's static thread-local block is copied before its first run and restored after each run. This covers the parts of the executable,
// of the program's own libraries and of libstdc++. It does not cover libc's part (malloc's caches), nor the variables of sanitizers,
// libFuzzer and heddle: these are linked into the executable, but describe the donor and not the fiber.
#pragma once

#include <cstdint>

#include "fiber/donor.h"

namespace heddle::fiber::thread_locals {

// Called once on the root. Finds which ranges are restored, and where libFuzzer keeps its per-thread flag.
void survey();

// Called on the donor, before it parks. False if there is no memory; then nothing is restored.
bool take_snapshot(Fiber* fiber);

// Can be called from any fiber.
void restore(Fiber* fiber);
// Before a run: sets errno, and the fuzzing engine's per-thread flags, to the root's values.
void begin(Fiber* fiber);
// The first call on the fiber in a run: the global locale, and the thread-locals of libraries that dlopen has loaded.
void enter();

// Calls back for each range that restore() restores.
using RangeCallback = void (*)(void* begin, size_t size, void* argument);
void for_each_range(const Fiber* fiber, RangeCallback callback, void* argument);

// The thread-local variable of the fiber at this address, by its mangled name: one of the executable, or errno. Null: unknown.
const char* name_at(const Fiber* fiber, uintptr_t address, uintptr_t& offset_within);

// True for the C library and runtimes of compilers, whose thread-locals describe the donor.
bool is_system_library(const char* path);
// Whether the thread-local with this mangled name belongs to a runtime and is not restored.
bool belongs_to_a_runtime(const char* mangled_name);

}  // namespace heddle::fiber::thread_locals
