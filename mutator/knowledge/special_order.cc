#include "mutator/knowledge/special_order.h"

namespace heddle::mutator {
namespace {

bool destroys(Kind kind) {
  return kind == Kind::mutex_destroy || kind == Kind::cond_destroy || kind == Kind::rwlock_destroy ||
         kind == Kind::channel_close;
}

}  // namespace

bool special_order(const Event& first, const Event& second) {
  if (destroys(first.kind)) return true;
  const bool notifies = first.kind == Kind::cond_signal || first.kind == Kind::cond_broadcast;
  if (notifies && second.kind == Kind::cond_wait) return true;  // the lost wake-up
  const bool tries = first.kind == Kind::mutex_trylock || first.kind == Kind::rwlock_tryrdlock ||
                     first.kind == Kind::rwlock_trywrlock;
  return tries && first.outcome == Outcome::failure && kind_info(second.kind).has(kHoldsLock);
}

}  // namespace heddle::mutator
