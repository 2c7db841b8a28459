#include "primitives/thread_life.h"

#include <errno.h>

namespace heddle::rt::primitives {
namespace {

Thread& thread_behind(const Object& o) { return *reinterpret_cast<Thread*>(o.address); }

bool has_finished(const Pending& p) { return thread_behind(*p.object).state == ThreadState::finished; }

// Checks that join and its variants share. 0: the join may wait.
int check_join(Thread* t, Place place) {
  Engine& e = engine();
  if (t == nullptr) return ESRCH;
  if (t == current_thread()) {
    e.misuse(FindingType::join_self, t->object, place);
    return EDEADLK;
  }
  if (t->joined) {
    e.misuse(FindingType::double_join, t->object, place, t->index);
    return ESRCH;
  }
  return t->detached && !t->main ? EINVAL : 0;  // main counts as detached, but may be joined
}

int join(Thread& t, void** result, const OpSpec& spec, int if_late) {
  Engine& e = engine();
  Pending& p = e.arrive(spec);
  if (t.state != ThreadState::finished) {
    e.commit(p, {.outcome = Outcome::timeout, .stored = false});
    return if_late;
  }
  t.joined = true;
  if (result != nullptr) *result = t.result;
  e.commit(p, {.outcome = spec.kind == Kind::thread_join && spec.deadline == kNever ? Outcome::none : Outcome::success,
               .partner = t.object->last_write_event});
  return 0;
}

}  // namespace

int thread_create(pthread_t* out, void* (*start)(void*), void* argument, bool detached, Place place, size_t stack) {
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::thread_create, .place = place});
  const bool too_many = e.alive() >= Engine::kMostAlive;
  Thread* t = too_many ? nullptr : e.create_thread(start, argument, detached, kNoEvent, stack);
  if (t == nullptr) {
    e.commit(p, {.outcome = Outcome::failure, .stored = false});
    // One after the other a program can have any number. An execution cannot follow them.
    if (!too_many) e.end_run(EndReason::step_bound);
    e.misuse(FindingType::unsupported, nullptr, place, kNoEvent, kNoEvent, "an execution can have at most 8,192 threads at once");
    return EAGAIN;
  }
  static_assert(Engine::kMostAlive == 8'192);
  *out = fiber::handle(t->fiber);
  Engine::settle_on(p, t->object);
  recorder().threads[t->index].create_event = e.commit(p, {});
  return 0;
}

int thread_join(pthread_t handle, void** result, Place place) {
  Thread* t = engine().thread_of(handle);
  if (const int error = check_join(t, place)) return error;
  return join(*t, result, {.kind = Kind::thread_join, .object = t->object, .place = place, .may_go = has_finished}, 0);
}

int thread_tryjoin(pthread_t handle, void** result, uint64_t deadline, Place place) {
  Thread* t = engine().thread_of(handle);
  if (const int error = check_join(t, place)) return error;
  if (deadline == 0) {
    return join(*t, result, {.kind = Kind::thread_join, .object = t->object, .place = place, .deadline = 0}, EBUSY);
  }
  return join(*t, result,
              {.kind = Kind::thread_join, .object = t->object, .place = place, .may_go = has_finished, .deadline = deadline},
              ETIMEDOUT);
}

int thread_detach(pthread_t handle, Place place) {
  Engine& e = engine();
  Thread* t = e.thread_of(handle);
  if (t == nullptr || t->joined || (t->detached && t->state == ThreadState::finished)) return ESRCH;
  if (t->detached) return EINVAL;
  Pending& p = e.arrive({.kind = Kind::thread_detach, .object = t->object, .place = place});
  t->detached = true;
  e.commit(p, {.stored = false});
  return 0;
}

void thread_exit(void* result) {
  current_thread()->result = result;
  fiber::unwind_current_to_base();
}

}  // namespace heddle::rt::primitives
