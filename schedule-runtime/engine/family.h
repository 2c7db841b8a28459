// The only list of object families, and what the engine may know of each. Other code of the engine never switches over families: it asks
// family_info(). A new primitive adds its row here.
#pragma once

#include <cstdint>

namespace heddle::rt {

enum FamilyTrait : uint8_t {
  kOwned = 1 << 0,        // only its holder gives it back, so who waits for it waits for that thread (not Go's locks, nor those of files)
  // An operation uses the object's memory after its turn. While it waited for the turn, another thread may have freed that memory. Not for
  // atomics and plain memory: their access checks for itself. Not for a barrier, which may go as soon as one thread has left, nor for what has
  // no memory of the program's.
  kUsedInTurn = 1 << 1,
  kKernelState = 1 << 2,  // operations change what the kernel keeps, and no execution puts back
  kBesideWord = 1 << 3,   // known by the address behind its word's, which is the atomic's; it says who waits there, and the word need not live
  kFromOutside = 1 << 4,  // another process can end a wait for it
};

// HEDDLE_FAMILY(name, traits, noun): the noun stands in a report of a use after free; null: the report says bytes.
#define HEDDLE_FAMILIES(HEDDLE_FAMILY)                                     \
  HEDDLE_FAMILY(none, 0, nullptr)                                          \
  HEDDLE_FAMILY(thread, 0, nullptr)                                        \
  HEDDLE_FAMILY(mutex, kOwned | kUsedInTurn, "a mutex")                    \
  HEDDLE_FAMILY(condvar, kUsedInTurn, "a condition variable")              \
  HEDDLE_FAMILY(atomic, 0, "an atomic variable")                           \
  HEDDLE_FAMILY(once, kOwned | kUsedInTurn, "a once flag")                 \
  HEDDLE_FAMILY(rwlock, kOwned | kUsedInTurn, "a read-write lock")         \
  HEDDLE_FAMILY(semaphore, kUsedInTurn, "a semaphore")                     \
  HEDDLE_FAMILY(barrier, 0, "a barrier")                                   \
  HEDDLE_FAMILY(futex, kBesideWord, "a futex")                             \
  HEDDLE_FAMILY(plain, 0, nullptr)                                         \
  HEDDLE_FAMILY(spinlock, kOwned | kUsedInTurn, "a spinlock")              \
  HEDDLE_FAMILY(channel, 0, "a channel")                                   \
  HEDDLE_FAMILY(wait_group, 0, "a wait group")                             \
  HEDDLE_FAMILY(annotated, 0, "an annotated lock")                         \
  HEDDLE_FAMILY(descriptor, kKernelState, nullptr)                         \
  HEDDLE_FAMILY(signals, kFromOutside, nullptr)                            \
  HEDDLE_FAMILY(files, kKernelState, nullptr)                              \
  HEDDLE_FAMILY(file_lock, kKernelState, nullptr)                          \
  HEDDLE_FAMILY(go_mutex, kUsedInTurn, "a mutex")                          \
  HEDDLE_FAMILY(go_rw_mutex, kUsedInTurn, "a read-write lock")             \
  HEDDLE_FAMILY(go_cond, kUsedInTurn, "a condition variable")              \
  HEDDLE_FAMILY(library, 0, nullptr)

// Which model owns an object's state. The engine only compares them, so that memory reused for another kind of object becomes a new object.
enum class Family : uint8_t {
#define HEDDLE_FAMILY(name, traits, noun) name,
  HEDDLE_FAMILIES(HEDDLE_FAMILY)
#undef HEDDLE_FAMILY
};

struct FamilyInfo {
  uint8_t traits;
  const char* noun;

  constexpr bool has(FamilyTrait trait) const { return (traits & trait) != 0; }
};

inline constexpr FamilyInfo kFamilyInfos[] = {
#define HEDDLE_FAMILY(name, traits, noun) {traits, noun},
    HEDDLE_FAMILIES(HEDDLE_FAMILY)
#undef HEDDLE_FAMILY
};

constexpr const FamilyInfo& family_info(Family family) { return kFamilyInfos[static_cast<uint8_t>(family)]; }

}  // namespace heddle::rt
