// The donors: their records, and how one is created. Private to this room, except for the gdb script, which reads the records by name.
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
  kLive,      // begun. It is the current one, or suspended at stack_pointer
  kFinished,  // exit_to() was called on it
};

struct Fiber {
  // The position where it is suspended. While it runs: the last such position.
  void* stack_pointer;
  uintptr_t thread_pointer;
  State state;
  uint32_t number;
  Entry entry;
  void* argument;
  void* tag;
  // Stack pointer of the base frame. Everything above belongs to the donor itself.
  void* base;
  void* stack_low;
  void* stack_high;
  pthread_t handle;
  long kernel_thread;
  // The restored parts of the thread-local block, saved before the first run.
  unsigned char* snapshot;
  // ASan's for this donor: made by the first function that needs it, and kept as long as the donor. Null: not known.
  void* fake_stack;
  // See thread_exit.h.
  DestructorChunk* destructors;
  KeyValues* keys;
  __pthread_unwind_buf_t* cleanups;
  uint32_t parked;
  // For a forced unwind. It is here because it must outlive the frames that it removes.
  _Unwind_Exception exception;
};

inline constexpr size_t kMaxDonors = 1 << 15;

// In fiber.cc.
Fiber* records();

// Makes a parked donor in `fiber`, with a stack of at least so many bytes (0: the usual size). False if the system refuses.
bool make_donor(Fiber* fiber, size_t stack);
// The usual size: the system's default for threads.
size_t usual_stack();
// Looks up the real pthread_create.
void find_thread_creation();

}  // namespace heddle::fiber
