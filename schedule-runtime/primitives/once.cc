#include "primitives/once.h"

namespace heddle::rt::primitives {
namespace {

bool nobody_runs(const Pending& p) { return p.object->as<OnceState>().runner == 0; }
bool never(const Pending&) { return false; }

uint32_t last_end(const OnceState& s) { return s.ran ? s.end_event : kNoEvent; }

}  // namespace

bool once_begin(Object& once, bool done, const char* name, Place place) {
  Engine& e = engine();
  OnceState& s = once.as<OnceState>();
  s.done |= done;
  OpSpec spec{.kind = Kind::once_begin, .object = &once, .place = place, .may_go = nobody_runs};
  if (s.runner == current_thread()->index + 1) {
    e.misuse(FindingType::double_lock, &once, place, current_thread()->index, s.begin_event, name);
    spec.may_go = never;  // as with real threads, it waits for itself
  }
  Pending& p = e.arrive(spec);
  if (s.done) {
    e.commit(p, {.outcome = Outcome::failure, .partner = last_end(s), .stored = false});
    return false;
  }
  s.runner = current_thread()->index + 1;
  once.holder = s.runner;
  s.begin_event = e.commit(p, {.outcome = Outcome::success, .partner = last_end(s)});
  once.last_acquire_event = s.begin_event;
  return true;
}

uint32_t once_end(Object& once, bool success, Place place) {
  Engine& e = engine();
  OnceState& s = once.as<OnceState>();
  Pending& p = e.arrive({.kind = Kind::once_end, .object = &once, .place = place});
  s.runner = 0;
  s.done = success;
  s.ran = true;
  once.holder = 0;
  return s.end_event = e.commit(p, {.outcome = success ? Outcome::success : Outcome::failure});
}

}  // namespace heddle::rt::primitives
