// Mutexes of every pthread type, as a state machine. Results are those of the pthread calls.
//
// The state is in the engine's object. The bytes of the mutex contain only a tag, which tells whether the memory still holds the
// mutex of that object (std::mutex reports neither construction nor destruction, docs/design/runtime-laws.md#lifetimes-of-objects).
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

// For a robust mutex, whose owner may end and leave it locked.
enum class MutexHealth : uint8_t {
  fine,
  owner_died,  // the next owner gets an error and may make it consistent again
  lost,        // the next owner did not: it is not recoverable
};

struct MutexState {
  uint32_t owner;  // thread index + 1; 0: free
  uint32_t depth;
  uint32_t last_unlock_event;
  bool robust;
  MutexHealth health;
};

Object& mutex_object(pthread_mutex_t* mutex, Place place);

void mutex_init(pthread_mutex_t* mutex, Place place);    // after the real one has set its bytes
int mutex_destroy(pthread_mutex_t* mutex, Place place);
int mutex_lock(pthread_mutex_t* mutex, Place place);
int mutex_trylock(pthread_mutex_t* mutex, Place place);
int mutex_timedlock(pthread_mutex_t* mutex, uint64_t deadline, Place place);
int mutex_unlock(pthread_mutex_t* mutex, Place place);
int mutex_consistent(pthread_mutex_t* mutex, Place place);  // no operation: only its owner can tell

// In a child process: what thread `from` of the parent holds, its copy `to` holds (indices).
void mutex_hand_over(Object& o, uint32_t from, uint32_t to);

// For condition variables: the release and re-acquisition inside a wait. As in glibc, a recursive mutex that is locked more than once is
// released by one level only, and stays held.
bool mutex_held_by_current(const Object& mutex);
void mutex_give_up(Object& mutex, uint32_t event);
int mutex_take_back(Object& mutex, Place place);

}  // namespace heddle::rt::primitives
