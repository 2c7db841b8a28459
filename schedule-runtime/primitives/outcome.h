// The outcome of a try-operation as a decision of the select kind: 0 is success, 1 is failure. The operation waits for the preferred
// outcome until nothing else can run. Then it takes the outcome that is possible: no outcome is invented.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// How often a thread gets an outcome that is preferred for every instance. Without this limit, two threads that back off until a
// try-operation succeeds (std::lock) would never stop, because each try is made to fail.
inline constexpr uint32_t kMostPreferred = 16;

// `succeeds` and `fails` tell the outcome if the pending operation went now.
inline void prefer_outcome(OpSpec& spec, MayGo succeeds, MayGo fails) {
  if (!engine().has_preferences()) return;
  const SelectPreference* s = engine().preference(spec);
  if (s == nullptr || (s->instance == 0 && engine().instance_of(spec, s->site) > kMostPreferred)) return;
  spec.may_go = s->choice == 0 ? succeeds : fails;
  spec.prefers = true;
}

inline uint8_t preference_flag(const Pending& p) { return p.prefers && !p.gave_up ? kEventPreferred : 0; }

}  // namespace heddle::rt::primitives
