// What an operation means for the race detector, by its kind.
#pragma once

#include <cstdint>

#include "schema/kinds.h"

namespace heddle::rt {

// The effect of an event on the memory of its object.
enum class Touch : uint8_t {
  none,      // no access, or reported separately (plain accesses). Includes the end of a wait: the object may legally be destroyed by then
  uses,      // locks and similar objects: an atomic read of the first byte. For a lock, at its release, which comes after its acquisition
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
    case Kind::futex_wait:  // its word is an atomic of the program; after a wake-up the word may no longer exist
    case Kind::futex_wake:
    case Kind::cond_wake:
    case Kind::barrier_leave: return Touch::none;
    default: return kind < Kind::channel_send ? Touch::uses : Touch::none;
  }
}

// The effect of each kind of event, computed once so that an event needs one look-up.
struct Effect {
  Touch touch;
  bool writes;    // unless it fails
  bool releases;  // a later acquire learns all that the thread did before
};
struct Effects {
  Effect of[kKindLimit];
  constexpr Effects() : of{} {
    for (int k = 0; k < kKindLimit; ++k) {
      const auto kind = static_cast<Kind>(k);
      const Touch touch = touch_of(kind);
      // A wait publishes on its mutex, although its kind is one of the condition variable.
      of[k] = {touch, touch == Touch::destroys || (touch == Touch::atomic && kind_info(kind).has(kWrites)),
               kind_info(kind).has(kReleases) || kind == Kind::cond_wait};
    }
  }
};
inline constexpr Effects kEffects;

}  // namespace heddle::rt
