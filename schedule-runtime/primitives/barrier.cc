#include "primitives/barrier.h"

#include "base/asan.h"
#include "primitives/destruction.h"

namespace heddle::rt::primitives {
namespace {

// The place of the threshold in glibc's struct pthread_barrier: { in, current_round, count, shared, out }.
constexpr int kCountWord = 2;

struct BarrierState {
  uint32_t arrived;      // in the present round
  uint32_t round;
  uint32_t last_arrive;  // event that completed the last round
  uint32_t serial;       // the place of the thread that gets PTHREAD_BARRIER_SERIAL_THREAD for the last round
};

// On the stack of the waiting thread. The thread is parked as long as the object is in use.
struct Arrival {
  uint32_t round;
  uint32_t place;  // in the order of arrival, from 0
  bool serial;
};

Arrival& arrival_of(const Pending& p) { return *reinterpret_cast<Arrival*>(p.detail); }

bool is_over(const Pending& p) { return p.object->as<BarrierState>().round != arrival_of(p).round; }

Object& barrier_object(pthread_barrier_t* barrier, Place place) {
  asan_check(barrier, sizeof *barrier, false, place.pc, place.frame);
  Object& o = engine().object(reinterpret_cast<uintptr_t>(barrier), Family::barrier, place);
  if (!o.modelled) {
    o.modelled = true;
    o.as<BarrierState>().last_arrive = kNoEvent;
  }
  engine().check_alive(o, place);
  return o;
}

uint32_t threshold_of(const pthread_barrier_t* barrier) { return reinterpret_cast<const uint32_t*>(barrier)[kCountWord]; }

}  // namespace

void barrier_init(pthread_barrier_t* barrier, Place place) {
  if (engine().initialised(reinterpret_cast<uintptr_t>(barrier))) engine().touched(barrier_object(barrier, place));
}

// Allowed as soon as the last round is complete. Threads that are about to leave no longer need the barrier (glibc's destroy waits for
// them).
int barrier_destroy(pthread_barrier_t* barrier, Place place) {
  Object& o = barrier_object(barrier, place);
  if (o.as<BarrierState>().arrived != 0) {
    uint32_t waiter = kNoEvent;
    for (const Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
      if (!is_over(*p)) waiter = p->thread_index;
    }
    engine().misuse(FindingType::destroy_waited, &o, place, waiter);
  }
  destroy_object(o, place);
  return 0;
}

int barrier_wait(pthread_barrier_t* barrier, Place place) {
  Object& o = barrier_object(barrier, place);
  Engine& e = engine();
  const OpSpec spec{.kind = Kind::barrier_arrive, .object = &o, .place = place};
  Pending& arrive = e.arrive(spec);
  BarrierState& s = o.as<BarrierState>();
  Arrival arrival{s.round, s.arrived, false};
  ++s.arrived;
  const uint32_t count = threshold_of(barrier);
  if (count == 0) e.misuse(FindingType::use_before_init, &o, place);  // glibc divides by it
  Commit how{.value = s.arrived};
  if (s.arrived < count) {
    e.commit(arrive, how);
  } else {
    bool preferred;
    how.choice = e.choose(spec, count, 1, &preferred);  // 0: the last one
    how.flags = preferred ? kEventPreferred : 0;
    const uint32_t serial = count - 1 - how.choice;
    arrival.serial = serial == arrival.place;
    for (const Pending* p = o.pending_head; p != nullptr; p = p->owner->next_pending) {
      Arrival& other = arrival_of(*p);
      other.serial = other.serial || (other.round == s.round && other.place == serial);
    }
    s.arrived = 0;
    s.serial = serial;
    ++s.round;
    s.last_arrive = e.commit(arrive, how);
  }

  Pending& leave = e.arrive({.kind = Kind::barrier_leave, .object = &o, .place = place, .may_go = is_over,
                             .detail = reinterpret_cast<uintptr_t>(&arrival)});
  e.commit(leave, {.partner = s.last_arrive, .stored = false});
  // A signal handler ran in the wait when the round was completed. (If another round has been completed meanwhile, no thread gets it for this one.)
  arrival.serial = arrival.serial || (s.round == arrival.round + 1 && s.serial == arrival.place);
  return arrival.serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

}  // namespace heddle::rt::primitives
