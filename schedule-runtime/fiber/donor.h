// The donors: their record, and how one is made. Private to this room (and to the gdb script, which
// reads the records by name).
#pragma once

#include <pthread.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>

#include "fiber/fiber.h"

namespace heddle::fiber {

struct DestructorChunk;
struct KeyValues;

enum class State : uint32_t {
  kFree,      // in the pool
  kReady,     // acquired, its entry has not begun
  kLive,      // begun; the current one, or suspended at stack_pointer
  kFinished,  // exit_to() was called on it
};

struct Fiber {
  // Where it is suspended. While it runs: where it was the last time.
  void* stack_pointer;
  uintptr_t thread_pointer;
  State state;
  uint32_t number;
  Entry entry;
  void* argument;
  void* tag;
  // Stack pointer of the base frame: what lies above is the donor's own.
  void* base;
  void* stack_low;
  void* stack_high;
  pthread_t handle;
  // The restored parts of the thread-local block, as they were before the first run.
  unsigned char* snapshot;
  // thread_exit.h
  DestructorChunk* destructors;
  KeyValues* keys;
  __pthread_unwind_buf_t* cleanups;
  uint32_t parked;
  // Of a forced unwind: it must outlive the frames it takes down.
  _Unwind_Exception exception;
};

inline constexpr size_t kMaxDonors = 1 << 15;

// fiber.cc
Fiber* records();

// A new donor in `fiber`, parked, with a stack of at least so many bytes (0: of the usual size). False when the system refuses.
bool make_donor(Fiber* fiber, size_t stack);
// The usual size: as the system gives it to threads that do not ask for one.
size_t usual_stack();
// Looks up the real pthread_create.
void find_thread_creation();

}  // namespace heddle::fiber
