#include "primitives/semaphore.h"

#include <errno.h>
#include <limits.h>

#include "base/asan.h"
#include "primitives/destruction.h"
#include "primitives/interruption.h"
#include "primitives/outcome.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

uint32_t& count_of(uintptr_t semaphore) { return semaphore_count(reinterpret_cast<sem_t*>(semaphore)); }

struct SemaphoreState {
  uint32_t last_post_event;
};

bool is_positive(const Pending& p) { return count_of(p.object->address) != 0; }

bool is_zero(const Pending& p) { return !is_positive(p); }

Object& semaphore_object(sem_t* semaphore, Place place) {
  asan_check(semaphore, sizeof *semaphore, false, place.pc, place.frame);
  Object& o = engine().object(reinterpret_cast<uintptr_t>(semaphore), Family::semaphore, place);
  if (!o.modelled) {
    o.modelled = true;
    o.as<SemaphoreState>().last_post_event = kNoEvent;
  }
  engine().check_alive(o, place);
  return o;
}

void take(Object& o, Pending& p, Outcome outcome, uint8_t flags = 0) {
  const uint32_t left = --count_of(o.address);
  engine().commit(p, {.outcome = outcome, .value = left, .partner = o.as<SemaphoreState>().last_post_event, .flags = flags});
}

}  // namespace

void semaphore_init(sem_t* semaphore, Place place) {
  if (engine().initialised(reinterpret_cast<uintptr_t>(semaphore))) engine().touched(semaphore_object(semaphore, place));
}

int semaphore_destroy(sem_t* semaphore, Place place) {
  Object& o = semaphore_object(semaphore, place);
  Engine& e = engine();
  // There is no kind for this operation. It changes nothing that a wait reads, and creates no order.
  for (const Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
    if (p->enabled) continue;
    e.misuse(FindingType::destroy_waited, &o, place, p->thread_index);
    break;
  }
  destroy_object(o, place);
  return 0;
}

int semaphore_wait(sem_t* semaphore, uint64_t deadline, Place place) {
  Object& o = semaphore_object(semaphore, place);
  OpSpec spec{.kind = Kind::semaphore_wait, .object = &o, .place = place, .may_go = is_positive, .deadline = deadline};
  if (deadline == kNever) {
    Pending& p = engine().arrive(spec);
    if (was_interrupted()) return EINTR;
    take(o, p, Outcome::none);
    return 0;
  }
  uint8_t flags;
  Pending& p = arrive_timed(spec, is_zero, flags);
  if (was_interrupted()) return EINTR;
  if (p.timed_out) {
    engine().commit(p, {.outcome = Outcome::timeout, .choice = 1, .flags = flags, .stored = false});
    return ETIMEDOUT;
  }
  take(o, p, Outcome::success, flags);
  return 0;
}

int semaphore_trywait(sem_t* semaphore, Place place) {
  Object& o = semaphore_object(semaphore, place);
  OpSpec spec{.kind = Kind::semaphore_trywait, .object = &o, .place = place};
  prefer_outcome(spec, is_positive, is_zero);
  Pending& p = engine().arrive(spec);
  const uint8_t flags = preference_flag(p);
  if (is_positive(p)) {
    take(o, p, Outcome::success, flags);
    return 0;
  }
  engine().commit(p, {.outcome = Outcome::failure, .choice = 1, .flags = flags, .stored = false});
  return EAGAIN;
}

int semaphore_post(sem_t* semaphore, Place place) {
  Object& o = semaphore_object(semaphore, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::semaphore_post, .object = &o, .place = place});
  e.check_alive(o, place);  // another thread may have destroyed it meanwhile
  if (count_of(o.address) >= static_cast<uint32_t>(SEM_VALUE_MAX)) {
    e.commit(p, {.outcome = Outcome::failure, .stored = false});
    return EOVERFLOW;
  }
  const uint32_t count = ++count_of(o.address);
  o.as<SemaphoreState>().last_post_event = e.commit(p, {.value = count});
  return 0;
}

// A relaxed load of the count. It is no event of an execution graph (schema/coherence.h).
int semaphore_value(sem_t* semaphore, int* value, Place place) {
  Object& o = semaphore_object(semaphore, place);
  Pending& p = engine().arrive({.kind = Kind::atomic_load, .object = &o, .place = place, .order = MemoryOrder::relaxed, .detail = 1});
  const uint32_t count = count_of(o.address);
  *value = static_cast<int>(count);
  engine().commit(p, {.value = count, .partner = o.as<SemaphoreState>().last_post_event,
                      .flags = static_cast<uint8_t>(graph::active() ? kEventRecursive : 0), .stored = false});
  return 0;
}

}  // namespace heddle::rt::primitives
