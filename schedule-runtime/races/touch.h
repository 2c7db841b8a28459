// What an operation means for the race detector, by its kind.
#pragma once

#include <cstdint>

#include "schema/kinds.h"

namespace heddle::rt {

// What an event is to the memory of its object.
enum class Touch : uint8_t {
  none,      // nothing, or told apart (plain accesses); leaving a wait: the object may be gone by then, and the standard lets it
  uses,      // locks (when they are given back: that comes after their taking) and their like: an atomic read of the first byte
  atomic,
  destroys,  // a plain write
};

constexpr Touch touch_of(Kind kind) {
  const KindInfo& info = kind_info(kind);
  if (info.has(kThread) || info.has(kPlain) || info.has(kPassive) || info.has(kHoldsLock)) return Touch::none;
  if (info.has(kAtomic)) return Touch::atomic;
  switch (kind) {
    case Kind::mutex_destroy:
    case Kind::cond_destroy:
    case Kind::rwlock_destroy: return Touch::destroys;
    case Kind::futex_wait:  // its word is an atomic of the program's; a wake-up may come too late to touch it
    case Kind::futex_wake:
    case Kind::cond_wake:
    case Kind::barrier_leave: return Touch::none;
    default: return kind < Kind::channel_send ? Touch::uses : Touch::none;
  }
}

// What events of a kind mean here, looked up once per event.
struct Effect {
  Touch touch;
  bool writes;    // unless it fails
  bool releases;  // whoever learns of it learns of what its thread did before
};
struct Effects {
  Effect of[kKindLimit];
  constexpr Effects() : of{} {
    for (int k = 0; k < kKindLimit; ++k) {
      const auto kind = static_cast<Kind>(k);
      const Touch touch = touch_of(kind);
      // A wait publishes on its mutex, though its kind speaks of the condition variable only.
      of[k] = {touch, touch == Touch::destroys || (touch == Touch::atomic && kind_info(kind).has(kWrites)),
               kind_info(kind).has(kReleases) || kind == Kind::cond_wait};
    }
  }
};
inline constexpr Effects kEffects;

}  // namespace heddle::rt
