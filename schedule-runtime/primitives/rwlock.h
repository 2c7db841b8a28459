// Read-write locks: std::shared_mutex and pthread_rwlock_t, as glibc has them. Results are those of the pthread calls.
//
// The kind PREFER_WRITER_NONRECURSIVE lets no new reader in while a writer waits behind readers. With the other two kinds, readers and
// writers compete (glibc treats PREFER_WRITER_NP as PREFER_READER_NP).
#pragma once

#include <pthread.h>

#include "engine/engine.h"

namespace heddle::rt::primitives {

enum class Access { read, write };

void rwlock_init(pthread_rwlock_t* lock, Place place);  // after the real one has set its bytes
int rwlock_destroy(pthread_rwlock_t* lock, Place place);
// deadline kNever: no time limit.
int rwlock_lock(pthread_rwlock_t* lock, Access access, uint64_t deadline, Place place);
int rwlock_trylock(pthread_rwlock_t* lock, Access access, Place place);
int rwlock_unlock(pthread_rwlock_t* lock, Place place);
void rwlock_hand_over(Object& o, uint32_t from, uint32_t to);  // as mutex_hand_over()

}  // namespace heddle::rt::primitives
